package mail

import (
	"context"
	"embed"
	"encoding/json"
	"html/template"
	"net/http"
	"regexp"
	"time"

	"pantheon/internal/kit/email"
)

// Letters shows what is kept.
type Letters interface {
	// KeptLetters returns the newest letters, the newest first.
	KeptLetters(ctx context.Context, limit int) ([]email.Letter, error)
}

//go:embed mailbox.html
var page embed.FS

const shown = 200

// Mailbox shows the letters as a page, and as JSON to who asks for that. It shows links and codes to whoever asks, and so
// is for development only.
func Mailbox(kept Letters) http.Handler {
	t := template.Must(template.New("mailbox.html").Funcs(template.FuncMap{"pieces": pieces}).ParseFS(page, "mailbox.html"))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		letters, err := kept.KeptLetters(r.Context(), shown)
		if err != nil {
			http.Error(w, "The letters cannot be read.", http.StatusInternalServerError)
			return
		}
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Vary", "Accept")
		if r.Header.Get("Accept") == "application/json" {
			h.Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(map[string]any{"items": asJSON(letters)})
			return
		}
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		h.Set("Content-Type", "text/html; charset=utf-8")
		_ = t.Execute(w, letters)
	})
}

type letterJSON struct {
	ID        string      `json:"id"`
	To        string      `json:"to"`
	Subject   string      `json:"subject"`
	Text      string      `json:"text"`
	State     email.State `json:"state"`
	Error     string      `json:"error,omitempty"`
	CreatedAt time.Time   `json:"createdAt"`
}

func asJSON(letters []email.Letter) []letterJSON {
	out := make([]letterJSON, len(letters))
	for i, l := range letters {
		out[i] = letterJSON{l.ID, l.To, l.Subject, l.Text, l.State, l.Error, l.CreatedAt}
	}
	return out
}

var link = regexp.MustCompile(`https?://\S+`)

// piece is a part of a text; a link where it is one.
type piece struct{ Text, Link string }

// pieces cuts a text into links and what is between them.
func pieces(text string) (out []piece) {
	at := 0
	for _, m := range link.FindAllStringIndex(text, -1) {
		out = append(out, piece{Text: text[at:m[0]]}, piece{Text: text[m[0]:m[1]], Link: text[m[0]:m[1]]})
		at = m[1]
	}
	return append(out, piece{Text: text[at:]})
}
