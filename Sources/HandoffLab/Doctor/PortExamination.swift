import Basics
import LinuxPlatform
import Platform

/// The issuer's port: whether the home's own provider has it.
enum PortExamination {
    static func look(_ patient: Doctor.Patient) async -> [Finding] {
        let (home, port) = (patient.home, patient.home.port)
        let holder = PortHolder.find(port: port)
        let answers = await ProviderCall.metadata(of: home.issuer, patient)
        switch (holder, answers) {
        case (_?, .success):
            return [Finding(.ok, "Port \(port) is \(holder ?? "")'s, and the home's provider answers.")]
        case (nil, .success):
            return [
                Finding(
                    .note, "The home's provider answers, and who listens at port \(port) cannot be seen.",
                    why: "It is another user's program, or in another container, or served on a socket alone.")
            ]
        case (let holder?, .failure):
            return [
                Finding(
                    .problem, "Port \(port) is held by \(holder), and the home's provider does not answer.",
                    why: "countersign-idp serve would stop with port-taken. No app of this home sends it anything.",
                    next: "Stop that program.")
            ]
        case (nil, .failure):
            return [
                Finding(
                    .note, "Port \(port) is free: nobody serves \(home.issuer).",
                    next: "Serve it: countersign-idp serve")
            ]
        }
    }
}

/// Asks a provider for its metadata, as the home's apps would.
enum ProviderCall {
    static func metadata(of issuer: String, _ patient: Doctor.Patient) async -> Result<HTTPResponse, any Error> {
        do {
            let configuration =
                issuer == patient.home.issuer
                ? try patient.home.clientConfiguration(variables: patient.variables) : CurlHTTPClient.Configuration()
            let client = try CurlHTTPClient(configuration)
            defer { client.stop() }
            let address = issuer + (issuer.hasSuffix("/") ? "" : "/") + ".well-known/openid-configuration"
            return .success(try await client.send(HTTPCall("GET", address, timeout: .seconds(5))))
        } catch {
            return .failure(error)
        }
    }
}
