package email

import "time"

// Message is an email to be sent. It is written in the transaction of its cause and sent after that is committed.
type Message struct {
	To      string
	ReplyTo string // "" for the sender
	Subject string // one line
	Text    string // plain; lines end in \n
	// PlayerID names the account that the email is about; the email is deleted with it. "" for none.
	PlayerID string
	// TTL is how long the email is worth sending. 0 for two days.
	TTL time.Duration
}
