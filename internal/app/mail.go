package app

import (
	"pantheon/internal/config"
	"pantheon/internal/mail"
)

// buildMail makes what sends letters, where an SMTP server is configured.
func (a *App) buildMail(o Options) error {
	if a.config.Mail.Host == "" {
		if !o.Mailbox {
			a.log.Warn("no mail: " + missingMail)
		}
		return nil
	}
	sender, err := newSMTP(a.config.Mail)
	if err != nil {
		return err
	}
	a.mail = mail.New(a.db, sender, a.clock)
	return nil
}

// missingMail is what an operator misses without mail.
const missingMail = "SMTP_HOST is not set; forgotten passwords, codes for deleting an account, notices and letters to the support are not mailed"

// supportAddress is where letters to the support are mailed to; "" for nowhere.
func (a *App) supportAddress(o Options) string {
	if a.mail == nil && !o.Mailbox {
		return ""
	}
	return a.config.Mail.Support
}

func newSMTP(c config.Mail) (*mail.SMTP, error) {
	return mail.NewSMTP(mail.SMTPOptions{
		Host: c.Host, Port: c.Port, Username: c.Username, Password: c.Password.Reveal(), Security: c.Security, From: c.From,
	})
}
