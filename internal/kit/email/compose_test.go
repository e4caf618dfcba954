package email_test

import (
	"testing"
	"time"

	"pantheon/internal/kit/email"
)

func TestCompose_GreetsAndNamesTheSite(t *testing.T) {
	t.Parallel()
	m := email.Compose("https://play.example:8443", "A subject", time.Hour, "One line.", "", "Another.")
	if m.Subject != "A subject" || m.TTL != time.Hour || m.Text != "Hello,\n\nOne line.\n\nAnother.\n\n-- \nplay.example:8443\n" {
		t.Errorf("%+v", m)
	}
}
