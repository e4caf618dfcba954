package account

import (
	"pantheon/internal/kit/email"
	"pantheon/internal/kit/fault"
)

// Registration is what a new player submits.
type Registration struct {
	Email       string
	DisplayName string // 3 to 20 characters
	Password    string // 8 to 100 characters, and not easy to guess
}

// clean returns the registration trimmed and with the name in NFC, or an Invalid fault that lists every broken rule.
func (r Registration) clean(reserved Reserved) (Registration, error) {
	r.Email = email.Clean(r.Email)
	r.DisplayName = cleanName(r.DisplayName)
	var faults []fault.Field
	if m := email.NewFault(r.Email); m != "" {
		faults = append(faults, fault.Field{Location: "body.email", Message: m})
	}
	if m := reserved.Fault(r.DisplayName); m != "" {
		faults = append(faults, fault.Field{Location: "body.displayName", Message: m})
	}
	if m := PasswordFault(r.Password, reserved.known(r.DisplayName, r.Email)...); m != "" {
		faults = append(faults, fault.Field{Location: "body.password", Message: m})
	}
	if len(faults) > 0 {
		return r, fault.InvalidFields("Please check what you entered.", faults...)
	}
	return r, nil
}

// EmailFault returns what is wrong with an email address, or "".
func EmailFault(address string) string { return email.Fault(address) }

// EmailKey returns the form in which addresses are compared: addresses with the same key are one account.
func EmailKey(address string) string { return email.Key(address) }
