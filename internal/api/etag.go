package api

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// entityTag is the strong entity tag of an answer's body (RFC 9110, section 8.8.3).
func entityTag(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
}

// noneMatches reports whether one of the entity tags of an If-None-Match header is the given one, compared weakly
// (RFC 9110, section 13.1.2).
func noneMatches(header, etag string) bool {
	for tag := range strings.SplitSeq(header, ",") {
		if tag = strings.TrimSpace(tag); tag == "*" || strings.TrimPrefix(tag, "W/") == strings.TrimPrefix(etag, "W/") {
			return true
		}
	}
	return false
}
