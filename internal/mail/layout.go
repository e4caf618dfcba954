package mail

import (
	"html/template"
	"net/url"
	"regexp"
	"strings"

	"pantheon/internal/kit/email"
)

// Brand is how emails look: like the site.
type Brand struct {
	Name string // of the site
	Site string // its address
	Icon string // the address of a square picture, as PNG
	// Support and Deletion are the paths of the pages where players write to support and keep an account that is to be deleted.
	Support, Deletion string
	Color             string // of the head, as #rrggbb, on which white is readable; a dark grey for others
}

// Scheme is a color scheme of an email.
type Scheme string

// The schemes. An email that is sent follows the reader's.
const (
	ReadersScheme Scheme = ""
	Light         Scheme = "light"
	Dark          Scheme = "dark"
)

var layout = template.Must(template.New("layout.html").ParseFS(page, "layout.html"))

// part is a paragraph, an indented block, a code alone, or a link.
type part struct {
	Lines  []string
	Block  []string
	Code   string
	Link   string
	Label  string // of the link
	Second bool   // a link that is not what the email is for
}

// labels are what buttons say, by the path that they lead to. The first that the path begins with counts.
var labels = []struct {
	path, label string
	second      bool
}{
	{"/new-password", "Choose a new password", false},
	{"/forgot-password", "Choose a new password", false},
	{"/portal/not-me", "This was not me", true},
	{"/portal/notifications", "See your notifications", false},
	{"/portal/edit", "Open your settings", false},
	{"/portal/withdrawals/cancel", "Cancel it", true},
	{"/portal/money", "Open your wallet", false},
	{"/login", "Sign in", false},
}

// signature begins what capabilities end an email with; the layout has its own.
const signature = "\n-- \n"

// Text returns an email as plain text, signed by the brand.
func (b Brand) Text(m email.Message) string {
	body, _, _ := strings.Cut(m.Text, signature)
	return strings.TrimRight(body, "\n") + "\n" + signature + b.Name + "\n" + b.Site + "\n"
}

// HTML returns an email as a page. Its words are those of the text; links that stand alone become buttons.
func (b Brand) HTML(m email.Message, scheme Scheme) (string, error) {
	body, _, _ := strings.Cut(m.Text, signature)
	color := "#14181d"
	if colorForm.MatchString(b.Color) {
		color = b.Color
	}
	schemes := string(scheme)
	if scheme == ReadersScheme {
		schemes = "light dark"
	}
	var out strings.Builder
	err := layout.Execute(&out, map[string]any{
		"Subject": m.Subject, "Parts": b.parts(body), "Name": b.Name, "Site": b.Site, "Host": email.Host(b.Site), "Icon": b.Icon,
		"Color": template.CSS(color), "Schemes": schemes, "MayBeDark": scheme != Light, "IsDark": scheme == Dark,
	})
	return out.String(), err
}

var (
	codeForm  = regexp.MustCompile(`^[0-9A-Z]{4,12}$`)
	colorForm = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)
)

// parts splits a text into its paragraphs.
func (b Brand) parts(text string) (out []part) {
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		var p part
		flush := func() {
			if len(p.Lines)+len(p.Block) > 0 {
				out = append(out, p)
			}
			p = part{}
		}
		for line := range strings.SplitSeq(strings.Trim(paragraph, "\n"), "\n") {
			switch trimmed := strings.TrimSpace(line); {
			case trimmed == "":
			case strings.HasPrefix(line, b.Site+"/") && !strings.Contains(trimmed, " "):
				flush()
				button := b.button(trimmed)
				if n := len(out); n > 0 && len(out[n-1].Lines) == 1 && out[n-1].Lines[0] == button.Label+":" {
					out = out[:n-1] // the button says it
				}
				out = append(out, button)
			case strings.HasPrefix(line, "    "):
				if len(p.Lines) > 0 {
					flush()
				}
				p.Block = append(p.Block, trimmed)
			default:
				if len(p.Block) > 0 {
					flush()
				}
				p.Lines = append(p.Lines, trimmed)
			}
		}
		if len(p.Block) == 1 && codeForm.MatchString(p.Block[0]) {
			p = part{Code: p.Block[0], Lines: []string{p.Block[0]}}
		}
		flush()
	}
	return out
}

func (b Brand) button(link string) part {
	p := part{Link: link, Label: "Open the page"}
	u, err := url.Parse(link)
	if err != nil {
		return p
	}
	switch u.Path {
	case b.Deletion:
		p.Label, p.Second = "Keep my account", true
	case b.Support:
		p.Label = "Write to our support"
	}
	for _, l := range labels {
		if strings.HasPrefix(u.Path, l.path) {
			p.Label, p.Second = l.label, l.second
			break
		}
	}
	return p
}
