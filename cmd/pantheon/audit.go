package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"pantheon/internal/app"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/securitylog"
)

type auditCommands struct {
	List   auditListCommand   `cmd:"" help:"Print the newest entries of the security log, the newest first."`
	Verify auditVerifyCommand `cmd:"" help:"Check that no entry of the security log was changed, removed or moved."`
	Export auditExportCommand `cmd:"" help:"Write the security log into a file, as JSON, one entry a line, and check it."`
}

type auditListCommand struct {
	Player string        `xor:"of" help:"Only what concerns a player: id:ID, email:ADDRESS or name:NAME." placeholder:"PLAYER"`
	Event  string        `xor:"event" help:"Only one event, such as session.opened, or a command, such as \"player freeze\"." placeholder:"EVENT"`
	Kind   string        `xor:"of,event" help:"Only what was done by: player, visitor, operator or portal." placeholder:"KIND"`
	Since  time.Duration `help:"Only what is not older, such as 24h." placeholder:"DURATION"`
	Before time.Time     `help:"Only what is older than a time (RFC 3339), such as that of the last line." placeholder:"TIME"`
	limit
	printing
}

// kinds are the values of --kind.
var kinds = []securitylog.Kind{"", securitylog.Player, securitylog.Visitor, securitylog.Operator, securitylog.Portal}

