// CommandLineInterface owns the command table: argv, help, completion and exit codes, and the one renderer of errors.
// It does not know what a command does, and it handles no signals.
