package account

import (
	"strings"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/fault"
)

// Registration is what a new player tells.
type Registration struct {
	Email       string
	DisplayName string // 3 to 20 characters
	Password    string // 6 to 100 characters, and none of those that are guessed first
}

// clean returns the registration with surrounding blanks gone and the name in NFC, or an Invalid fault that lists every broken rule.
func (r Registration) clean() (Registration, error) {
	r.Email = strings.TrimSpace(r.Email)
	r.DisplayName = cleanName(r.DisplayName)
	var faults []fault.Field
	if m := EmailFault(r.Email); m != "" {
		faults = append(faults, fault.Field{Location: "body.email", Message: m})
	}
	if m := NameFault(r.DisplayName); m != "" {
		faults = append(faults, fault.Field{Location: "body.displayName", Message: m})
	}
	if m := PasswordFault(r.Password); m != "" {
		faults = append(faults, fault.Field{Location: "body.password", Message: m})
	}
	if len(faults) > 0 {
		return r, fault.InvalidFields("Please check what you entered.", faults...)
	}
	return r, nil
}

// EmailFault says what is wrong with an e-mail address, or "".
func EmailFault(address string) string { return email.Fault(address) }

// EmailKey is the form in which addresses are compared: two spellings of one key are one account.
func EmailKey(address string) string { return email.Key(address) }