// Run prints entries.
func (cmd auditListCommand) Run(ctx context.Context, con *console) error {
	c, err := con.read()
	if err != nil {
		return err
	}
	if !slices.Contains(kinds, securitylog.Kind(cmd.Kind)) {
		return errors.New("--kind: write player, visitor, operator or portal")
	}
	if cmd.Limit < 1 || cmd.Limit > operator.MaxLimit {
		return fmt.Errorf("the limit must be 1 to %d", operator.MaxLimit)
	}
	f := securitylog.Filter{
		Event: securitylog.Event(cmd.Event), Kind: securitylog.Kind(cmd.Kind), Before: securitylog.Place{At: cmd.Before}, Limit: cmd.Limit,
	}
	if cmd.Since > 0 {
		f.Since = time.Now().Add(-cmd.Since)
	}
	if cmd.Player != "" {
		id, byID := strings.CutPrefix(cmd.Player, "id:") // also of an account that was deleted
		f.Subject = id
		if !byID {
			err := con.lookup(ctx, func(s *operator.Service) error {
				p, err := s.Player(ctx, cmd.Player)
				f.Subject = p.Player.ID
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return app.SecurityLog(ctx, c, func(r securitylog.Reader) error {
		entries, err := r.Entries(ctx, f)
		if err != nil {
			return err
		}
		return cmd.print(con, entries, func(out io.Writer) {
			table(out, func(line func(string, ...any)) {
				line("number\ttime (UTC)\twho\tevent\tof\tnetwork\tdetail\treason")
				for _, e := range entries {
					number := "-"
					if e.Sequence > 0 {
						number = fmt.Sprint(e.Sequence)
					}
					line("%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", number, moment(e.At), oneLine(who(e)), oneLine(string(e.Event)), oneLine(e.Subject), e.Network,
						oneLine(e.Detail), oneLine(e.Reason))
				}
			})
		})
	})
}

// who returns who did what an entry tells of.
func who(e securitylog.Entry) string {
	return strings.TrimSpace(string(e.Kind) + " " + e.Actor)
}

// heads are the flags about published heads.
type heads struct {
	Head []string `help:"A head of the log that was published before, as the portal's own log has it. Can be repeated." placeholder:"N:HASH"`
	Lost string   `help:"Leave out heads published between two times (RFC 3339): a restored backup lacks them." placeholder:"FROM,TO"`
}

func (h heads) parse() (out []securitylog.PublishedHead, lost app.Period, err error) {
	for _, text := range h.Head {
		head, err := securitylog.ParseHead(text)
		if err != nil {
			return nil, lost, err
		}
		out = append(out, securitylog.PublishedHead{Head: head})
	}
	if h.Lost == "" {
		return out, lost, nil
	}
	from, to, _ := strings.Cut(h.Lost, ",")
	if lost.From, err = time.Parse(time.RFC3339, from); err == nil {
		lost.To, err = time.Parse(time.RFC3339, to)
	}
	if err != nil {
		err = errors.New("--lost: write two times, such as 2026-12-01T10:00:00Z,2026-12-01T18:30:00Z")
	}
	return out, lost, err
}

type auditVerifyCommand struct {
	File string `help:"A file that audit export has written, instead of the database." placeholder:"FILE"`
	heads
	printing
}

// Run checks the log.
func (cmd auditVerifyCommand) Run(ctx context.Context, con *console) error {
	published, lost, err := cmd.parse()
	if err != nil {
		return err
	}
	var v securitylog.Verified
	if cmd.File != "" {
		v, err = verifyFile(cmd.File, published)
	} else if c, failed := con.load(); failed != nil {
		err = failed
	} else {
		v, err = app.VerifySecurityLog(ctx, c, published, lost, nil)
	}
	if err != nil {
		return err
	}
	return report(con, cmd.printing, v)
}

// errFaults is the error of a log with faults, which are printed.
var errFaults = errors.New("the security log is not as it was written")

func report(con *console, p printing, v securitylog.Verified) error {
	err := p.print(con, v, func(out io.Writer) {
		for _, f := range v.Faults {
			printf(out, "%s\n", f)
		}
		if v.More > 0 {
			printf(out, "%d more faults\n", v.More)
		}
		printf(out, "%d entries, %d to %s, in %s. Compared with %d published heads.\n", v.Entries, v.First, v.Head, v.Elapsed, v.Published)
		if v.Unchained > 0 {
			printf(out, "%d newer ones are not in the chain yet.\n", v.Unchained)
		}
	})
	if err == nil && len(v.Faults) > 0 {
		err = errFaults
	}
	return err
}

// verifyFile checks an exported log.
func verifyFile(name string, published []securitylog.PublishedHead) (v securitylog.Verified, err error) {
	began := time.Now()
	file, err := os.Open(name)
	if err != nil {
		return v, err
	}
	defer file.Close()
	lines := json.NewDecoder(bufio.NewReaderSize(file, 1<<20))
	var check *securitylog.Verifier
	var end securitylog.Head
	var n, first int64
	for {
		var e securitylog.Entry
		if err := lines.Decode(&e); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return v, fmt.Errorf("%s: entry %d: %w", name, n+1, err)
		}
		if check == nil {
			first = e.Sequence
			check = securitylog.NewVerifier(securitylog.Head{Sequence: e.Sequence - 1, Hash: e.Previous}, published)
		}
		check.Add(e)
		end = securitylog.Head{Sequence: e.Sequence, Hash: e.Hash}
		n++
	}
	if check == nil {
		return v, fmt.Errorf("%s has no entries", name)
	}
	v = check.End(end)
	v.Entries, v.First, v.Elapsed = n, first, time.Since(began).Round(time.Millisecond).String()
	return v, nil
}

type auditExportCommand struct {
	File string `arg:"" help:"The file to write; it must not exist." placeholder:"FILE"`
	heads
	printing
}

// Run writes the log.
func (cmd auditExportCommand) Run(ctx context.Context, con *console) (err error) {
	c, err := con.load()
	if err != nil {
		return err
	}
	published, lost, err := cmd.parse()
	if err != nil {
		return err
	}
	file, err := os.OpenFile(cmd.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := bufio.NewWriterSize(file, 1<<20)
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	v, err := app.VerifySecurityLog(ctx, c, published, lost, func(e securitylog.Entry) error { return lines.Encode(e) })
	if err = errors.Join(err, out.Flush()); err != nil {
		return err
	}
	return report(con, cmd.printing, v)
}
