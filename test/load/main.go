// Command load compares the portal with PocketBase, side by side in one run on one machine: holds with creates, pages
// of listings with lists, profiles with single records; and measures the stages of a gasless purchase. Any wrong
// response ends it with an error. With -postgres it compares holds on PostgreSQL with pgbench instead; with -openings it
// measures the stages of openings of packs; with -guesses it attacks the login, while honest players sign in; with -catchup
// it compares indexers that read a whole chain; with -book it fills a market of many listings and measures its queries; with -metadata
// it reads the metadata of many tokens; with -cluster it lets players trade on replicas whose parts fail; with
// -scale it measures what calls cost the portal and PostgreSQL. It uses loopback only, and runs for a bounded time.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"pantheon/test/player"
)

const connections = 16

func main() {
	binary := flag.String("pantheon", "bin/pantheon", "the built portal")
	alone := flag.Bool("purchases", false, "measure purchases only, without PocketBase")
	opening := flag.Bool("openings", false, "measure openings of packs only")
	replicas := flag.Bool("cluster", false, "let 200 players trade on a cluster of replicas whose parts fail in turn, and write a report")
	costs := flag.Bool("scale", false, "measure what calls cost with one, two and three replicas on PostgreSQL")
	newcomers := flag.Int("newcomers", 0, "measure openings of so many players who register at once (1 to 50)")
	postgres := flag.Bool("postgres", false, "compare holds on a durable PostgreSQL with pgbench running their statements")
	guesses := flag.Bool("guesses", false, "attack the login with guessed passwords instead, while honest players sign in")
	listings := flag.Uint64("book", 0, "measure the queries of a market with so many listings instead, in process")
	kept := flag.String("in", "", "with -book: the folder that keeps the book for the next run; none when empty")
	url := flag.String("database", "", "with -book and -metadata: the URL of a PostgreSQL database, which keeps the book; SQLite when empty")
	logs := flag.Uint64("catchup", 0, "compare how fast the portal's indexer and Ponder read a chain with so many logs instead (1 to 1000000)")
	tokens := flag.Int("metadata", 0, "read the metadata of so many tokens from a slow host that fails instead, in process (1 to 1000000)")
	each := flag.Duration("time", 8*time.Second, "how long each measurement takes at most (1s to 60s)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	measure := func(ctx context.Context, dir string) error {
		return measure(ctx, *binary, dir, *alone, min(max(*each, time.Second), time.Minute))
	}
	if *opening {
		measure = func(ctx context.Context, dir string) error { return open(ctx, *binary, dir) }
	}
	if *costs {
		measure = func(ctx context.Context, dir string) error {
			return scale(ctx, *binary, dir, min(max(*each, time.Second), time.Minute))
		}
	}
	if *replicas {
		measure = tradeOnCluster
	}
	if *newcomers > 0 {
		measure = func(ctx context.Context, dir string) error {
			return follow(ctx, *binary, filepath.Join(dir, "newcomers"), min(*newcomers, 50), (*portal).newcomers)
		}
	}
	if *postgres {
		measure = func(ctx context.Context, dir string) error {
			return compareHolds(ctx, *binary, dir, min(max(*each, time.Second), time.Minute))
		}
	}
	if *guesses {
		measure = func(ctx context.Context, dir string) error { return guess(ctx, *binary, dir) }
	}
	if *logs > 0 {
		measure = func(ctx context.Context, dir string) error { return catchUp(ctx, *binary, dir, min(*logs, 1_000_000)) }
	}
	if *tokens > 0 {
		measure = func(ctx context.Context, dir string) error {
			return readMetadata(ctx, dir, *url, min(*tokens, 1_000_000))
		}
	}
	if *listings > 0 {
		measure = func(ctx context.Context, dir string) error {
			return measureBook(ctx, cmp.Or(*kept, dir), *url, *listings, *each)
		}
	}
	if err := inFolder(ctx, measure); err != nil {
		fmt.Fprintln(os.Stderr, err)
		stop()
		os.Exit(1)
	}
}

// pair is one comparison.
type pair struct {
	ours, theirs string
	target       float64
	run          func(context.Context) (figures, error)
	peer         func(context.Context) (figures, error)
}

