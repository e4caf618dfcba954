package account

import (
	"fmt"
	"net/url"
	"time"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/emailcode"
	"pantheon/internal/kit/humanize"
)

// RecoveryEmail returns the email with the password reset link.
func RecoveryEmail(site, token string) email.Message {
	return email.Compose(site, "Choose a new password", LinkTTL,
		fmt.Sprintf("Somebody asked for a new password for your account at %s.", email.Host(site)),
		"If it was you, choose it here:",
		"",
		site+"/new-password?token="+url.QueryEscape(token),
		"",
		"The link works once, within "+humanize.Duration(LinkTTL)+". If it was not you, leave it: your password stays as it is.")
}

func passwordChangedEmail(site string) email.Message {
	return email.NewNotice(site, "Your password was changed", 0, "password", email.MostNotices,
		fmt.Sprintf("The password of your account at %s was changed just now, and you were signed out elsewhere.", email.Host(site)))
}

// newBrowserEmail returns the email about a sign-in. browser is a result of Browser.
func newBrowserEmail(site, browser string, at time.Time) email.Message {
	if browser == "" {
		browser = "an unknown browser"
	}
	return email.NewNotice(site, "Somebody signed in from another browser", 0, "sign-in", email.MostNotices,
		fmt.Sprintf("Somebody signed in to your account at %s from a browser that was never used there before:", email.Host(site)),
		"",
		fmt.Sprintf("    %s, %s", browser, at.UTC().Format("2 January 2006, 15:04 UTC")),
		"",
		"If it was you, all is well.")
}

func sessionsEndedEmail(site string) email.Message {
	return email.NewNotice(site, "You were signed out elsewhere", 0, "sessions", email.MostNotices,
		fmt.Sprintf("All other browsers were signed out of your account at %s just now, from one that is still signed in.", email.Host(site)))
}

const emailChangedSubject = "The email of your account was changed"

// emailChangedEmail returns the email to an address that proved who the player is, and was replaced.
func emailChangedEmail(site string) email.Message {
	return email.NewNotice(site, emailChangedSubject, 0, "email", email.MostNotices,
		fmt.Sprintf("The email address of your account at %s was changed just now.", email.Host(site)),
		"The new one is used for signing in, and our emails go there.")
}

// emailReplacedEmail returns the email to any other address that was replaced. It may be a stranger's: it has no link.
func emailReplacedEmail(site string) email.Message {
	return email.Compose(site, emailChangedSubject, 0,
		fmt.Sprintf("This address was replaced by another one in an account at %s just now.", email.Host(site)),
		"The new one is used for signing in, and our emails go there.",
		"",
		"If the account is yours and this was not you: if you sign in with X, do so now and change the address again in your settings.",
		"Else write to our support.")
}

// emailIsYoursEmail returns the email to an account's new address.
func emailIsYoursEmail(site string) email.Message {
	return email.Compose(site, emailChangedSubject, 0,
		fmt.Sprintf("This is the email address of your account at %s now.", email.Host(site)),
		"It is used for signing in, and our emails come here.")
}

// RecoveryTooEarlyEmail returns the email that is sent instead of RecoveryEmail while an address is too new.
func RecoveryTooEarlyEmail(site string, from time.Time) email.Message {
	return email.Compose(site, "A new password has to wait", LinkTTL,
		fmt.Sprintf("Somebody asked for a new password for your account at %s.", email.Host(site)),
		"This address is new in the account, which is also signed in to with X. Until it has been there for a while, no password",
		"can be chosen by it: if it was not the owner who added it, the owner can sign in with X and replace it.",
		"",
		fmt.Sprintf("Please ask again after %s, or sign in with X.", from.UTC().Format("2 January 2006, 15:04 UTC")))
}

// selfFrozenEmail returns the email about a freeze by the owner. support is the path of the page of support, bySupport
// Options.ThawBySupport.
func selfFrozenEmail(site, support string, bySupport bool) email.Message {
	lines := []string{
		fmt.Sprintf("You have frozen your account at %s by the link in our email.", email.Host(site)),
		"Everybody is signed out, all passkeys are removed, and what waited to leave your wallet is cancelled.",
	}
	if bySupport {
		lines = append(lines, "To use the account again, first choose a new password with this email address, then write to our support:",
			"", site+"/forgot-password", site+support)
	} else {
		lines = append(lines, "To use the account again, choose a new password with this email address:", "", site+"/forgot-password")
	}
	return email.Compose(site, "Your account is frozen", 0, lines...)
}

func emailRestoredEmail(site string) email.Message {
	return email.Compose(site, "Your email was removed from an account", 0,
		fmt.Sprintf("This address no longer belongs to an account at %s.", email.Host(site)),
		"The owner of the previous address has frozen the account and taken it back.",
		"",
		"If this is a mistake, please write to our support.")
}

func deletionRequestedEmail(site, page, token string, due time.Time, list []string) email.Message {
	lines := []string{fmt.Sprintf("You have asked to delete your account at %s, and you give up what is in it:", email.Host(site)), ""}
	for _, l := range list {
		lines = append(lines, "    "+l)
	}
	return email.NewNotice(site, "Your account will be deleted", 0, "deletion", 0, append(lines,
		"",
		fmt.Sprintf("It is deleted on %s, together with the key of its wallet. Until then you can sign in and take out what you want.",
			due.UTC().Format("2 January 2006, 15:04 UTC")),
		"If it was not you, or you have changed your mind, keep it here:",
		"",
		site+page+"?token="+url.QueryEscape(token))...)
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
