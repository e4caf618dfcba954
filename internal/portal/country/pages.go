package country

import "slices"

// ClosedPage is the page to which page requests from forbidden countries are redirected.
const ClosedPage = "/unauthorized-country"

// Serves reports whether a path is served in every country: the brand's legal pages, how to delete an account, and why nothing else is
// served. The calls are those with which players delete and keep accounts.
func (s *Service) Serves(path string) bool {
	return slices.Contains(s.served, path) || slices.Contains([]string{
		ClosedPage, "/api/auth/delete-account", "/api/auth/delete-account/code", "/api/auth/delete-account/cancel", "/api/account/keep",
		"/healthz", "/readyz",
	}, path)
}
