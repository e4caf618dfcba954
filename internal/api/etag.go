package api

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// entityTag returns the strong entity tag of a body (RFC 9110, section 8.8.3).
func entityTag(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
}

// noneMatches reports whether an If-None-Match header contains the entity tag, compared weakly (RFC 9110, section
// 13.1.2).
func noneMatches(header, etag string) bool {
	for tag := range strings.SplitSeq(header, ",") {
		if tag = strings.TrimSpace(tag); tag == "*" || strings.TrimPrefix(tag, "W/") == strings.TrimPrefix(etag, "W/") {
			return true
		}
	}
	return false
}
