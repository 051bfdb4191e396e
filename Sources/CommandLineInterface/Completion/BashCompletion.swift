/// Completion for bash: one function that finds the place, then offers what may follow.
struct BashCompletion {
    let table: CompletionTable

    var script: String {
        """
        # Completion of \(table.program) for bash. Load it with: source <(\(table.program) completion bash)
        \(table.function)() {
            local current="${COMP_WORDS[COMP_CWORD]}" place="" option="" words="" kind="" list="" word index
            local common="\(names(table.commonOptions))"
            COMPREPLY=()
            for ((index = 1; index < COMP_CWORD; index++)); do
                word="${COMP_WORDS[index]}"
                if [[ -n $option ]]; then
                    [[ $word == "=" ]] || option=""
                    continue
                fi
                case "$word" in
                    --) return ;;
                    \(table.valueOptions.joined(separator: "|"))) option="$word" ;;
                    -*) ;;
                    *)
                        case "${place:+$place }$word" in
                            \(table.paths.map { "\"\($0)\"" }.joined(separator: "|"))) place="${place:+$place }$word" ;;
                        esac
                        ;;
                esac
            done
            [[ $current == "=" ]] && current=""
            if [[ -n $option ]]; then
                case "$place $option" in
        \(valueCases)
                esac
            else
                case "$place" in
        \(placeCases)
                esac
                words="$words $common"
            fi
            case "$kind" in
                file) compopt -o filenames 2> /dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
                directory) compopt -o filenames 2> /dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
            esac
            mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$words" -- "$current")
            # Names that others have chosen: never to be expanded.
            [[ -n $list ]] && while IFS= read -r word; do
                [[ $word == "$current"* ]] && COMPREPLY+=("$(printf '%q' "$word")")
            done < <(\(table.program) $list 2> /dev/null)
            return 0
        }
        complete -F \(table.function) \(table.program)
        """
    }

    private var valueCases: String {
        table.valuePatterns.map { "            \($0.pattern)) \(assignment($0.values, [])) ;;" }.joined(separator: "\n")
    }

    private var placeCases: String {
        table.places.map { place in
            let offered = place.words.map(\.word) + place.options.map(\.name)
            return "            \"\(place.path)\") \(assignment(place.argument ?? .any, offered)) ;;"
        }.joined(separator: "\n")
    }

    private func assignment(_ values: Option.Values, _ offered: [String]) -> String {
        let words = "words=\"\((offered + values.words).joined(separator: " "))\""
        return switch values {
        case .file: words + " kind=file"
        case .directory: words + " kind=directory"
        case .listed(_, let command): words + " list=\"\(command)\""
        case .any, .oneOf, .suggested, .duration, .number: words
        }
    }

    private func names(_ options: [Option]) -> String {
        options.flatMap { [$0.name] + ($0.short.map { ["-\($0)"] } ?? []) }.joined(separator: " ")
    }
}
