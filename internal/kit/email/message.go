package email

import "time"

// DefaultTTL is how long delivery of an email is attempted by default.
const DefaultTTL = 48 * time.Hour

// Message is an email to be sent. It is queued in the transaction of its cause and sent after the commit.
type Message struct {
	To      string
	ReplyTo string // "" for the sender
	Subject string // one line
	Text    string // plain; lines end in \n
	// PlayerID names the account that the email is about; the email is deleted with it. "" for none.
	PlayerID string
	// TTL is how long delivery of the email is attempted. 0 means DefaultTTL.
	TTL time.Duration
	// Notice is set if the message is a notice to its account's owner; see NewNotice.
	Notice *Notice
}
