package approval

import (
	"fmt"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/emailcode"
)

// words are what an email calls a kind.
type words struct {
	subject string
	// confirms completes the sentence "This code confirms that you want to …".
	confirms string
	// check is what to look at before entering the code; "" for nothing.
	check string
}

var wordsOf = map[Kind]words{
	Trade: {"Your code for a trade", "trade", "Check the price before you enter it."},
	Withdrawal: {
		"Your code for sending from your wallet", "send from your wallet",
		"Check the address before you enter it: what is sent cannot be called back.",
	},
	ConnectWallet: {
		"Your code for connecting a wallet", "connect a wallet of your own",
		"Check the address before you enter it: whoever has this wallet can receive what you have.",
	},
	DisconnectWallet: {"Your code for disconnecting your wallet", "disconnect your own wallet", ""},
	ChangeEmail: {
		"Your code for another email address", "change your email address",
		"Check the address before you enter it: it can get a new password for your account.",
	},
	AddPasskey: {
		"Your code for adding a passkey", "add a passkey to your account",
		"Whoever has the passkey can sign in and approve what leaves your wallet.",
	},
	RemovePasskey: {"Your code for removing a passkey", "remove a passkey from your account", ""},
	Deletion:      {"Your code for deleting your account", "delete your account for good, together with the key of its wallet", ""},
}

// codeEmail returns the email with a code and what it approves, without recipient.
func codeEmail(site, code string, a Act) email.Message {
	w := wordsOf[a.Kind]
	lines := []string{fmt.Sprintf("This code confirms that you want to %s at %s:", w.confirms, email.Host(site)), ""}
	for _, l := range a.Lines {
		lines = append(lines, "    "+l)
	}
	if len(a.Lines) > 0 {
		lines = append(lines, "")
	}
	good := "It is good for " + emailcode.Lifetime() + "."
	if w.check != "" {
		good += " " + w.check
	}
	return email.NewNotice(site, w.subject, emailcode.TTL, "approval", 0, append(lines,
		"    "+code,
		"",
		good,
		"If you did not ask for it, somebody else is signed in to your account: tell the code to nobody.")...)
}
