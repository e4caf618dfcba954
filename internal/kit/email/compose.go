package email

import (
	"net/url"
	"strings"
	"time"
	"unicode"
)

// Compose returns a message of the site in plain text, without recipient. ttl is as in Message.
func Compose(site, subject string, ttl time.Duration, lines ...string) Message {
	lines = append([]string{"Hello,", ""}, lines...)
	lines = append(lines, "", "-- ", Host(site), "")
	return Message{Subject: subject, Text: strings.Join(lines, "\n"), TTL: ttl}
}

// OneLine replaces line breaks and other control characters by spaces, so that a name that somebody else has chosen adds no
// lines to an email.
func OneLine(text string) string {
	return strings.Map(func(c rune) rune {
		if !unicode.IsGraphic(c) {
			return ' '
		}
		return c
	}, text)
}

// Host returns the host of the site's URL, as emails name the site.
func Host(site string) string {
	if u, err := url.Parse(site); err == nil && u.Host != "" {
		return u.Host
	}
	return site
}
