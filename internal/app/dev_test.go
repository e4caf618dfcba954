package app

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"pantheon/internal/config"
)

// A development server asks for no confirmed address unless it is told to, and then needs no mail server for it.
func TestSponsorNeeds_NothingInDevelopment(t *testing.T) {
	t.Parallel()
	for set, want := range map[string]string{"": "none", "none": "none", "email": "email"} {
		c, err := config.Load([]string{"DATA_DIR=" + filepath.Join(t.TempDir(), "data"), "LOG_LEVEL=loud", "SPONSOR_NEEDS=" + set})
		if err != nil {
			t.Fatal(err)
		}
		// The log level is wrong: the configuration is completed and refused, and nothing is started.
		if _, err = StartDevelopment(t.Context(), &c, &Options{}, io.Discard); err == nil || strings.Contains(err.Error(), "SPONSOR_NEEDS") {
			t.Errorf("%q: %v", set, err)
		}
		if c.Relay.SponsorNeeds != want {
			t.Errorf("%q stands for %q, want %q", set, c.Relay.SponsorNeeds, want)
		}
	}
}
