package notification

import (
	"fmt"

	"pantheon/internal/kit/email"
)

// maxLines is the number of notifications an email lists one by one.
const maxLines = 20

// compose returns the email about unread notifications, without its recipient.
func (s *Service) compose(unread []Notification) email.Message {
	alerts, searches := 0, map[string]bool{}
	for _, n := range unread {
		if n.Kind == Alert {
			alerts++
			searches[n.SearchID] = true
		}
	}
	subject, intro := fmt.Sprintf("%d notifications about your listings", len(unread)), "This happened to your listings at %s:"
	switch {
	case alerts == len(unread):
		subject, intro = fmt.Sprintf("New matches of %d saved searches", len(searches)), "This is new for your saved searches at %s:"
	case alerts > 0:
		subject, intro = fmt.Sprintf("%d notifications", len(unread)), "This happened at %s:"
	}
	if len(unread) == 1 {
		subject = s.line(unread[0])
	}
	lines := []string{fmt.Sprintf(intro, email.Host(s.o.Site)), ""}
	for i, n := range unread {
		if i == maxLines {
			lines = append(lines, fmt.Sprintf("    and %d more", len(unread)-maxLines))
			break
		}
		lines = append(lines, "    "+s.line(n))
	}
	return email.Compose(s.o.Site, subject, 0, append(lines,
		"",
		"See them here:",
		"",
		s.o.Site+"/portal/notifications",
		"",
		"You can turn these emails off there.")...)
}

// line says in one line what happened.
func (s *Service) line(n Notification) string {
	name := n.Name
	if n.Kind == Alert {
		search := n.Search
		if search == "" { // deleted since
			search = "A saved search"
		}
		price := n.Amount.Decimal(s.o.Decimals) + " " + s.o.Symbol
		if n.Quantity == 1 {
			return fmt.Sprintf("%s: %s for %s.", search, name, price)
		}
		return fmt.Sprintf("%s: %d new listings, from %s.", search, n.Quantity, price)
	}
	if n.Quantity > 1 {
		name = fmt.Sprintf("%d × %s", n.Quantity, n.Name)
	}
	switch n.Kind {
	case Sold:
		if n.Amount.IsZero() { // in an unknown currency
			return fmt.Sprintf("Sold: %s.", name)
		}
		return fmt.Sprintf("Sold: %s. You received %s %s.", name, n.Amount.Decimal(s.o.Decimals), s.o.Symbol)
	case Expired:
		return fmt.Sprintf("Not sold in time: %s. Your listing has ended.", name)
	case Stopped:
		return fmt.Sprintf("No longer for sale: %s. It has left your wallet, or the marketplace may not take it.", name)
	default:
		return fmt.Sprintf("Back in your wallet: %s. Confirm its price to sell it again.", name)
	}
}
