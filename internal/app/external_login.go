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

	"pantheon/internal/api"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/chain/signatures"
	"pantheon/internal/config"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/social"
	"pantheon/internal/store/accounts"
)

// xCallback is the page to which X redirects browsers back.
const xCallback = "/auth/callback/twitter"

// buildExternalLogins builds the logins by a game's link and by X, and the verification of players' own wallets.
func (a *App) buildExternalLogins(platform gamePlatform, options *api.Options, people *owners) (err error) {
	o := account.ExternalLoginOptions{Accounts: a.accounts, Platform: platform, Attempts: accounts.New(a.db), Clock: a.clock}
	if secret := a.config.ContextSecret.Reveal(); secret != "" {
		if o.ContextKey, err = contextKey(secret); err != nil {
			return err
		}
	}
	if a.playfab != nil && a.config.PlayFab.Tickets {
		o.Tickets = a.playfab
	}
	if x := a.config.X; x.ClientID != "" {
		a.x = social.NewX(social.XOptions{
			ClientID: x.ClientID, ClientSecret: x.ClientSecret.Reveal(), Redirect: a.config.PublicURL + xCallback, URL: x.URL,
		})
		o.X = a.x
	}
	options.ExternalLogins = account.NewExternalLogins(o)
	options.Client.SignInWithX = options.ExternalLogins.HasX()
	options.Client.PasswordByMail = a.accounts.MailsPasswords()

	clients, ids := map[onchain.ChainID]*rpc.Client{}, []onchain.ChainID{}
	for id, c := range a.chains {
		clients[id], ids = c.rpc, append(ids, id)
	}
	a.proofs, err = wallet.NewProofs(accounts.New(a.db), people, signatures.New(clients), a.clock, a.config.PublicURL, ids)
	options.Proofs, people.proofs = a.proofs, a.proofs
	return err
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
