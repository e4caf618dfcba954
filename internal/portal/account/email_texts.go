package account

import (
	"fmt"
	"net/url"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/emailcode"
	"pantheon/internal/kit/words"
)

// RecoveryEmail returns the email with the password reset link.
func RecoveryEmail(site, token string) email.Message {
	return email.Compose(site, "Choose a new password", LinkTTL,
		fmt.Sprintf("Somebody asked for a new password for your account at %s.", email.Host(site)),
		"If it was you, choose it here:",
		"",
		site+"/new-password?token="+url.QueryEscape(token),
		"",
		"The link works once, within "+words.Duration(LinkTTL)+". If it was not you, leave it: your password stays as it is.")
}

func passwordChangedEmail(site string) email.Message {
	return email.Compose(site, "Your password was changed", 0,
		fmt.Sprintf("The password of your account at %s was changed just now, and you were signed out elsewhere.", email.Host(site)),
		"",
		"If it was you, all is well. If not, choose a new password at once:",
		"",
		site+"/forgot-password")
}

func deletionCodeEmail(site, code string) email.Message {
	return email.Compose(site, "Your code for deleting your account", emailcode.TTL,
		fmt.Sprintf("This code deletes your account at %s for good, together with the key of its wallet:", email.Host(site)),
		"",
		"    "+code,
		"",
		"It is good for "+emailcode.Lifetime()+".",
		"If you did not ask for it, somebody else is signed in to your account: tell the code to nobody, and change your password.")
}

func accountDeletedEmail(site string) email.Message {
	return email.Compose(site, "Your account is deleted", 0,
		fmt.Sprintf("Your account at %s is deleted, as you asked. Your name and your email are free again.", email.Host(site)),
		"",
		"Thank you for having been with us.")
}

func confirmationEmail(site, code string) email.Message {
	return email.Compose(site, "Your code to confirm your email", emailcode.TTL,
		fmt.Sprintf("This code confirms that this is the email address of your account at %s:", email.Host(site)),
		"",
		"    "+code,
		"",
		"Enter it in your settings:",
		"",
		site+"/portal/edit",
		"",
		"It is good for "+emailcode.Lifetime()+".",
		"If you have no account there, somebody typed your address by mistake. You need not do anything; tell the code to nobody.")
}

// addressTakenEmail returns the email to the owner of an address that another player tried to add.
func addressTakenEmail(site string) email.Message {
	return email.Compose(site, "Your email has an account already", emailcode.TTL,
		fmt.Sprintf("Somebody with another account at %s asked to use your email address there.", email.Host(site)),
		"It belongs to your account, so nothing has changed.",
		"",
		"If it was you, sign in to the account that has this address:",
		"",
		site+"/login",
		"",
		"If you do not know its password, choose a new one:",
		"",
		site+"/forgot-password",
		"",
		"If it was not you, you need not do anything.")
}
