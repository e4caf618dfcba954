package email

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"time"
)

const (
	// NoticeTTL is how long the link of a notice works.
	NoticeTTL = 30 * 24 * time.Hour
	// NoticeWindow is the period of Notice.Most.
	NoticeWindow = time.Hour
	// MostNotices is how many notices of a kind an address gets in NoticeWindow. Several, so that what the owner has
	// done a moment ago does not hide what a thief does now.
	MostNotices = 5
)

// Notice makes a message a notice: its link lets the owner of the account that it is about say "This was not me". The
// message names the account by its PlayerID.
type Notice struct {
	Kind string
	// Most is how many notices of the kind the address gets in NoticeWindow; further ones are not sent. 0 for no limit.
	Most int
	// TokenHash is what is stored of the link's token; see HashToken.
	TokenHash string
}

// NewNotice returns a message like Compose that ends with the link "This was not me". Each recipient needs one of its own.
func NewNotice(site, subject string, ttl time.Duration, kind string, most int, lines ...string) Message {
	token := rand.Text()
	m := Compose(site, subject, ttl, append(lines,
		"",
		"This was not me:",
		"",
		site+"/portal/not-me?token="+url.QueryEscape(token),
		"",
		"One press there signs everybody out, cancels what waits to leave your wallet,",
		"and freezes the account. Another email then says how to use it again.")...)
	m.Notice = &Notice{Kind: kind, Most: most, TokenHash: HashToken(token)}
	return m
}

// HashToken returns the hash under which a token is stored. A token has at least 128 random bits, so that a plain hash
// cannot be reversed.
func HashToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
