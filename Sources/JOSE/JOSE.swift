// JOSE owns keys, signatures, encryption, digests, password hashes and certificates, and is alone in calling libcrypto.
// It does not decide whom to trust: algorithms and keys are pinned by the caller.
