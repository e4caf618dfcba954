//go:build !crashpoints

package app

// crashable returns the part. In the build of the crash tests, with the tag crashpoints, the part has points at which the process
// kills itself.
func crashable[T any](part T) T { return part }
