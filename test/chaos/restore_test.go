package chaos_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pantheon/internal/testkit"
	"pantheon/test/player"
)

var passwordLink = regexp.MustCompile(`/new-password\?token=([A-Za-z0-9_-]+)`)

// A database is lost and restored from a backup. Who registered after the backup has the wallet again, with what was bought meanwhile.
// Spec: RUN-27
func TestChaos_WalletsOutliveTheDatabase(t *testing.T) {
	t.Parallel()
	copies, backup := t.TempDir(), t.TempDir()
	site := testkit.StartSite(t, testkit.SiteOptions{Env: []string{
		"WALLET_COPIES_DIR=" + copies, "ACCOUNT_FACTORY_ADDRESS=0xcA35FC2291f0Eb5a139B9955222Ac8Bc792DdCb4",
		"ACCOUNT_IMPLEMENTATION_ADDRESS=0x9e6d13c8C7beF345910F7efa86408329d5acF170",
	}})
	_, err := player.Register(t.Context(), site.URL)
	must(t, err)
	site.Stop()
	move(t, site.Dir, backup)
	copyFiles(t, backup, site.Dir)
	site.Restart()

	newer, err := player.Register(t.Context(), site.URL)
	must(t, err)
	var profile struct {
		AccountInfo struct{ PrivateInfo struct{ Email string } }
	}
	must(t, newer.Call(t.Context(), http.MethodGet, "/api/auth/profile", nil, &profile))
	listings, err := newer.Listings(t.Context(), "avatars", 1)
	must(t, err)
	must(t, newer.Hold(t.Context(), listings[0]))
	var order player.Order
	testkit.Eventually(t, waitTimeout, func() bool {
		order, err = newer.Checkout(t.Context()) // once the starter kit is there
		return err == nil
	}, "no checkout")
	op, err := newer.Prepare(t.Context(), order.Calls)
	must(t, err)
	_, err = newer.Send(t.Context(), op)
	must(t, err)
	testkit.Eventually(t, waitTimeout, func() bool {
		order, err = newer.Order(t.Context(), order.OrderID)
		return err == nil && order.State == "complete"
	}, "the purchase is not complete")

	site.Stop()
	move(t, site.Dir, t.TempDir()) // the disk is lost
	copyFiles(t, backup, site.Dir)
	out, err := site.Command("wallet", "restore", "--reason", "the disk is lost").CombinedOutput()
	if want := "Opened 2 copies. Restored 1 wallets.\n  " + newer.ID + "\n"; err != nil || !strings.HasSuffix(string(out), want) {
		t.Fatalf("%v\n%s", err, out)
	}
	site.Restart()

	visitor := player.Visitor(site.URL)
	must(t, visitor.Call(t.Context(), http.MethodPost, "/api/auth/forgot-password", map[string]string{
		"email": profile.AccountInfo.PrivateInfo.Email}, nil))
	var link []string
	testkit.Eventually(t, waitTimeout, func() bool {
		link = passwordLink.FindStringSubmatch(page(t, site.URL+"/dev/mail"))
		return link != nil
	}, "there is no email with a link")
	must(t, visitor.Call(t.Context(), http.MethodPost, "/api/auth/reset-password", map[string]string{
		"token": link[1], "password": "another horse battery"}, nil))
	before := newer.Smart
	must(t, newer.SignIn(t.Context(), profile.AccountInfo.PrivateInfo.Email, "another horse battery"))
	if newer.Smart != before {
		t.Errorf("the wallet is %s, want %s", newer.Smart, before)
	}
	testkit.Eventually(t, waitTimeout, func() bool {
		avatars, err := newer.Holdings(t.Context(), "listAvatars")
		return err == nil && len(avatars) == 1 && avatars[0].TokenID == listings[0].TokenID
	}, "the token that was bought is not in the wallet")
}

// databaseFiles are those of SQLite.
const databaseFiles = "pantheon.db*"

// move moves the files of a database into another folder.
func move(t *testing.T, from, to string) {
	t.Helper()
	copyFiles(t, from, to)
	names, err := filepath.Glob(filepath.Join(from, databaseFiles))
	must(t, err)
	for _, name := range names {
		must(t, os.Remove(name))
	}
}

// copyFiles copies the files of a database into another folder.
func copyFiles(t *testing.T, from, to string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(from, databaseFiles))
	must(t, err)
	if len(names) == 0 {
		t.Fatal("there is no database")
	}
	for _, name := range names {
		content, err := os.ReadFile(name)
		must(t, err)
		must(t, os.WriteFile(filepath.Join(to, filepath.Base(name)), content, 0o600))
	}
}

// page returns a page of the site.
func page(t *testing.T, url string) string {
	t.Helper()
	response, err := http.Get(url)
	must(t, err)
	defer func() { _ = response.Body.Close() }() // only read
	text, err := io.ReadAll(response.Body)
	must(t, err)
	return string(text)
}
