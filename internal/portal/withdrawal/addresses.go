package withdrawal

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
)

const (
	maxLabel = 40 // characters
	maxSaved = 50
)

// ErrBookFull means that a player's address book has no room.
var ErrBookFull = fault.New(fault.Conflict, "You can save %d addresses. Please remove one first.", maxSaved).WithReason("full")

// SavedAddress is an entry of a player's address book. It makes an address easier to choose and nothing easier to send.
type SavedAddress struct {
	Address eth.Address
	Label   string
}

// Addresses stores the players' address books.
type Addresses interface {
	// SavedAddresses returns the player's address book, by label.
	SavedAddresses(ctx context.Context, playerID string) ([]SavedAddress, error)
	// SaveAddress adds an address or renames it. It returns ErrBookFull if the book has maxSaved others.
	SaveAddress(ctx context.Context, playerID string, s SavedAddress, maxSaved int) error
	// ForgetAddress removes an address. One that is not there is not an error.
	ForgetAddress(ctx context.Context, playerID string, a eth.Address) error
}

// AddressBook returns the player's saved addresses, by label.
func (s *Service) AddressBook(ctx context.Context, playerID string) ([]SavedAddress, error) {
	return s.o.Store.SavedAddresses(ctx, playerID)
}

// SaveAddress saves an address under a label of 1 to 40 visible characters, or renames it. It returns fault.Invalid with the
// field, fault.Invalid with ReasonRecipient for an address that nothing can be sent to, and fault.Conflict if the address
// book is full.
func (s *Service) SaveAddress(ctx context.Context, playerID, address, label string) error {
	p, err := s.o.Store.Player(ctx, playerID)
	if err != nil {
		return err
	}
	to, err := s.recipient(p, address)
	if err != nil {
		return err
	}
	label = strings.Join(strings.Fields(label), " ")
	message := ""
	if n := utf8.RuneCountInString(label); n < 1 || n > maxLabel {
		message = "A name has 1 to 40 characters."
	} else if !isShown(label) {
		message = "This name has characters that cannot be shown."
	}
	if message != "" {
		return fault.InvalidFields(message, fault.Field{Location: "body.label", Message: message})
	}
	return s.o.Store.SaveAddress(ctx, playerID, SavedAddress{to, label}, maxSaved)
}

// isShown reports whether a label can be read as it is written: it must not change the direction of the address beside it,
// nor be invisible. Joiners are parts of emoji.
func isShown(label string) bool {
	const zwnj, zwj = '\u200c', '\u200d'
	visible := false
	for _, r := range label {
		switch {
		case r == utf8.RuneError, unicode.IsControl(r), unicode.Is(unicode.Cf, r) && r != zwnj && r != zwj:
			return false
		case unicode.IsOneOf([]*unicode.RangeTable{unicode.L, unicode.N, unicode.P, unicode.S}, r):
			visible = true
		}
	}
	return visible
}

// ForgetAddress removes an address from the player's address book.
func (s *Service) ForgetAddress(ctx context.Context, playerID, address string) error {
	a, err := eth.ParseAddress(address)
	if err != nil {
		return fault.InvalidFields("Invalid address", fault.Field{Location: "path.address", Message: err.Error()})
	}
	return s.o.Store.ForgetAddress(ctx, playerID, a)
}
