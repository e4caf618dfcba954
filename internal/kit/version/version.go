// Package version says what the running program was built from.
package version

import (
	"cmp"
	"runtime"
	"runtime/debug"
)

// Set by the build, with -ldflags "-X pantheon/internal/kit/version.tag=…": the name of a release, and its commit where the sources are
// no git checkout.
var tag, commit string

// Info is what a program was built from.
type Info struct {
	Version  string `json:"version"`           // of a release, or "dev"
	Commit   string `json:"commit,omitzero"`   // of git, in full; "" if unknown
	Modified bool   `json:"modified,omitzero"` // whether files were changed since the commit
	Go       string `json:"go"`
}

// Get returns what this program was built from.
func Get() Info {
	v := Info{Version: cmp.Or(tag, "dev"), Commit: commit, Go: runtime.Version()}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	for _, s := range build.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = cmp.Or(v.Commit, s.Value)
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

// String returns the version and the beginning of the commit, such as "0.1.0 (1a2b3c4d)".
func (v Info) String() string {
	if v.Commit == "" {
		return v.Version
	}
	out := v.Version + " (" + v.Commit[:min(8, len(v.Commit))]
	if v.Modified {
		out += ", modified"
	}
	return out + ")"
}
