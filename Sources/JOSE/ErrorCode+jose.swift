package import Basics

extension ErrorCode {
    /// Text that is not strict base64url.
    package static let invalidBase64URL = ErrorCode(
        "invalid-base64url", .failed,
        "The text is not base64url as RFC 7515 §2 has it: no padding, no white space, no spare bits.",
        next: "Check that the value was copied whole and is not plain base64.")
    /// A JWK that breaks RFC 7517 or RFC 7518 §6.
    package static let invalidKey = ErrorCode(
        "invalid-key", .invalidFile, "The key is not a JWK as RFC 7517 and RFC 7518 §6 have it.",
        next: "Export the key again as a JWK; the text says which member is wrong.")
    /// A key of a type, curve or use that this product does not know.
    package static let unsupportedKey = ErrorCode(
        "unsupported-key", .invalidFile, "The key is of a type, curve or use that is not supported.",
        next: "Use EC P-256, RSA or OKP Ed25519, with use sig or enc.")
    /// A private or symmetric key where a public one belongs.
    package static let exposedPrivateKey = ErrorCode(
        "exposed-private-key", .refused, "There is a private key where only a public key belongs.",
        next: "Replace that key: it has been shown. Then give only its public half.")
    /// A key that must not be used for what was asked.
    package static let unfitKey = ErrorCode(
        "unfit-key", .refused, "The key may not be used for this: its use, algorithm, type or size does not fit.",
        next: "Use a key made for this purpose; the text says what does not fit.")
    /// Two keys of one set that answer to one id.
    package static let ambiguousKeyID = ErrorCode(
        "ambiguous-key-id", .refused, "Two keys of one set have the same kid.",
        next: "Give each key its own kid, for instance its RFC 7638 thumbprint.")
    /// Text that is not an RFC 7638 thumbprint.
    package static let invalidThumbprint = ErrorCode(
        "invalid-thumbprint", .invalidFile, "A key thumbprint is 43 characters of base64url (RFC 7638, SHA-256).",
        next: "Copy the thumbprint again from the listing of the app's keys.")
    /// A token longer than its reader takes.
    package static let tokenTooLarge = ErrorCode(
        "token-too-large", .refused, "The token is larger than its reader takes.",
        next: "Send less in one token, or raise the limit where it is configurable.")
    /// A token that is not a compact JWS or JWE.
    package static let malformedToken = ErrorCode(
        "malformed-token", .refused, "The token is not a compact JWS (RFC 7515 §3.1) or JWE (RFC 7516 §3.1).",
        next: "Check that the token was copied whole.")
    /// A token that asks for an extension this reader does not have.
    package static let unsupportedHeader = ErrorCode(
        "unsupported-header", .refused, "The token's header asks for an extension that is not supported (crit, b64).",
        next: "Have the sender leave out crit and b64.")
    /// A token whose algorithm is not the one pinned for its signer.
    package static let algorithmNotPinned = ErrorCode(
        "algorithm-not-pinned", .refused, "The token's alg is not the one pinned for its signer (RFC 8725 §3.1).",
        next: "Sign with the registered algorithm, or register the key again with the other one.")
    /// A signature that does not hold.
    package static let badSignature = ErrorCode(
        "bad-signature", .refused, "The signature does not fit the token and the key.",
        next: "Check that the signer's current key is the registered one.")
    /// Something encrypted that this key does not open.
    ///
    /// One text for every reason, so that nothing can be probed.
    package static let undecryptable = ErrorCode(
        "undecryptable", .refused, "It cannot be decrypted.",
        next: "Check that the sender has the receiver's current encryption key.")
    /// Text that is not a password hash of ours.
    package static let invalidPasswordHash = ErrorCode(
        "invalid-password-hash", .invalidFile, "The password hash is not of the form $scrypt$ln=15,r=8,p=1$salt$hash.",
        next: "Set the password again.")
    /// Claims of the wrong form.
    package static let invalidClaims = ErrorCode(
        "invalid-claims", .refused, "The token's claims are not as RFC 7519 §4.1 has them.",
        next: "Have the sender fix the claim that the text names.")
    /// A token by another issuer.
    package static let wrongIssuer = ErrorCode(
        "wrong-issuer", .refused, "The token's iss is not the issuer expected here (RFC 7519 §4.1.1).",
        next: "Check the issuer in the client's configuration; it is compared character by character.")
    /// A token for somebody else.
    package static let wrongAudience = ErrorCode(
        "wrong-audience", .refused, "The token's aud does not name this receiver (RFC 7519 §4.1.3).",
        next: "Have the sender put this receiver's identifier in aud.")
    /// A token past its time.
    package static let tokenExpired = ErrorCode(
        "token-expired", .refused, "The token has no exp, or its exp has passed (RFC 7519 §4.1.4).",
        next: "Ask for a new token; check both clocks if it was just made.")
    /// A token before its time.
    package static let tokenNotYetValid = ErrorCode(
        "token-not-yet-valid", .refused, "The token's nbf is still to come (RFC 7519 §4.1.5).",
        next: "Wait, or check both clocks.")
    /// A token made too long ago, or in the future.
    package static let tokenNotFresh = ErrorCode(
        "token-not-fresh", .refused, "The token's iat is missing, too old or in the future (RFC 7519 §4.1.6).",
        next: "Make a new token; check both clocks if it was just made.")
    /// A token that wants to live too long.
    package static let lifetimeTooLong = ErrorCode(
        "lifetime-too-long", .refused, "The time from the token's iat to its exp is longer than this use allows.",
        next: "Have the sender set a nearer exp.")
    /// A certificate or request that cannot be read.
    package static let invalidCertificate = ErrorCode(
        "invalid-certificate", .invalidFile, "The text is not one PEM certificate or certificate request.",
        next: "Check the file: one PEM block, nothing cut off.")
    /// A certificate that cannot be made as asked.
    package static let certificateRefused = ErrorCode(
        "certificate-refused", .refused, "The certificate cannot be made as asked.",
        next: "Change what the text names and ask again.")
    /// A certificate that the authority did not issue.
    package static let certificateNotTrusted = ErrorCode(
        "certificate-not-trusted", .refused, "The certificate was not issued by this authority (RFC 5280 §6).",
        next: "Have it issued by the CA of this home.")
    /// A certificate outside its dates.
    package static let certificateOutOfDate = ErrorCode(
        "certificate-out-of-date", .refused, "The certificate, or its authority's, is not valid at this time.",
        next: "Issue a new certificate; check the clock.")
    /// A certificate for another name.
    package static let certificateNameMismatch = ErrorCode(
        "certificate-name-mismatch", .refused, "The certificate is not for this name (RFC 5280 §4.2.1.6).",
        next: "Issue a certificate whose subject alternative name is the name expected.")
    /// OpenSSL failed where it should not.
    package static let cryptographyFailed = ErrorCode(
        "cryptography-failed", .internal, "OpenSSL could not do what was asked.",
        next: "Report it, with the log of the app (log/APP.jsonl in the home).")

    /// All codes of this module.
    package static let jose: [ErrorCode] = [
        .invalidBase64URL, .invalidKey, .unsupportedKey, .exposedPrivateKey, .unfitKey, .ambiguousKeyID,
        .invalidThumbprint, .tokenTooLarge, .malformedToken, .unsupportedHeader, .algorithmNotPinned, .badSignature,
        .undecryptable, .invalidPasswordHash, .invalidClaims, .wrongIssuer, .wrongAudience, .tokenExpired,
        .tokenNotYetValid, .tokenNotFresh, .lifetimeTooLong, .invalidCertificate, .certificateRefused,
        .certificateNotTrusted, .certificateOutOfDate, .certificateNameMismatch, .cryptographyFailed,
    ]
}
