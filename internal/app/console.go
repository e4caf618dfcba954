package app

import (
	"context"
	"log"
	"net"
	"net/http"
	"strings"
	"time"

	"pantheon/internal/api"
	"pantheon/internal/config"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/passkey"
	"pantheon/internal/site"
	"pantheon/internal/store"
	"pantheon/internal/store/operators"
	"pantheon/internal/store/securitylogs"
)

// console is the operators' console: pages and calls, on the site or on a listener of its own.
type console struct {
	calls    *api.API
	handler  http.Handler
	server   *http.Server // of the own listener; nil without one
	listener net.Listener
}

// newConsole builds the console.
func newConsole(b *base, requests api.RequestOptions, people *people, brand string, currency api.ClientCurrency) (*console, error) {
	passkeys, err := passkey.NewService(passkey.Options{
		Store: operators.Passkeys{Store: operators.New(b.db)}, Owners: operators.Owners{Store: operators.New(b.db)}, Clock: b.clock,
		Keys: b.keys("operators' passkeys"), Domain: b.config.OperatorDomain(), Site: b.config.OperateURL, Brand: brand + " · Operate",
	})
	if err != nil {
		return nil, err
	}
	team := operator.NewTeam(operator.TeamOptions{
		Store: operators.New(b.db), Passkeys: operators.Verifier{Service: passkeys}, Clock: b.clock, URL: b.config.OperateURL,
	})
	b.lead("operators", team.Run)
	requests.Country = nil // operators are staff, wherever they are
	c := &console{}
	c.calls, err = api.NewConsole(api.ConsoleOptions{
		RequestOptions: requests, Team: team, Passkeys: passkeys, Operators: newOperator(b.config, b.db, b.clock),
		SecurityLog: securitylogs.New(b.db), Health: b.health, PlayerPasskeys: people.passkeys, Currency: currency, URL: b.config.OperateURL,
	})
	if err != nil {
		return nil, err
	}
	pages, err := site.NewConsole()
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle(api.ConsolePath, c.calls.Handler())
	mux.Handle(site.ConsolePath, pages)
	mux.Handle(site.ConsolePath+"/", pages)
	c.handler = mux
	if b.config.OperateAddr == "" {
		return c, nil
	}
	mux.Handle("GET /{$}", http.RedirectHandler(site.ConsolePath, http.StatusFound))
	c.server = &http.Server{ // newServer adds the handler
		ReadHeaderTimeout: 10 * time.Second, WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10,
		ErrorLog: log.New(serverLog{b.log}, "", 0),
	}
	return c, nil
}

// onSite adds the console to the site, unless it has a listener of its own.
func (c *console) onSite(pages http.Handler) http.Handler {
	if c.server != nil {
		return pages
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := r.URL.Path
		if p == site.ConsolePath || strings.HasPrefix(p, site.ConsolePath+"/") || strings.HasPrefix(p, api.ConsolePath) {
			c.handler.ServeHTTP(w, r)
			return
		}
		pages.ServeHTTP(w, r)
	})
}

// listen opens the own listener, if any.
func (c *console) listen(config config.Config) (err error) {
	if c.server != nil {
		c.listener, err = listenOn("OPERATE_ADDR", config.OperateAddr)
	}
	return err
}

// ManageTeam runs a task on the operators of the configured portal, for commands.
func ManageTeam(ctx context.Context, c config.Config, change bool, do func(*operator.Team) error) error {
	c.Complete()
	if c.OperatorDomain() == "" {
		c.OperateURL = ""
	}
	access := store.ReadOnly
	if change {
		access = store.ReadWrite
	}
	return withStore(ctx, c, access, func(db *store.DB) error {
		return do(operator.NewTeam(operator.TeamOptions{Store: operators.New(db), Clock: db.Clock(), URL: c.OperateURL}))
	})
}
