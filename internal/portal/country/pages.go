package country

// ClosedPage is the page to which page requests from forbidden countries are redirected.
const ClosedPage = "/unauthorized-country"

// AlwaysServed returns the pages that are served in every country: legal pages, how to delete an account, and why
// nothing else is served. The call is the one with which a signed-in player deletes the account.
func AlwaysServed() []string {
	return []string{
		ClosedPage, "/privacy-policy", "/cookie-policy", "/terms-of-use", "/king-of-destiny/terms-and-conditions",
		"/king-of-destiny/support/deleteaccount", "/api/auth/delete-account", "/api/auth/delete-account/code", "/healthz", "/readyz",
	}
}
