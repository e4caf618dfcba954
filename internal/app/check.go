package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"pantheon/internal/certificate"
	"pantheon/internal/chain/indexer"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/config"
	"pantheon/internal/files"
	"pantheon/internal/gameplatform/playfab"
	"pantheon/internal/kit/clock"
	"pantheon/internal/mail"
	"pantheon/internal/realtime"
	"pantheon/internal/site"
	"pantheon/internal/store"
)

// Connection is one dependency of the portal and the result of its check.
type Connection struct {
	Name string
	Err  error  // nil if it works; contains no secret
	Note string // a hint for the operator although it works; "" for none
}

// checkTimeout is the timeout of each connection's check, so that one that hangs does not use up the time of the others. The signer
// key is checked within the database's.
const checkTimeout = 10 * time.Second

// CheckConnections checks every configured connection, and the file of the game's rules. It changes nothing: a database that is missing or
// has an older schema works, with a note, as the next start makes or migrates it.
func CheckConnections(ctx context.Context, c config.Config) []Connection {
	out := append(checkDatabase(ctx, c), checkMail(ctx, c))
	if err := checkLegal(c); err != nil {
		out = append(out, Connection{Name: "legal texts", Err: err})
	}
	if c.TLS.Enabled() {
		out = append(out, checkCertificates(ctx, c))
	}
	if c.GameRules != "" {
		_, err := readRules(c.Brand, c.GameRules)
		out = append(out, Connection{Name: "game rules", Err: err})
	}
	if c.NATSURL != "" {
		n, err := realtime.StartNATS(realtime.NATSConfig{URL: c.NATSURL.Reveal(), Name: "pantheon-check"})
		if err == nil {
			n.Close()
		}
		out = append(out, Connection{Name: "messages", Err: err})
	}
	if c.GamePlatform == config.PlatformPlayFab {
		out = append(out, Connection{Name: "PlayFab", Err: checkPlayFab(ctx, c)})
	}
	if c.Metadata.Bucket != "" {
		out = append(out, Connection{Name: "pictures", Err: checkBucket(ctx, c, c.Metadata.Bucket)})
	}
	if w := c.WalletCopies; w.Set() {
		out = append(out, Connection{Name: "wallet copies", Err: checkPlace(ctx, c, w.Folder, w.Bucket)})
	}
	if l := c.SecurityLog; l.Folder != "" || l.Bucket != "" {
		out = append(out, Connection{Name: "heads of the security log", Err: checkPlace(ctx, c, l.Folder, l.Bucket)})
	}
	if b := c.Backup; b.Set() {
		out = append(out, Connection{Name: "backups", Err: checkPlace(ctx, c, b.Folder, b.Bucket)})
	}
	return append(out, checkChains(ctx, c)...)
}

// checkPlace checks a bucket, or a folder that must exist.
func checkPlace(ctx context.Context, c config.Config, folder, bucket string) error {
	if bucket != "" {
		return checkBucket(ctx, c, bucket)
	}
	if _, err := os.Stat(folder); err != nil {
		return err
	}
	return checkFolder(folder)
}

// checkLegal returns an error in production if the legal texts of the web build are placeholders.
func checkLegal(c config.Config) error {
	build, err := site.Open(c.SiteDir)
	if err != nil {
		return fmt.Errorf("SITE_DIR: %w", err)
	}
	if c.Environment != "prod" || !site.HasPlaceholders(build) {
		return nil
	}
	return errors.New("the legal texts of the brand are placeholders: replace what is in web/legal.ts and web/content/legal, " +
		"set replaced in web/legal.ts to true, and build again")
}

// checkCertificates checks what is needed to order certificates, and which there are.
func checkCertificates(ctx context.Context, c config.Config) Connection {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	notes, err := certificate.Examine(ctx, certificateOptions(c))
	return Connection{Name: "certificate", Err: err, Note: strings.Join(notes, "; ")}
}

