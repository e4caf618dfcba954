package playfab_test

import (
	"context"
	"net/http"
	"testing"

	"pantheon/internal/gameplatform/playfab"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/keyset"
	"pantheon/internal/portal/account"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/testkit"
	fake "pantheon/test/contract/playfab"
)

// noConnections is a portal without realtime connections.
type noConnections struct{}

func (noConnections) CloseSession(context.Context, string) error { return nil }

// Whatever fails between PlayFab and the portal, the portal stores no partial account: neither a player nor a
// session, and returns no credentials. Once it succeeds, the player exists on both sides.
func TestAccount_FailedCallStoresNoPartialAccount(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		h := newTitle(t, fake.Options{}, func(o *playfab.Options) { o.Known = accounts.New(db) })
		service := account.NewService(account.Options{
			Platform: h, Sessions: accounts.New(db), Deletions: accounts.New(db), Emails: accounts.New(db), Notices: accounts.New(db),
			Connections: noConnections{}, Clock: clock.System{},
			Keys: keyset.Keys{[]byte("0123456789abcdef0123456789abcdef")},
		})
		calls := map[string]func() (account.Credentials, error){
			"Client/RegisterPlayFabUser":   func() (account.Credentials, error) { return service.Register(t.Context(), zeus) },
			"Client/LoginWithEmailAddress": func() (account.Credentials, error) { return service.Login(t.Context(), zeus.Email, zeus.Password) },
		}
		for _, name := range []string{"Client/RegisterPlayFabUser", "Client/LoginWithEmailAddress"} {
			for what, answer := range map[string]http.HandlerFunc{
				"cut": fake.Cut(), "nonsense": fake.Text(200, "{}"), "another's id": fake.Text(200, `{"code":200,"data":{"PlayFabId":"no id"}}`),
				"trouble": fake.Refuse(fake.InternalServerError),
			} {
				h.fake.Break(fake.Fault{Call: name, Times: 1, Applied: name == "Client/LoginWithEmailAddress", Answer: answer})
				c, err := calls[name]()
				if !fault.Is(err, fault.Unavailable) || c != (account.Credentials{}) {
					t.Errorf("%s, %s: %+v, %v", name, what, c, err)
				}
				for _, id := range h.fake.Players() {
					if _, err := accounts.New(db).Player(t.Context(), id); name == "Client/RegisterPlayFabUser" && !fault.Is(err, fault.NotFound) {
						t.Errorf("%s, %s: half an account is kept: %v", name, what, err)
					}
				}
			}
			c, err := calls[name]()
			if err != nil {
				t.Fatal(err)
			}
			caller, err := service.Authenticate(t.Context(), c.Token)
			if err != nil {
				t.Fatal(err)
			}
			if id, err := accounts.New(db).Player(t.Context(), caller.PlayerID); err != nil || id.DisplayName != zeus.DisplayName {
				t.Errorf("%s: kept as %+v, %v", name, id, err)
			}
		}
	})
}
