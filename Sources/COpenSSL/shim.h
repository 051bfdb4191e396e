// COpenSSL: what Swift cannot call of OpenSSL 3 (macros, variadics, typed stacks, parameter lists that keep the
// addresses they are given), as static inline functions.
#pragma once
#include <features.h>
#include <arpa/inet.h>
#include <stdint.h>
#include <string.h>
#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

static inline EVP_PKEY *countersign_generate_ec(const char *curve) { return EVP_EC_gen(curve); }
static inline EVP_PKEY *countersign_generate_rsa(unsigned int bits) { return EVP_RSA_gen(bits); }
static inline EVP_PKEY *countersign_generate_ed25519(void) { return EVP_PKEY_Q_keygen(NULL, NULL, "ED25519"); }

// A parameter list keeps the addresses of names and octets, so it is built and used within one call.
static inline EVP_PKEY *countersign_key_from_builder(const char *type, OSSL_PARAM_BLD *builder, int is_private) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    if (parameters == NULL || context == NULL || EVP_PKEY_fromdata_init(context) != 1
        || EVP_PKEY_fromdata(context, &key, is_private ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, parameters) != 1) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(parameters);
    return key;
}

// A P-256 key from its uncompressed point (65 bytes) and, for a private key, its number (32 bytes) or NULL.
static inline EVP_PKEY *countersign_p256_key(const unsigned char *point, const unsigned char *secret) {
    EVP_PKEY *key = NULL;
    BIGNUM *number = secret ? BN_bin2bn(secret, 32, BN_secure_new()) : NULL;
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    if (builder != NULL && (secret == NULL || number != NULL)
        && OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0)
        && OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, 65)
        && (number == NULL || OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, number)))
        key = countersign_key_from_builder("EC", builder, number != NULL);
    OSSL_PARAM_BLD_free(builder);
    BN_clear_free(number);
    return key;
}

// An RSA key from its numbers, big-endian, one after another: n e, and for a private key also d p q dp dq qi.
static inline EVP_PKEY *countersign_rsa_key(const unsigned char *bytes, const size_t *counts, int is_private) {
    static const char *const names[8] = {
        OSSL_PKEY_PARAM_RSA_N, OSSL_PKEY_PARAM_RSA_E, OSSL_PKEY_PARAM_RSA_D, OSSL_PKEY_PARAM_RSA_FACTOR1,
        OSSL_PKEY_PARAM_RSA_FACTOR2, OSSL_PKEY_PARAM_RSA_EXPONENT1, OSSL_PKEY_PARAM_RSA_EXPONENT2,
        OSSL_PKEY_PARAM_RSA_COEFFICIENT1,
    };
    EVP_PKEY *key = NULL;
    BIGNUM *numbers[8] = {0};
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    int total = is_private ? 8 : 2, good = builder != NULL;
    for (int i = 0; good && i < total; i++) {
        numbers[i] = BN_bin2bn(bytes, (int)counts[i], i < 2 ? BN_new() : BN_secure_new());
        bytes += counts[i];
        good = numbers[i] != NULL && OSSL_PARAM_BLD_push_BN(builder, names[i], numbers[i]);
    }
    if (good) key = countersign_key_from_builder("RSA", builder, is_private);
    OSSL_PARAM_BLD_free(builder);
    for (int i = 0; i < total; i++) BN_clear_free(numbers[i]);
    return key;
}

// What a memory BIO holds; the address is good until the BIO changes.
static inline long countersign_bio_contents(BIO *bio, const unsigned char **contents) {
    return BIO_get_mem_data(bio, (char **)contents);
}

// Whether e·d is 1 modulo p−1, for one prime factor p and an exponent d.
static inline int countersign_is_inverse(const BIGNUM *e, const BIGNUM *d, const BIGNUM *prime, BN_CTX *context) {
    BIGNUM *order = BN_dup(prime), *product = BN_new();
    int fits = order && product && BN_sub_word(order, 1) == 1 && BN_mod_mul(product, e, d, order, context) == 1
               && BN_is_one(product);
    BN_clear_free(order);
    BN_clear_free(product);
    return fits;
}

// Whether the numbers of an RSA key belong together: n = p·q, each exponent undoes e, and the coefficient is q's inverse.
// OpenSSL's own check also tests the primes anew, which takes as long as the whole start of a program may.
static inline int countersign_rsa_numbers_fit(const EVP_PKEY *key) {
    static const char *const names[8] = {"n", "e", "d", "rsa-factor1", "rsa-factor2", "rsa-exponent1", "rsa-exponent2",
                                         "rsa-coefficient1"};
    BIGNUM *v[8] = {0};
    BN_CTX *context = BN_CTX_secure_new();
    BIGNUM *product = BN_new();
    int fits = context && product;
    for (int i = 0; fits && i < 8; i++) fits = EVP_PKEY_get_bn_param(key, names[i], &v[i]);
    fits = fits && BN_mul(product, v[3], v[4], context) && BN_cmp(product, v[0]) == 0
           && countersign_is_inverse(v[1], v[2], v[3], context) && countersign_is_inverse(v[1], v[2], v[4], context)
           && countersign_is_inverse(v[1], v[5], v[3], context) && countersign_is_inverse(v[1], v[6], v[4], context)
           && BN_mod_mul(product, v[7], v[4], v[3], context) && BN_is_one(product);
    for (int i = 0; i < 8; i++) BN_clear_free(v[i]);
    BN_clear_free(product);
    BN_CTX_free(context);
    return fits;
}

