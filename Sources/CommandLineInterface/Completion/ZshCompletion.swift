/// Completion for zsh: as for bash, with the meanings beside the words.
struct ZshCompletion {
    let table: CompletionTable

    var script: String {
        """
        #compdef \(table.program)
        # Completion of \(table.program) for zsh. Put it into a folder of $fpath as _\(table.program).
        \(table.function)() {
            local place="" option="" word index
            local -a items
            for ((index = 2; index < CURRENT; index++)); do
                word="${words[index]}"
                if [[ -n $option ]]; then
                    option=""
                    continue
                fi
                case "$word" in
                    (--) _files; return ;;
                    (\(table.valueOptions.joined(separator: "|"))) option="$word" ;;
                    (-*) ;;
                    (*)
                        case "${place:+$place }$word" in
                            (\(table.paths.map { "\"\($0)\"" }.joined(separator: "|"))) place="${place:+$place }$word" ;;
                        esac
                        ;;
                esac
            done
            if [[ ${words[CURRENT]} == --*=* ]]; then
                option="${words[CURRENT]%%=*}"
                compset -P '*='
            fi
            if [[ -n $option ]]; then
                case "$place $option" in
        \(valueCases)
                esac
                return
            fi
            case "$place" in
        \(placeCases)
            esac
            items+=(\(items(options: table.commonOptions)))
            _describe '\(table.program)' items
        }
        compdef \(table.function) \(table.program) 2> /dev/null
        if [[ ${funcstack[1]} == _\(table.program) ]]; then \(table.function); fi
        """
    }

    private var valueCases: String {
        table.valuePatterns.map { "            (\($0.pattern)) \(action($0.values)) ;;" }.joined(separator: "\n")
    }

    private func action(_ values: Option.Values) -> String {
        switch values {
        case .file: "_files"
        case .directory: "_files -/"
        case .oneOf(let words), .suggested(let words):
            "compadd -- " + words.map(CompletionTable.quoted).joined(separator: " ")
        case .listed(let words, let command):
            "compadd -- " + (words.map(CompletionTable.quoted) + [lines(of: command)]).joined(separator: " ")
        case .any, .duration, .number: "_message value"
        }
    }

    /// Each line of a command's output as a word.
    private func lines(of command: String) -> String { "${(f)\"$(\(table.program) \(command) 2> /dev/null)\"}" }

    private var placeCases: String {
        table.places.map { place in
            let arguments = place.argument?.words.map { item($0, "") } ?? []
            let offered = place.words.map { item($0.word, $0.summary) } + arguments
            let all = (offered + [items(options: place.options)]).joined(separator: " ")
            let files =
                switch place.argument {
                case .file: " ; _files"
                case .directory: " ; _files -/"
                case .listed(_, let command): " ; items+=(\(lines(of: command)))"
                case .any, .oneOf, .suggested, .duration, .number, nil: ""
                }
            return "            (\"\(place.path)\") items=(\(all))\(files) ;;"
        }.joined(separator: "\n")
    }

    private func items(options: [Option]) -> String {
        options.flatMap { option in
            [item(option.name, option.help)] + (option.short.map { [item("-\($0)", option.help)] } ?? [])
        }.joined(separator: " ")
    }

    /// A word and its meaning; a colon in the word would end it.
    private func item(_ word: String, _ meaning: String) -> String {
        CompletionTable.quoted(word.replacing(":", with: "\\:") + (meaning.isEmpty ? "" : ":\(meaning)"))
    }
}
