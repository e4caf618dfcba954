package app

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pantheon/internal/config"
	"pantheon/internal/kit/keyset"
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
		keys, err := contextKeys(secret)
		if err != nil {
			return nil, err
		}
		o.ContextKeys = keys
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

func contextKeys(secret string) (keyset.Keys, error) {
	keys, err := keyset.Parse(secret)
	if err != nil {
		return nil, fmt.Errorf("GAME_CONTEXT_SECRET: %w", err)
	}
	return keys, nil
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
	keys, err := contextKeys(secret)
	if err != nil {
		return "", err
	}
	context, err := account.NewContext(keys.First(), playerID, now)
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
