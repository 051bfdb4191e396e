import Basics
import CCurl
import Platform

/// Turns libcurl's codes into faults. The texts name the server and never the path or query, which may hold secrets.
enum CurlFault {
    static func make(_ code: CURLcode, _ call: HTTPCall) -> Fault {
        let server = (try? CallTarget(call.url).authority) ?? "the server"
        let detail = String(cString: curl_easy_strerror(code))
        switch code {
        case CURLE_OPERATION_TIMEDOUT:
            return Fault(.httpTimeout, "\(server) did not answer in time.", detail: detail)
        case CURLE_FILESIZE_EXCEEDED:
            return Fault(
                .httpTooLarge, "The answer of \(server) is longer than \(call.maximumBytes) bytes.", detail: detail)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CLIENTCERT:
            return Fault(
                .tlsRefused, "The certificate of \(server) is not one that this client trusts.", detail: detail)
        case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE:
            return Fault(
                .tlsRefused, "The file of trusted authorities cannot be read.",
                next: "Give a PEM file with --ca-file.", detail: detail)
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED:
            return Fault(.tlsRefused, "\(server) does not speak TLS as this client does.", detail: detail)
        default:
            return Fault(.httpUnreachable, "\(server) cannot be reached.", detail: detail)
        }
    }
}
