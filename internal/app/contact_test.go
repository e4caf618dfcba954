package app_test

import (
	"path/filepath"
	"strings"
	"testing"

	"pantheon/internal/app"
	"pantheon/internal/config"
	"pantheon/internal/kit/clock"
	"pantheon/internal/portal/contact"
	"pantheon/internal/store"
)

func TestTheOperatorReadsWhatPeopleLeft(t *testing.T) {
	t.Parallel()
	c := config.Config{DataDir: t.TempDir()}
	db, err := store.Open(t.Context(), store.Options{Path: filepath.Join(c.DataDir, "pantheon.db"), Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() }) // the portal goes on meanwhile
	s := contact.NewService(db, clock.System{}, "")
	for _, address := range []string{"zeus@olympus.example", "hera@olympus.example"} {
		if err := s.PreRegister(t.Context(), address); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Write(t.Context(), "zeus@olympus.example", contact.Wallet, "Where is it?\nI looked everywhere."); err != nil {
		t.Fatal(err)
	}

	var letters, addresses strings.Builder
	if err := app.PrintLetters(t.Context(), c, &letters); err != nil {
		t.Fatal(err)
	}
	if want := "  wallet  zeus@olympus.example\n\n    Where is it?\n    I looked everywhere.\n\n"; !strings.HasSuffix(letters.String(), want) {
		t.Errorf("letters:\n%s", letters.String())
	}
	if err := app.StrikeAddress(t.Context(), c, "Zeus@olympus.example"); err != nil {
		t.Fatal(err)
	}
	if err := app.StrikeAddress(t.Context(), c, "zeus@olympus.example"); err == nil {
		t.Error("an address was struck out twice")
	}
	if err := app.PrintAddresses(t.Context(), c, &addresses); err != nil || addresses.String() != "hera@olympus.example\n" {
		t.Errorf("addresses %q, %v", addresses.String(), err)
	}
}
