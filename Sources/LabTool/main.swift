// One call: code here would be bound to the main actor.
import Glibc

exit(0)
