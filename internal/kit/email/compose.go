package email

import (
	"net/url"
	"strings"
	"time"
)

// Compose returns a message of the site in plain text, without recipient. ttl is as in Message.
func Compose(site, subject string, ttl time.Duration, lines ...string) Message {
	lines = append([]string{"Hello,", ""}, lines...)
	lines = append(lines, "", "-- ", Host(site), "")
	return Message{Subject: subject, Text: strings.Join(lines, "\n"), TTL: ttl}
}

// Host returns the host of the site's URL, as emails name the site.
func Host(site string) string {
	if u, err := url.Parse(site); err == nil && u.Host != "" {
		return u.Host
	}
	return site
}
