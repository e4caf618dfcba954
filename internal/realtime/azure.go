package realtime

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"pantheon/internal/kit/clock"
)

// azureVersion is the version of the vendor's REST API that this adapter uses.
const azureVersion = "2024-12-01"

// AzureOptions configures an Azure publisher.
type AzureOptions struct {
	ConnectionString string       // Endpoint=https://…;AccessKey=…;Version=1.0;[Port=…]
	Hub              string       // name of the hub in the service
	Client           *http.Client // nil: one with a timeout of 10 s
	Clock            clock.Clock  // nil: the system clock
}

// Azure publishes through the Azure Web PubSub service. The service has no message ids: a message published twice
// arrives twice, so its consumers must tolerate duplicates. Errors of the service are returned and
// not retried here; the caller retries.
type Azure struct {
	endpoint string // without trailing slash
	key      []byte
	hub      string
	client   *http.Client
	clock    clock.Clock
}

var (
	_ Publisher = (*Azure)(nil)
	_ Publisher = (*Hub)(nil)
)

// NewAzure parses the connection string; it does not connect.
func NewAzure(o AzureOptions) (*Azure, error) {
	if !hubName.MatchString(o.Hub) {
		return nil, fmt.Errorf("realtime: hub name must match %s", hubName)
	}
	endpoint, key, err := parseConnectionString(o.ConnectionString)
	if err != nil {
		return nil, err
	}
	a := &Azure{endpoint: endpoint, key: key, hub: o.Hub, client: o.Client, clock: o.Clock}
	if a.client == nil {
		a.client = &http.Client{Timeout: 10 * time.Second}
	}
	if a.clock == nil {
		a.clock = clock.System{}
	}
	return a, nil
}

// sign signs a token's claims as the vendor's libraries do, without naming the key.
func (a *Azure) sign(c jwt.Claims) (string, error) {
	return jwt.NewWithClaims(jwt.SigningMethodHS256, c).SignedString(a.key)
}

// parseConnectionString returns the service's address, with its port, and its key. Its errors do not contain the key.
func parseConnectionString(s string) (endpoint string, key []byte, err error) {
	parts := make(map[string]string)
	for part := range strings.SplitSeq(s, ";") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		name, value, ok := strings.Cut(part, "=") // the key itself may contain "="
		if !ok {
			return "", nil, errors.New("realtime: connection string must be a list of name=value, separated by semicolons")
		}
		parts[strings.ToLower(name)] = value
	}
	u, err := parseBase(strings.TrimSuffix(parts["endpoint"], "/"))
	if err != nil || u.Path != "" {
		return "", nil, errors.New("realtime: Endpoint of the connection string must look like https://name.webpubsub.azure.com")
	}
	if parts["accesskey"] == "" {
		return "", nil, errors.New("realtime: connection string has no AccessKey")
	}
	if v := parts["version"]; v != "" && v != "1.0" {
		return "", nil, errors.New("realtime: Version of the connection string must be 1.0")
	}
	if port := parts["port"]; port != "" {
		u.Host = net.JoinHostPort(u.Hostname(), port)
	}
	return u.String(), []byte(parts["accesskey"]), nil
}

// Publish implements [Publisher], one request a message. The service ignores the ids; see [Azure].
func (a *Azure) Publish(ctx context.Context, messages ...Message) error {
	for _, m := range messages {
		if err := a.publish(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

func (a *Azure) publish(ctx context.Context, m Message) error {
	if m.ID == "" {
		return errors.New("realtime: message id is missing")
	}
	if err := m.To.validate(); err != nil {
		return err
	}
	if !json.Valid(m.Data) {
		return errors.New("realtime: message is not valid JSON")
	}
	path := ":send"
	switch m.To.kind {
	case toUser:
		path = "users/" + url.PathEscape(m.To.name) + "/:send"
	case toGroup:
		path = "groups/" + url.PathEscape(m.To.name) + "/:send"
	}
	return a.post(ctx, path, nil, m.Data, http.StatusAccepted)
}

// AccessURL returns the service's address of the hub. base is ignored: clients connect to the service itself. The
// token puts the connection into a group of its server session, which CloseSession uses.
func (a *Azure) AccessURL(userID, sessionID, _ string, roles ...string) (string, error) {
	c := jwt.MapClaims{}
	if len(roles) > 0 {
		c["role"] = roles
	}
	if sessionID != "" {
		c["webpubsub.group"] = []string{sessionGroup(sessionID)}
	}
	return accessURL(a.endpoint, a.endpoint, a.hub, a.sign, userID, c, a.clock.Now())
}

// sessionGroup is the group of all connections of a server session.
func sessionGroup(sessionID string) string { return "session." + sessionID }

// CloseSession closes the current connections of a server session. An unexpired access URL of the session can still
// open another: the service cannot revoke it.
func (a *Azure) CloseSession(ctx context.Context, sessionID string) error {
	if sessionID == "" {
		return errors.New("realtime: session id is missing")
	}
	return a.closeConnections(ctx, "groups/"+url.PathEscape(sessionGroup(sessionID)))
}

// CloseUser closes the current connections of a user, with the same restriction as CloseSession.
func (a *Azure) CloseUser(ctx context.Context, userID string) error {
	if userID == "" {
		return errors.New("realtime: user id is missing")
	}
	return a.closeConnections(ctx, "users/"+url.PathEscape(userID))
}

func (a *Azure) closeConnections(ctx context.Context, of string) error {
	return a.post(ctx, of+"/:closeConnections", url.Values{"reason": {"revoked"}}, nil, http.StatusNoContent)
}

// post makes a call to the hub, authorised by a token for exactly this URL.
func (a *Azure) post(ctx context.Context, path string, query url.Values, body []byte, want int) error {
	if query == nil {
		query = url.Values{}
	}
	query.Set("api-version", azureVersion)
	target := a.endpoint + "/api/hubs/" + a.hub + "/" + path + "?" + query.Encode()
	token, err := sign(target, a.sign, jwt.MapClaims{}, a.clock.Now(), time.Hour)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, target, strings.NewReader(string(body)))
	if err != nil {
		return fmt.Errorf("realtime: make request: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := a.client.Do(req)
	if err != nil {
		return fmt.Errorf("realtime: call Azure Web PubSub: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 64<<10)) // so that the connection is reused
	if res.StatusCode != want {
		return fmt.Errorf("realtime: Azure Web PubSub answered %d %s", res.StatusCode,
			cmp.Or(res.Header.Get("x-ms-error-code"), http.StatusText(res.StatusCode)))
	}
	return nil
}
