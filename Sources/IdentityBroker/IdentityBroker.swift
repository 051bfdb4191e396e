// IdentityBroker owns the identity provider app's brain: who is asking, which account, consent, and a code on the
// client's behalf. It is itself a client of the provider, without a private door into it.
