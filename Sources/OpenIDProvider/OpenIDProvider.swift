// OpenIDProvider owns the authorization server: it is an HTTP handler over records, keys and an environment. It knows
// nothing of URL commands, of schemes or of the bus; whoever asks it for a code is a client like any other.
