package country

// ClosedPage is the page to which page requests from forbidden countries are redirected.
const ClosedPage = "/unauthorized-country"

// AlwaysServed returns the pages that are served in every country: legal pages, how to delete an account, and why
// nothing else is served. The calls are those with which players delete and keep accounts.
func AlwaysServed() []string {
	return []string{
		ClosedPage, "/privacy-policy", "/cookie-policy", "/terms-of-use", "/king-of-destiny/terms-and-conditions",
		"/king-of-destiny/support/deleteaccount", "/api/auth/delete-account", "/api/auth/delete-account/code",
		"/api/auth/delete-account/cancel", "/api/account/keep", "/healthz", "/readyz",
	}
}
