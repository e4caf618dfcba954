package mail_test

import (
	"strings"
	"testing"

	"pantheon/internal/kit/email"
	"pantheon/internal/mail"
)

var brand = mail.Brand{
	Name: "Harbour & Sons", Site: "https://portal.example", Icon: "https://portal.example/icon-192.png", Color: "#0a1112",
	Support: "/king-of-destiny/support", Deletion: "/king-of-destiny/support/deleteaccount",
}

// A reader sees who writes, and one button for each link that stands alone; the text says the same without HTML.
// Spec: SAFE-14
func TestLayout_CarriesTheBrandAndTheWholeText(t *testing.T) {
	t.Parallel()
	m := email.NewNotice("https://portal.example", "Your code", 0, "code", 1,
		"This code confirms your address at portal.example:", "", "    123456", "", "It is for:", "", "    5 USDC", "    to 0xAb", "",
		"Enter it in your settings:", "", "https://portal.example/portal/edit")
	page, err := brand.HTML(m, mail.ReadersScheme)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Harbour &amp; Sons</a>", `src="https://portal.example/icon-192.png"`, "background:#0a1112", ">123456</p>", "5 USDC<br>to 0xAb",
		"href=\"https://portal.example/portal/edit\"\nstyle=", ">Open your settings</a>",
		`class="button second" href="https://portal.example/portal/not-me?token=`,
		">This was not me</a>", "prefers-color-scheme: dark", `content="light dark"`, `<html lang="en">`, "<h1",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s:\n%s", want, page)
		}
	}
	if n := strings.Count(page, "This was not me"); n != 1 {
		t.Errorf("\"This was not me\" is there %d times: its button says it", n)
	}
	text := brand.Text(m)
	if !strings.HasPrefix(text, "Hello,\n\nThis code confirms") ||
		!strings.HasSuffix(text, "\n\n-- \nHarbour & Sons\nhttps://portal.example\n") ||
		strings.Count(text, "-- \n") != 1 || !strings.Contains(text, "https://portal.example/portal/edit\n") {
		t.Errorf("the text is\n%s", text)
	}
	for scheme, want := range map[mail.Scheme]bool{mail.Light: false, mail.Dark: true} {
		page, err := brand.HTML(m, scheme)
		if err != nil || strings.Contains(page, "prefers-color-scheme") || strings.Contains(page, "#0f1317") != want {
			t.Errorf("%s: %v\n%s", scheme, err, page)
		}
	}
}

// Names of tokens, searches and players are other people's words: they stay words.
// Spec: SAFE-14
func TestLayout_OtherPeoplesWordsStayWords(t *testing.T) {
	t.Parallel()
	m := email.Compose("https://portal.example", `<img src=x onerror=alert(1)>`, 0,
		"<script>alert(1)</script>", "", "    https://portal.example/portal/not-me", "    https://evil.example/", "",
		"https://evil.example/portal/edit", "",
		"https://portal.example.evil.example/login", "", "javascript:alert(1)")
	bad := brand
	bad.Color = "red;background:url(https://evil.example)"
	page, err := bad.HTML(m, mail.ReadersScheme)
	if err != nil {
		t.Fatal(err)
	}
	for _, never := range []string{
		"<script", "<img src=x", `href="https://evil`, `href="javascript`, `href="https://portal.example.evil`, "url(", `class="button`,
	} {
		if strings.Contains(page, never) {
			t.Errorf("the page has %s:\n%s", never, page)
		}
	}
}

// Every link that emails of the portal have leads somewhere that its button names.
func TestLayout_ButtonsSayWhereTheyLead(t *testing.T) {
	t.Parallel()
	for path, label := range map[string]string{
		"/new-password?token=A":              "Choose a new password",
		"/forgot-password":                   "Choose a new password",
		"/portal/not-me?token=A":             "This was not me",
		"/portal/notifications":              "See your notifications",
		"/portal/edit":                       "Open your settings",
		"/portal/withdrawals/cancel?token=A": "Cancel it",
		"/portal/money":                      "Open your wallet",
		"/login":                             "Sign in",
		"/king-of-destiny/support/deleteaccount?token=A": "Keep my account",
		"/king-of-destiny/support":                       "Write to our support",
		"/elsewhere":                                     "Open the page",
	} {
		page, err := brand.HTML(email.Compose("https://portal.example", "Subject", 0, "Look:", "", "https://portal.example"+path), mail.Light)
		if err != nil || !strings.Contains(page, `href="https://portal.example`+path+`"`) || !strings.Contains(page, ">"+label+"</a></p>") {
			t.Errorf("%s: %v\n%s", path, err, page)
		}
	}
}
