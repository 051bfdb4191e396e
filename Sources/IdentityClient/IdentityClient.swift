// IdentityClient owns the SDK that an app embeds: accounts, login-flow selection and
// `handleIdentityProviderCommand`. It never imports the provider: they meet over HTTP only.
