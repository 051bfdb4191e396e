// One call: code here would be bound to the main actor, and a C callback written here would die on another thread.
import Glibc

exit(await LabProgram.main())
