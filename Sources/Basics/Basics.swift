// Basics owns what every other module says the same way: the shape of an error, masked secrets, instants and strict
// JSON. It knows nothing of identity.
