// OpenIDConnect owns the wire vocabulary that both roles share, as pure values: requests, responses, request objects,
// client assertions, DPoP proofs, PKCE, metadata, errors and ID-token rules. It sends nothing.
