package mail

import (
	"context"
	"embed"
	"encoding/json"
	"html/template"
	"io"
	"net/http"
	"regexp"
	"time"

	"pantheon/internal/kit/email"
)

// Lister lists the stored emails.
type Lister interface {
	// RecentEmails returns at most limit emails, newest first.
	RecentEmails(ctx context.Context, limit int) ([]email.Queued, error)
}

//go:embed mailbox.html layout.html
var page embed.FS

const shown = 200

// Mailbox serves the stored emails as a page, or as JSON on request, and each as its reader sees it under its id, with ?scheme=light or
// dark. It shows links and codes to anybody, so it is for development only.
func Mailbox(kept Lister, brand Brand) http.Handler {
	functions := template.FuncMap{"pieces": pieces, "text": brand.Text}
	t := template.Must(template.New("mailbox.html").Funcs(functions).ParseFS(page, "mailbox.html"))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		emails, err := kept.RecentEmails(r.Context(), shown)
		if err != nil {
			http.Error(w, "The emails cannot be read.", http.StatusInternalServerError)
			return
		}
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Vary", "Accept")
		if r.Header.Get("Accept") == "application/json" {
			h.Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(map[string]any{"items": asJSON(emails)})
			return
		}
		h.Set("Content-Type", "text/html; charset=utf-8")
		if id := r.PathValue("id"); id != "" {
			for _, m := range emails {
				if m.ID == id {
					h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; sandbox allow-popups")
					preview, err := brand.HTML(m.Message, Scheme(r.URL.Query().Get("scheme")))
					if err != nil {
						http.Error(w, "The email cannot be shown.", http.StatusInternalServerError)
						return
					}
					_, _ = io.WriteString(w, preview)
					return
				}
			}
			http.NotFound(w, r)
			return
		}
		h.Set("Content-Security-Policy",
			"default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		_ = t.Execute(w, emails)
	})
}

type emailJSON struct {
	ID        string      `json:"id"`
	To        string      `json:"to"`
	Subject   string      `json:"subject"`
	Text      string      `json:"text"`
	State     email.State `json:"state"`
	Error     string      `json:"error,omitempty"`
	CreatedAt time.Time   `json:"createdAt"`
}

func asJSON(emails []email.Queued) []emailJSON {
	out := make([]emailJSON, len(emails))
	for i, m := range emails {
		out[i] = emailJSON{m.ID, m.To, m.Subject, m.Text, m.State, m.Error, m.CreatedAt}
	}
	return out
}

var link = regexp.MustCompile(`https?://\S+`)

// piece is a part of a text, either plain or a link.
type piece struct{ Text, Link string }

// pieces splits a text into links and the text between them.
func pieces(text string) (out []piece) {
	at := 0
	for _, m := range link.FindAllStringIndex(text, -1) {
		out = append(out, piece{Text: text[at:m[0]]}, piece{Text: text[m[0]:m[1]], Link: text[m[0]:m[1]]})
		at = m[1]
	}
	return append(out, piece{Text: text[at:]})
}
