package realtime

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// AccessTokenTTL is how long an access URL can open a connection. An open connection outlives it.
const AccessTokenTTL = time.Hour

// The roles a token can carry. Without a group name after a further dot they apply to every group.
const (
	RoleJoinLeaveGroup = "webpubsub.joinLeaveGroup"
	RoleSendToGroup    = "webpubsub.sendToGroup"
)

// claims are those of an access token: the vendor's, and two of our own: the server session, and the time of issue in
// milliseconds, because revocations are compared with it to that precision.
type claims struct {
	jwt.RegisteredClaims
	Role         []string `json:"role,omitempty"`
	SessionID    string   `json:"sid,omitempty"`
	IssuedMillis int64    `json:"iat_ms,omitempty"`
}

// maxID is the length of the longest user or session id, in bytes.
const maxID = 256

// accessURL returns the URL of a hub with a new token of a user, which carries further claims. base is the
// server's address for the client, audience the server's own address, both http or https.
func accessURL(base, audience, hub string, signJWT signer, userID string, more jwt.MapClaims, now time.Time) (string, error) {
	if userID == "" || len(userID) > maxID {
		return "", fmt.Errorf("realtime: user id must have 1 to %d bytes", maxID)
	}
	u, err := parseBase(base)
	if err != nil {
		return "", err
	}
	u.Scheme = "ws" + strings.TrimPrefix(u.Scheme, "http")
	u = u.JoinPath("client", "hubs", hub)
	c := maps.Clone(more)
	c["sub"] = userID
	token, err := sign(clientAudience(audience, hub), signJWT, c, now, AccessTokenTTL)
	if err != nil {
		return "", err
	}
	u.RawQuery = url.Values{"access_token": {token}}.Encode()
	return u.String(), nil
}

// signer signs a token's claims (HS256).
type signer func(jwt.Claims) (string, error)

// sign creates a token as the vendor's libraries do, with its single audience as a plain string.
func sign(audience string, signJWT signer, c jwt.MapClaims, now time.Time, life time.Duration) (string, error) {
	c["aud"], c["iat"], c["exp"] = audience, now.Unix(), now.Add(life).Unix()
	token, err := signJWT(c)
	if err != nil {
		return "", fmt.Errorf("realtime: sign token: %w", err)
	}
	return token, nil
}

// clientAudience is the aud claim of access tokens: the hub's address with the http scheme.
func clientAudience(base, hub string) string {
	return strings.TrimSuffix(base, "/") + "/client/hubs/" + hub
}

// parseBase checks that base is an absolute http or https URL without query.
func parseBase(base string) (*url.URL, error) {
	u, err := url.Parse(base)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil ||
		u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("realtime: base URL must look like https://host or http://host:port")
	}
	return u, nil
}

// verify returns the claims of a valid, unexpired access token.
func (h *Hub) verify(token string) (*claims, error) {
	var c claims
	_, err := jwt.NewParser(
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}),
		jwt.WithAudience(clientAudience(h.publicURL, h.name)),
		jwt.WithExpirationRequired(),
		jwt.WithTimeFunc(h.clock.Now),
	).ParseWithClaims(token, &c, h.keys.Find)
	if err != nil {
		return nil, err
	}
	if c.Subject == "" || len(c.Subject) > maxID || len(c.SessionID) > maxID {
		return nil, errors.New("realtime: token names no proper user or session")
	}
	return &c, nil
}
