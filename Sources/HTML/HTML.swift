// HTML owns escaped markup, the page frame with its security headers, and the few components that pages are made of.
// It knows no page of the product, and no page has a script.
