// CCurl: the variadic setters and getters of libcurl, one static inline function for each type.
#pragma once
#include <features.h>
#include <curl/curl.h>

typedef size_t (*countersign_curl_write)(char *, size_t, size_t, void *);

static inline CURLcode countersign_curl_set_long(CURL *h, CURLoption o, long v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode countersign_curl_set_offset(CURL *h, CURLoption o, curl_off_t v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode countersign_curl_set_string(CURL *h, CURLoption o, const char *v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode countersign_curl_set_pointer(CURL *h, CURLoption o, void *v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode countersign_curl_set_list(CURL *h, CURLoption o, struct curl_slist *v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode countersign_curl_set_write(CURL *h, CURLoption o, countersign_curl_write v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode countersign_curl_get_long(CURL *h, CURLINFO i, long *v) { return curl_easy_getinfo(h, i, v); }
static inline CURLcode countersign_curl_get_pointer(CURL *h, CURLINFO i, void **v) { return curl_easy_getinfo(h, i, v); }
static inline CURLMcode countersign_curl_multi_set_long(CURLM *h, CURLMoption o, long v) { return curl_multi_setopt(h, o, v); }
