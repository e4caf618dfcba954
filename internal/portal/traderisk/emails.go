package traderisk

import (
	"context"
	"fmt"

	"pantheon/internal/kit/email"
)

// notice returns the email about an approved operation; nil if its player has no address. The same operation may be signed
// several times: it is mailed once.
func (s *Service) notice(ctx context.Context, op Operation, a Assessment) (*email.Message, error) {
	address, err := s.o.Accounts.Address(ctx, op.Player)
	if address == "" || err != nil {
		return nil, err
	}
	lines := []string{
		fmt.Sprintf("This unusual trade was approved with a code from our email at %s, and is carried out now:", email.Host(s.o.Site)), "",
	}
	for _, l := range s.Lines(a) {
		lines = append(lines, "    "+email.OneLine(l))
	}
	m := email.NewNotice(s.o.Site, "You have approved an unusual trade", 0, "trade "+op.use(s.o.Limits.Chain), 1, lines...)
	m.To, m.PlayerID = address, op.Player
	return &m, nil
}
