package app

import (
	"pantheon/internal/config"
	"pantheon/internal/mail"
	"pantheon/internal/store"
)

// buildMail builds the mail service if an SMTP server is configured. It reports true if no email can be delivered.
func (a *App) buildMail(o Options) (none bool, err error) {
	if a.config.Mail.Host == "" {
		if !o.Mailbox {
			a.log.Warn("no mail: " + missingMail)
		}
		return !o.Mailbox, nil
	}
	sender, err := newSMTP(a.config.Mail)
	if err != nil {
		return false, err
	}
	a.mail = mail.New(store.Mail{DB: a.db}, sender, a.clock)
	return false, nil
}

// missingMail lists what does not work without email.
const missingMail = "SMTP_HOST is not set; forgotten passwords, codes that confirm an address or delete an account, notices and support " +
	"requests are not mailed"

func newSMTP(c config.Mail) (*mail.SMTP, error) {
	return mail.NewSMTP(mail.SMTPOptions{
		Host: c.Host, Port: c.Port, Username: c.Username, Password: c.Password.Reveal(), Security: c.Security, From: c.From,
	})
}