static inline void countersign_free(void *memory) { OPENSSL_free(memory); }

// Subject alternative names: DNS, URI and IP only.
static inline GENERAL_NAMES *countersign_names_new(void) { return sk_GENERAL_NAME_new_null(); }
static inline void countersign_names_free(GENERAL_NAMES *names) {
    sk_GENERAL_NAME_pop_free(names, GENERAL_NAME_free);
}
static inline int countersign_names_count(const GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }

static inline int countersign_names_add(GENERAL_NAMES *names, int type, const unsigned char *bytes, int count) {
    GENERAL_NAME *name = GENERAL_NAME_new();
    ASN1_STRING *value = type == GEN_IPADD ? (ASN1_STRING *)ASN1_OCTET_STRING_new() : ASN1_IA5STRING_new();
    if (name == NULL || value == NULL || !ASN1_STRING_set(value, bytes, count)) {
        GENERAL_NAME_free(name);
        ASN1_STRING_free(value);
        return 0;
    }
    GENERAL_NAME_set0_value(name, type, value);
    if (!sk_GENERAL_NAME_push(names, name)) {
        GENERAL_NAME_free(name);
        return 0;
    }
    return 1;
}

// The type of the name at that place, and its bytes where it is a DNS name, a URI or an IP address.
static inline int countersign_names_at(
    const GENERAL_NAMES *names, int index, const unsigned char **bytes, int *count) {
    int type = 0;
    const ASN1_STRING *value = GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(names, index), &type);
    *bytes = NULL;
    *count = 0;
    if (type == GEN_DNS || type == GEN_URI || type == GEN_IPADD) {
        *bytes = ASN1_STRING_get0_data(value);
        *count = ASN1_STRING_length(value);
    }
    return type;
}

// The 4 or 16 bytes of an IP address in text; 0 where the text is none.
static inline int countersign_ip_bytes(const char *text, unsigned char bytes[16]) {
    if (inet_pton(AF_INET, text, bytes) == 1) return 4;
    return inet_pton(AF_INET6, text, bytes) == 1 ? 16 : 0;
}

// The text of an IP address of 4 or 16 bytes; the buffer takes at least 46.
static inline int countersign_ip_text(const unsigned char *bytes, int count, char *text) {
    return inet_ntop(count == 4 ? AF_INET : AF_INET6, bytes, text, 46) != NULL;
}

// The names that a certificate request asks for, or NULL.
static inline GENERAL_NAMES *countersign_request_names(X509_REQ *request) {
    STACK_OF(X509_EXTENSION) *extensions = X509_REQ_get_extensions(request);
    GENERAL_NAMES *names = X509V3_get_d2i(extensions, NID_subject_alt_name, NULL, NULL);
    sk_X509_EXTENSION_pop_free(extensions, X509_EXTENSION_free);
    return names;
}

// Adds the names that a request asks for.
static inline int countersign_request_add_names(X509_REQ *request, GENERAL_NAMES *names) {
    STACK_OF(X509_EXTENSION) *extensions = NULL;
    int good = X509V3_add1_i2d(&extensions, NID_subject_alt_name, names, 0, X509V3_ADD_DEFAULT) == 1
        && X509_REQ_add_extensions(request, extensions) == 1;
    sk_X509_EXTENSION_pop_free(extensions, X509_EXTENSION_free);
    return good;
}

// Simulation only: random bytes that follow from a seed. Each thread has a stream of its own, so that what one
// thread draws does not depend on the others. The state lives in these functions (Swift emits no variable of a
// header), once per object file: exactly one Swift file may call the last two.
typedef struct { uint64_t seed; unsigned round; } countersign_seeding;

static inline countersign_seeding *countersign_seeding_now(void) {
    static countersign_seeding now;
    return &now;
}

static inline int countersign_seeded_bytes(unsigned char *bytes, int count) {
    static _Thread_local uint64_t stream;
    static _Thread_local unsigned stream_round;
    unsigned round = __atomic_load_n(&countersign_seeding_now()->round, __ATOMIC_ACQUIRE);
    if (stream_round != round) {
        stream_round = round;
        stream = __atomic_load_n(&countersign_seeding_now()->seed, __ATOMIC_RELAXED);
    }
    // SplitMix64: full period, no state but one number.
    for (int i = 0; i < count; i += 8) {
        uint64_t word = (stream += 0x9E3779B97F4A7C15ull);
        word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9ull;
        word = (word ^ (word >> 27)) * 0x94D049BB133111EBull;
        word ^= word >> 31;
        memcpy(bytes + i, &word, (size_t)(count - i < 8 ? count - i : 8));
    }
    return 1;
}

static inline int countersign_seeded_status(void) { return 1; }

static inline void countersign_seed_randomness(uint64_t seed) {
    static const RAND_METHOD method = {
        NULL, countersign_seeded_bytes, NULL, NULL, countersign_seeded_bytes, countersign_seeded_status,
    };
    __atomic_store_n(&countersign_seeding_now()->seed, seed, __ATOMIC_RELAXED);
    __atomic_add_fetch(&countersign_seeding_now()->round, 1, __ATOMIC_RELEASE);
    RAND_set_rand_method(&method);
}

static inline void countersign_restore_randomness(void) { RAND_set_rand_method(RAND_OpenSSL()); }
