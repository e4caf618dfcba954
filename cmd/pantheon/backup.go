package main

import (
	"context"
	"errors"
	"io"
	"time"

	"pantheon/internal/app"
)

type backupCommands struct {
	Make    backupMakeCommand    `cmd:"" default:"withargs" help:"Back up SQLite while the portal serves. Too old backups are removed."`
	List    backupListCommand    `cmd:"" help:"Print the names of the backups, oldest first."`
	Key     backupKeyCommand     `cmd:"" help:"Make a pair of keys for backups. Keep the file away from the portal's machine."`
	Restore backupRestoreCommand `cmd:"" help:"Restore a backup into DATA_DIR, which must not have a database."`
}

type backupMakeCommand struct{ printing }

// Run makes a backup.
func (cmd backupMakeCommand) Run(ctx context.Context, con *console) error {
	c, err := con.load()
	if err != nil {
		return err
	}
	b, err := app.MakeBackup(ctx, c)
	if err != nil {
		return err
	}
	return cmd.print(con, b, func(out io.Writer) {
		printf(out, "Made %s, %d bytes.\n", b.Name, b.Bytes)
		for _, name := range b.Removed {
			printf(out, "Removed %s.\n", name)
		}
	})
}

type backupListCommand struct{ printing }

// backupNames are the names of backups, as JSON.
type backupNames struct {
	Backups []string `json:"backups"`
}

// Run prints the backups.
func (cmd backupListCommand) Run(ctx context.Context, con *console) error {
	c, err := con.load()
	if err != nil {
		return err
	}
	names, err := app.Backups(ctx, c)
	if err != nil {
		return err
	}
	return cmd.print(con, backupNames{append([]string{}, names...)}, func(out io.Writer) {
		for _, name := range names {
			printf(out, "%s\n", name)
		}
	})
}

type backupKeyCommand struct {
	File string `arg:"" help:"A new file for the private key."`
	printing
}

// Run makes a pair of keys.
func (cmd backupKeyCommand) Run(con *console) error {
	k, err := app.MakeBackupKey(cmd.File)
	if err != nil {
		return err
	}
	return cmd.print(con, k, func(out io.Writer) {
		printf(out, "The private key is in %s: without it no backup can be read. Set BACKUP_RECIPIENTS=%s\n", k.File, k.Recipient)
	})
}

type backupRestoreCommand struct {
	Name     string `arg:"" optional:"" help:"The backup's name; the newest by default."`
	Identity string `required:"" type:"existingfile" placeholder:"FILE" help:"The file of the private key."`
	printing
}

// Run restores a backup.
func (cmd backupRestoreCommand) Run(ctx context.Context, con *console) error {
	c, err := con.load()
	if err != nil {
		return err
	}
	r, err := app.RestoreBackup(ctx, c, cmd.Name, cmd.Identity)
	if err != nil {
		return err
	}
	return cmd.print(con, r, func(out io.Writer) {
		printf(out, "Restored %s, taken at %s, to %s. The files of settings are in %s.\n",
			r.Name, r.TakenAt.UTC().Format(time.RFC3339), r.Database, r.Settings)
		printf(out, "Next: pantheon wallet restore, then start the portal.\n")
	})
}

type rehearseCommand struct {
	Name     string `arg:"" optional:"" help:"The backup's name; the newest by default."`
	Identity string `type:"existingfile" placeholder:"FILE" help:"The file of the private key. Not for PostgreSQL."`
	Folder   string `type:"existingdir" placeholder:"DIR" help:"An empty folder to restore into; a temporary one in DATA_DIR by default."`
	printing
}

// Run rehearses a restore, and fails if anything is wrong.
func (cmd rehearseCommand) Run(ctx context.Context, con *console) error {
	c, err := con.loadChecked()
	if err != nil {
		return err
	}
	o := app.RehearseOptions{Name: cmd.Name, Identity: cmd.Identity, Folder: cmd.Folder, Log: logger(c)}
	if !cmd.JSON {
		o.Done = func(s app.Step) {
			printf(con.out, "%s: %s (%.1f s)\n", s.Name, s.Result, time.Duration(s.Took).Seconds())
			for _, problem := range s.Problems {
				printf(con.out, "  problem: %s\n", problem)
			}
		}
	}
	r, err := app.Rehearse(ctx, c, o)
	if err != nil {
		return err
	}
	err = cmd.print(con, r, func(out io.Writer) {
		printf(out, "The backup was %s old. The rehearsal took %s.\n",
			time.Duration(r.Age).Round(time.Second), time.Duration(r.Took).Round(time.Second/10))
	})
	if err == nil && !r.OK() {
		err = errors.New("the rehearsal found problems")
	}
	return err
}
