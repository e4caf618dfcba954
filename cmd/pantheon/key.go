package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"

	"pantheon/internal/app"
)

type keyCommands struct {
	Init   keyInitCommand   `cmd:"" help:"Make a key that seals the players' wallets. It never replaces one."`
	Show   keyShowCommand   `cmd:"" help:"Print which keys there are, and how many wallets each seals."`
	Rotate keyRotateCommand `cmd:"" help:"Seal all wallets with another key, while the portal serves."`
	Seal   keySealCommand   `cmd:"" help:"Encrypt a secret by a key management service. What is printed can stand in the place of the secret."`
}

type keyInitCommand struct {
	KMS string `name:"kms" placeholder:"URI" help:"Seal it with this key of a key management service, which is asked at each start."`
	act
	printing
}

// Run creates the key file.
func (cmd keyInitCommand) Run(ctx context.Context, con *console) error {
	c, err := con.load()
	if err != nil {
		return err
	}
	k, err := app.InitKey(ctx, c, cmd.KMS, cmd.by(con))
	if err != nil {
		return err
	}
	return cmd.print(con, k, func(out io.Writer) {
		printf(out, "Made the signer key %s, fingerprint %s.\n", k.Path, k.Fingerprint)
		printf(out, "Back it up apart from the database, and give every replica the same file: "+
			"without it the players' wallets cannot be opened.\n")
		if !k.Logged {
			printf(out, "Note: there is no database with the operators' log yet, so this is not logged.\n")
		}
		for _, warning := range k.Warnings {
			printf(out, "Note: %s.\n", warning)
		}
	})
}

type keyShowCommand struct{ printing }

// Run prints the keys.
func (cmd keyShowCommand) Run(ctx context.Context, con *console) error {
	c, err := con.load()
	if err != nil {
		return err
	}
	keys, err := app.SealingKeys(ctx, c)
	if err != nil {
		return err
	}
	return cmd.print(con, keys, func(out io.Writer) {
		table(out, func(line func(string, ...any)) {
			line("fingerprint\tfile\tseals new wallets\twallets")
			for _, k := range keys {
				line("%s\t%s\t%t\t%d", k.Fingerprint, cmp.Or(k.File, "in no file of SIGNER_KEY_FILE"), k.Seals, k.Wallets)
			}
		})
	})
}

type keySealCommand struct {
	URI string `arg:"" help:"Its key: aws-kms://ARN, gcp-kms://projects/… or hcvault://HOST:8200/transit/keys/NAME."`
	printing
}

// sealedSecret is a sealed secret as JSON.
type sealedSecret struct {
	Sealed string `json:"sealed"`
}

// Run reads a secret from standard input and prints it sealed.
func (cmd keySealCommand) Run(ctx context.Context, con *console) error {
	c, err := con.load()
	if err != nil {
		return err
	}
	secret, err := io.ReadAll(io.LimitReader(os.Stdin, maxSecret))
	if err != nil {
		return err
	}
	text, err := app.SealSecret(ctx, c, cmd.URI, bytes.TrimSpace(secret))
	if err != nil {
		return err
	}
	return cmd.print(con, sealedSecret{text}, func(out io.Writer) { printf(out, "%s\n", text) })
}

// maxSecret is more than any secret has, in bytes.
const maxSecret = 64 << 10

type keyRotateCommand struct {
	File string `arg:"" type:"existingfile" help:"The file of the new key, which every replica has in SIGNER_KEY_FILE besides the present one."`
	act
	printing
}

// Run seals the wallets with another key.
func (cmd keyRotateCommand) Run(ctx context.Context, con *console) error {
	c, err := con.load()
	if err != nil {
		return err
	}
	progress := func(done int) { _, _ = fmt.Fprintf(con.raw, "\r%d wallets", done) }
	if cmd.JSON {
		progress = func(int) {}
	}
	r, err := app.RotateKey(ctx, c, cmd.File, cmd.by(con), progress)
	if err != nil {
		return err
	}
	if err := cmd.print(con, r, func(out io.Writer) {
		printf(out, "\nNew wallets are sealed with %s, and %d were sealed with it now.\n", r.To, r.Wallets)
	}); err != nil || len(r.Damaged) == 0 {
		return err
	}
	return fmt.Errorf("the wallets of these players do not open, and are as they were: %v. Restore them from a backup, and start again",
		r.Damaged)
}
