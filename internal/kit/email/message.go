package email

import "time"

// Message is a letter the portal owes somebody. It is written in the transaction of its cause and sent after its commit.
type Message struct {
	To      string
	ReplyTo string // whom an answer goes to; "" for the sender
	Subject string // one line
	Text    string // plain; lines end in \n
	// PlayerID is whose account it is about: the letter goes with the account. "" for none.
	PlayerID string
	// Life is how long it is of use; after that it is not sent any more. 0 for two days.
	Life time.Duration
}
