package app

import (
	"cmp"
	"errors"

	"pantheon/internal/config"
	"pantheon/internal/kit/email"
	"pantheon/internal/mail"
	"pantheon/internal/portal/cart"
	"pantheon/internal/site"
	"pantheon/internal/store"
)

// mails says whether emails can be delivered.
type mails struct {
	brand   mail.Brand
	none    bool
	support string // the address of support; "" for none, or if nothing can be delivered
}

// newMails sends emails if an SMTP server is configured; with a mailbox they are shown there.
func newMails(b *base, mailbox bool) (mails, error) {
	c := b.config.Mail
	brand, err := brandOf(b)
	out := mails{brand: brand, support: c.Support}
	if err != nil {
		return out, err
	}
	switch {
	case c.Host != "":
		sender, err := newSMTP(c, brand)
		if err != nil {
			return out, err
		}
		b.lead("mail", mail.New(store.Mail{DB: b.db}, sender, b.clock).Run)
	case !mailbox:
		b.log.Warn("no mail: " + missingMail)
		if cart.Need(b.config.HoldsNeed) == cart.NeedEmail {
			return out, errors.New("HOLDS_NEED: email needs SMTP_HOST, without which no address can be confirmed")
		}
		out.none, out.support = true, ""
	}
	return out, nil
}

// missingMail lists what does not work without email.
const missingMail = "SMTP_HOST is not set; forgotten passwords, codes that confirm an address or delete an account, notices and support " +
	"requests are not mailed"

// brandOf returns the brand of the web build, for emails.
func brandOf(b *base) (mail.Brand, error) {
	c := b.config
	m, err := site.ReadManifest(b.build)
	return mail.Brand{
		Name: cmp.Or(m.Name, email.Host(c.PublicURL)), Site: c.PublicURL, Icon: c.PublicURL + "/icon-192.png", Color: m.ThemeColor,
		Support: b.pages.Support, Deletion: b.pages.DeleteAccount,
	}, err
}

func newSMTP(c config.Mail, brand mail.Brand) (*mail.SMTP, error) {
	return mail.NewSMTP(mail.SMTPOptions{
		Brand: brand,
		Host:  c.Host, Port: c.Port, Username: c.Username, Password: c.Password.Reveal(), Security: c.Security, From: c.From,
	})
}
