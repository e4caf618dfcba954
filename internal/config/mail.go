package config

import (
	"net/mail"
	"net/netip"
	"regexp"
	"slices"

	"pantheon/internal/kit/email"
)

// Mail configures the SMTP server.
type Mail struct {
	// SMTP server that takes the portal's mail. Without one, passwords cannot be reset by mail; dev shows the mail under /dev/mail
	// instead.
	Host string `env:"SMTP_HOST"`
	// The server's port.
	Port int `env:"SMTP_PORT" envDefault:"587"`
	// How the connection is protected: starttls, tls (from the first byte, as on port 465) or none.
	Security string `env:"SMTP_SECURITY" envDefault:"starttls"`
	// Name to sign in with; empty for a server that asks for none.
	Username string `env:"SMTP_USERNAME"`
	// Password to sign in with.
	Password Secret `env:"SMTP_PASSWORD"`
	// Sender of the mail, such as Portal <portal@example.com>.
	From string `env:"SMTP_FROM"`
	// Address to which support requests are mailed; they are also stored (pantheon support list).
	Support string `env:"SUPPORT_EMAIL"`
}

// KeepMail records that mail is kept and shown on this machine, as pantheon dev does: then no SMTP server is needed.
func (c *Config) KeepMail() { c.mailKept = true }

// noMail reports whether players' addresses cannot be confirmed. PlayFab sends mail of its own.
func (c *Config) noMail() bool {
	return c.GamePlatform == PlatformLocal && c.Mail.Host == "" && !c.mailKept
}

func (m *Mail) check(f *faults) {
	f.check(m.Port >= 1 && m.Port <= 65535, "SMTP_PORT", "must be a port")
	f.check(slices.Contains([]string{"starttls", "tls", "none"}, m.Security), "SMTP_SECURITY", "must be starttls, tls or none")
	f.check(m.Support == "" || email.Fault(m.Support) == "", "SUPPORT_EMAIL", "must be an address such as help@example.com")
	if m.Host == "" {
		for name, value := range map[string]string{"SMTP_USERNAME": m.Username, "SMTP_PASSWORD": m.Password.Reveal(), "SMTP_FROM": m.From} {
			f.check(value == "", name, "must come with SMTP_HOST")
		}
		return
	}
	_, err := netip.ParseAddr(m.Host)
	f.check(err == nil || hostName.MatchString(m.Host), "SMTP_HOST", "must be the name or address of a server, without port")
	from, err := mail.ParseAddress(m.From)
	f.check(err == nil && email.Fault(from.Address) == "", "SMTP_FROM", "must be an address such as Portal <portal@example.com>")
	f.check((m.Username == "") == (m.Password == ""), "SMTP_PASSWORD", "must come with SMTP_USERNAME")
	unprotected := m.Username != "" && m.Password != "" && m.Security == "none" && !isLocal(m.Host)
	f.check(!unprotected, "SMTP_SECURITY", "must be starttls or tls where a password is sent to another machine")
}

var hostName = regexp.MustCompile(`^[0-9A-Za-z._-]{1,253}$`)