// inFolder measures in a folder that is removed afterwards.
func inFolder(ctx context.Context, measure func(context.Context, string) error) (err error) {
	dir, err := os.MkdirTemp("", "pantheon-load-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	return measure(ctx, dir)
}

func measure(ctx context.Context, binary, dir string, purchasesOnly bool, each time.Duration) error {
	if !purchasesOnly {
		if err := compare(ctx, binary, dir, each); err != nil {
			return err
		}
	}
	return buy(ctx, binary, dir)
}

// buy measures purchases.
func buy(ctx context.Context, binary, dir string) error {
	return follow(ctx, binary, filepath.Join(dir, "shop"), buyers, (*portal).purchases, unpaced)
}

// open measures openings of packs.
func open(ctx context.Context, binary, dir string) error {
	return follow(ctx, binary, filepath.Join(dir, "packs"), openers, (*portal).openings)
}

// unpaced lets each transaction of the development chain have a block of its own at once: the portal is measured, not the chain.
const unpaced = "DEV_BLOCK_LEAD=1h"

// follow starts a portal with some players and prints the stages of what they do.
func follow(
	ctx context.Context, binary, dir string, players int, do func(*portal, context.Context) ([]stage, error), env ...string,
) error {
	portal, err := startPortal(ctx, binary, dir, "", env...)
	if err != nil {
		return fmt.Errorf("portal: %w", err)
	}
	defer portal.stop()
	if err := portal.enter(ctx, players, player.Register); err != nil {
		return fmt.Errorf("players: %w", err)
	}
	stages, err := do(portal, ctx)
	if err != nil {
		return err
	}
	printStages(stages)
	return nil
}

// compare compares the portal with PocketBase.
func compare(ctx context.Context, binary, dir string, each time.Duration) error {
	peer, err := startPocketBase(ctx, filepath.Join(dir, "pocketbase"))
	if err != nil {
		return fmt.Errorf("PocketBase: %w", err)
	}
	defer peer.stop()
	portal, err := startPortal(ctx, binary, filepath.Join(dir, "portal"), "")
	if err != nil {
		return fmt.Errorf("portal: %w", err)
	}
	defer portal.stop()
	if err := portal.enter(ctx, players, player.SignUp); err != nil {
		return fmt.Errorf("players: %w", err)
	}

	pairs := []pair{
		{"hold of a single item", "create", 1.8, func(ctx context.Context) (figures, error) { return portal.holds(ctx, each, unique) },
			func(ctx context.Context) (figures, error) { return peer.creates(ctx, each) }},
		{"hold of one of 20 copies", "create", 1.8, func(ctx context.Context) (figures, error) { return portal.holds(ctx, each, copies) },
			func(ctx context.Context) (figures, error) { return peer.creates(ctx, each) }},
		{"page of 30 listings", "list of 30", 3, func(ctx context.Context) (figures, error) { return portal.listings(ctx, each) },
			func(ctx context.Context) (figures, error) { return peer.lists(ctx, each) }},
		{"pages of 30 listings, all different", "list of 30", 3, func(ctx context.Context) (figures, error) { return portal.others(ctx, each) },
			func(ctx context.Context) (figures, error) { return peer.lists(ctx, each) }},
		{"profile", "record by id", 3, func(ctx context.Context) (figures, error) { return portal.profiles(ctx, each) },
			func(ctx context.Context) (figures, error) { return peer.records(ctx, each) }},
	}
	fmt.Println("| portal | /s | p50 | p99 | PocketBase | /s | p50 | p99 | ratio | target |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
	for _, p := range pairs {
		theirs, err := p.peer(ctx)
		if err != nil {
			return fmt.Errorf("PocketBase, %s: %w", p.theirs, err)
		}
		ours, err := p.run(ctx)
		if err != nil {
			return fmt.Errorf("portal, %s: %w", p.ours, err)
		}
		fmt.Printf("| %s | %.0f | %s | %s | %s | %.0f | %s | %s | %.2f | %.1f |\n",
			p.ours, ours.perSecond, round(ours.p50), round(ours.p99), p.theirs, theirs.perSecond, round(theirs.p50), round(theirs.p99),
			ours.perSecond/theirs.perSecond, p.target)
	}
	return nil
}

func round(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }
