package main

import (
	"fmt"

	"pantheon/internal/app"
)

type keysCommands struct {
	Init keysInitCommand `cmd:"" help:"Make the key that seals the players' wallets, for a new portal. It never replaces one."`
}

type keysInitCommand struct{}

// Run creates the key file.
func (keysInitCommand) Run() error {
	c, _, err := load()
	if err != nil {
		return err
	}
	c.Complete()
	path, fingerprint, err := app.MakeSignerKey(c)
	if err != nil {
		return err
	}
	fmt.Printf("Made the signer key %s, fingerprint %s.\n", path, fingerprint)
	fmt.Println("Back it up apart from the database, and give every replica the same file: without it the players' wallets cannot be opened.")
	for _, warning := range app.KeyWarnings(c) {
		fmt.Println("Note: " + warning + ".")
	}
	return nil
}
