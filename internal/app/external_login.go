package app

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pantheon/internal/config"
	"pantheon/internal/portal/account"
	"pantheon/internal/social"
	"pantheon/internal/store/accounts"
)

// xCallback is the page to which X redirects browsers back.
const xCallback = "/auth/callback/twitter"

// newExternalLogins returns the logins by a game's link and by X.
func newExternalLogins(b *base, platform platform, known *account.Service) (*account.ExternalLogins, error) {
	o := account.ExternalLoginOptions{Accounts: known, Platform: platform, Attempts: accounts.New(b.db), Clock: b.clock}
	if secret := b.config.ContextSecret.Reveal(); secret != "" {
		key, err := contextKey(secret)
		if err != nil {
			return nil, err
		}
		o.ContextKey = key
	}
	if platform.playfab != nil && b.config.PlayFab.Tickets {
		o.Tickets = platform.playfab
	}
	if x := b.config.X; x.ClientID != "" {
		client := social.NewX(social.XOptions{
			ClientID: x.ClientID, ClientSecret: x.ClientSecret.Reveal(), Redirect: b.config.PublicURL + xCallback, URL: x.URL,
		})
		b.onClose(func() error { client.Close(); return nil })
		o.X = client
	}
	return account.NewExternalLogins(o), nil
}

func contextKey(secret string) ([]byte, error) {
	key, err := base64.StdEncoding.DecodeString(secret)
	if err != nil {
		return nil, errors.New("GAME_CONTEXT_SECRET: not base64")
	}
	return key, nil
}

// contextKeyFile is the file in which `pantheon dev` stores the key for contexts of game servers.
const contextKeyFile = "context.key"

// contextLink returns the URL of a page of the site that signs the player in once, within account.ContextTTL, like a
// link from the game.
func contextLink(c config.Config, playerID, page string, now time.Time) (string, error) {
	secret := c.ContextSecret.Reveal()
	if secret == "" {
		b, err := os.ReadFile(filepath.Join(c.DataDir, contextKeyFile))
		if errors.Is(err, os.ErrNotExist) {
			return "", errors.New("GAME_CONTEXT_SECRET is not set, and no `pantheon dev` has made one in " + c.DataDir)
		}
		if err != nil {
			return "", err
		}
		secret = strings.TrimSpace(string(b))
	}
	key, err := contextKey(secret)
	if err != nil {
		return "", err
	}
	context, err := account.NewContext(key, playerID, now)
	if err != nil {
		return "", err
	}
	at, err := url.Parse(c.PublicURL + "/" + strings.TrimPrefix(page, "/"))
	if err != nil {
		return "", fmt.Errorf("PUBLIC_URL: %w", err)
	}
	query := at.Query()
	query.Set("context", context)
	at.RawQuery = query.Encode()
	return at.String(), nil
}