func checkMail(ctx context.Context, c config.Config) Connection {
	out := Connection{Name: "mail"}
	if c.Mail.Host == "" {
		out.Note = "none: " + missingMail
		return out
	}
	sender, err := newSMTP(c.Mail, mail.Brand{})
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, checkTimeout)
		defer cancel()
		err = sender.Check(ctx)
	}
	out.Err = err
	return out
}

// checkDatabase checks the database, and the signer key against it.
func checkDatabase(ctx context.Context, c config.Config) []Connection {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	database, key := Connection{Name: "database"}, Connection{}
	err := withStore(ctx, c, store.ReadOnly, func(db *store.DB) error {
		key = checkKey(ctx, c, db)
		return nil
	})
	if key.Name == "" {
		key = checkKey(ctx, c, nil)
	}
	schema, ok := errors.AsType[*store.SchemaError](err)
	switch {
	case isNew(err):
		database.Note = "new: `pantheon migrate` makes its tables, as does the first start unless MIGRATE is off"
	case ok:
		by := "the next start"
		if c.Migrate == "off" {
			by = "`pantheon migrate`"
		}
		database.Note = fmt.Sprintf("%s brings its schema from version %d to %d; the signer key was not compared with it", by, schema.Version,
			schema.Needed)
	default:
		database.Err = err
	}
	return []Connection{database, key}
}

func checkPlayFab(ctx context.Context, c config.Config) error {
	platform := newPlayFab(c, nil, playfab.Options{Clock: clock.System{}, Log: slog.New(slog.DiscardHandler)})
	defer platform.Close()
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	return platform.Check(ctx)
}

// checkFolder checks that a file can be written.
func checkFolder(path string) error {
	folder := files.Folder{Path: path}
	const name = "pantheon-check"
	return errors.Join(folder.Write(context.Background(), name, nil), folder.Remove(context.Background(), name))
}

func checkBucket(ctx context.Context, c config.Config, name string) error {
	bucket, err := files.NewBucket(bucketOf(c, name))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	return errors.Join(bucket.Check(ctx), bucket.Close())
}

// checkChains checks the endpoints of both chains, and what is on them.
func checkChains(ctx context.Context, c config.Config) (out []Connection) {
	for _, side := range []struct {
		name  string
		chain config.Chain
	}{{"game", c.GameChain}, {"main", c.MainChain}} {
		contracts := Connection{Name: side.name + " chain contracts"}
		urls := side.chain.Endpoints()
		err := checkChain(ctx, side.name, side.chain, urls[0], func(ctx context.Context, client *rpc.Client) (err error) {
			if side.chain.Finality == "finalized" {
				_, err = indexer.Finalized(ctx, client, strings.ToUpper(side.name)+"_CHAIN_FINALITY")
			}
			contracts.Note, contracts.Err = checkContracts(ctx, c, side.chain, client)
			return err
		})
		out = append(out, Connection{Name: side.name + " chain", Err: err})
		if contracts.Note != "" || contracts.Err != nil || err == nil {
			out = append(out, contracts)
		}
		for i, u := range urls[1:] {
			err := checkChain(ctx, side.name, side.chain, u, nil)
			out = append(out, Connection{Name: fmt.Sprintf("%s chain, endpoint %d", side.name, i+2), Err: err})
		}
		out = append(out, checkServices(ctx, c, side.name, side.chain)...)
		if side.chain.ReadRPCURL == "" {
			continue
		}
		for _, u := range side.chain.ReadEndpoints() {
			out = append(out, Connection{Name: side.name + " chain reads", Err: checkChain(ctx, side.name, side.chain, u, nil)})
		}
	}
	return out
}

// checkChain checks an endpoint, and what more says of it.
func checkChain(
	ctx context.Context, name string, chain config.Chain, endpoint string, more func(context.Context, *rpc.Client) error,
) error {
	client, err := rpc.New(rpc.Options{Name: name, ChainID: chain.ChainID(), URL: endpoint, MaxHeadAge: chain.MaxHeadAge})
	if err != nil {
		return err
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	if _, err = client.Check(ctx); err == nil && more != nil {
		err = more(ctx, client)
	}
	return err
}
