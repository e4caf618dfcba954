package passkey

import (
	"fmt"

	"pantheon/internal/kit/email"
)

func addedEmail(site, name string) email.Message {
	return email.NewNotice(site, "A passkey was added to your account", 0, "passkey", email.MostNotices,
		fmt.Sprintf("A passkey was added to your account at %s just now:", email.Host(site)),
		"",
		"    "+email.OneLine(name),
		"",
		"Whoever has it can sign in to your account, and after a while also confirm what leaves it.")
}

func removedEmail(site, name string) email.Message {
	return email.NewNotice(site, "A passkey was removed from your account", 0, "passkey", email.MostNotices,
		fmt.Sprintf("A passkey was removed from your account at %s just now:", email.Host(site)),
		"",
		"    "+email.OneLine(name),
		"",
		"It no longer signs you in and approves nothing.")
}
