/// Completion for fish: one line for each word, each with the place where it is offered.
struct FishCompletion {
    let table: CompletionTable

    var script: String {
        ([header] + table.places.flatMap(lines) + table.commonOptions.map { option($0, at: nil) })
            .joined(separator: "\n")
    }

    private var place: String { "_\(table.function)_place" }

    private var header: String {
        """
        # Completion of \(table.program) for fish. Save it as ~/.config/fish/completions/\(table.program).fish
        function \(place) --description 'the command so far'
            set -l place ''
            set -l option ''
            for word in (commandline -opc)[2..-1]
                if test -n "$option"
                    set option ''
                    continue
                end
                switch "$word"
                    case \(table.valueOptions.map(CompletionTable.quoted).joined(separator: " "))
                        set option "$word"
                    case '-*'
                    case '*'
                        set -l longer "$word"
                        test -n "$place"; and set longer "$place $word"
                        switch "$longer"
                            case \(table.paths.map(CompletionTable.quoted).joined(separator: " "))
                                set place "$longer"
                        end
                end
            end
            test "$place" = "$argv"
        end
        complete -c \(table.program) -f
        """
    }

    private func lines(_ place: CompletionTable.Place) -> [String] {
        let start = "complete -c \(table.program) -n \(condition(place.path))"
        let words = place.words.map {
            "\(start) -a \(CompletionTable.quoted($0.word)) -d \(CompletionTable.quoted($0.summary))"
        }
        let argument: [String] =
            switch place.argument {
            case .file: ["\(start) -F"]
            case .directory: ["\(start) -a '(__fish_complete_directories)'"]
            case .oneOf(let values), .suggested(let values): values.map { "\(start) -a \(CompletionTable.quoted($0))" }
            case .listed(let values, let command):
                (values + [lines(of: command)]).map { "\(start) -a \(CompletionTable.quoted($0))" }
            case .any, .duration, .number, nil: []
            }
        return words + argument + place.options.map { option($0, at: place.path) }
    }

    private func option(_ option: Option, at path: String?) -> String {
        let start = "complete -c \(table.program)" + (path.map { " -n \(condition($0))" } ?? "")
        let short = option.short.map { " -s \($0)" } ?? ""
        let value =
            switch option.values {
            case _ where option.isFlag: ""
            case .file: " -r -F"
            case .directory: " -x -a '(__fish_complete_directories)'"
            case .oneOf(let words), .suggested(let words):
                " -x -a \(CompletionTable.quoted(words.joined(separator: " ")))"
            case .listed(let words, let command):
                " -x -a \(CompletionTable.quoted((words + [lines(of: command)]).joined(separator: " ")))"
            case .any, .duration, .number: " -x"
            }
        return "\(start) -l \(option.name.dropFirst(2))\(short)\(value) -d \(CompletionTable.quoted(option.help))"
    }

    private func lines(of command: String) -> String { "(\(table.program) \(command) 2> /dev/null)" }

    private func condition(_ path: String) -> String { CompletionTable.quoted("\(place) \"\(path)\"") }
}
