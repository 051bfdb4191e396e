// Handoff owns the signed URL commands: their codec, the verification rules, the registry entries, and both sides'
// flows as pure state machines. It does not deliver them.
