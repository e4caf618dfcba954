package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	xhtml "golang.org/x/net/html"
)

// policy is the part of the Content-Security-Policy (CSP Level 3) that is the same for all pages.
type policy struct {
	connect, images []string
}

// newPolicy checks that every extra source is an origin and nothing else, so that an option can't widen the policy
// further.
func newPolicy(connect, images []string) (policy, error) {
	check := func(option string, origins []string, schemes ...string) error {
		for _, origin := range origins {
			u, err := url.Parse(origin)
			if err != nil || !slices.Contains(schemes, u.Scheme) || u.Host == "" || strings.ContainsAny(u.Host, "*;, ") ||
				u.Scheme+"://"+u.Host != origin {
				return fmt.Errorf("site: %s: %q is no origin; write it as %s://host", option, origin, schemes[0])
			}
		}
		return nil
	}
	if err := check("ConnectOrigins", connect, "wss", "ws", "https", "http"); err != nil {
		return policy{}, err
	}
	if err := check("ImageOrigins", images, "https", "http"); err != nil {
		return policy{}, err
	}
	return policy{connect: connect, images: images}, nil
}

// forPage returns the policy of one page: the build's own files plus the page's inline scripts and styles, by hash.
// A style or event-handler attribute would be ignored by the browser under this policy, so the build must not have any.
func (p policy) forPage(page []byte) (string, error) {
	scripts, styles := []string{"'self'"}, []string{"'self'"}
	z := xhtml.NewTokenizer(bytes.NewReader(page))
	for {
		switch z.Next() {
		case xhtml.ErrorToken:
			if !errors.Is(z.Err(), io.EOF) {
				return "", z.Err()
			}
			return strings.Join([]string{
				"default-src 'none'",
				"script-src " + strings.Join(scripts, " "),
				"style-src " + strings.Join(styles, " "),
				"img-src " + strings.Join(append([]string{"'self'", "data:"}, p.images...), " "),
				"font-src 'self'",
				"media-src 'self'",
				"manifest-src 'self'",
				"connect-src " + strings.Join(append([]string{"'self'"}, p.connect...), " "),
				"base-uri 'none'",
				"form-action 'self'",
				"frame-ancestors 'none'",
			}, "; "), nil
		case xhtml.StartTagToken, xhtml.SelfClosingTagToken:
			token := z.Token()
			notRun := false // a file, or data
			for _, attr := range token.Attr {
				if attr.Key == "style" || strings.HasPrefix(attr.Key, "on") {
					return "", fmt.Errorf("<%s> has an inline %s attribute, which the content security policy forbids", token.Data, attr.Key)
				}
				notRun = notRun || token.Data == "script" && (attr.Key == "src" || attr.Key == "type" && attr.Val == "application/json")
			}
			if token.Type != xhtml.StartTagToken || notRun || token.Data != "script" && token.Data != "style" {
				continue
			}
			if z.Next() != xhtml.TextToken {
				continue // empty
			}
			sum := sha256.Sum256(z.Raw())
			hash := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
			list := &scripts
			if token.Data == "style" {
				list = &styles
			}
			if !slices.Contains(*list, hash) {
				*list = append(*list, hash)
			}
		}
	}
}
