package site

import (
	"bytes"
	"fmt"
	"html"
	"slices"
	"strings"

	xhtml "golang.org/x/net/html"
)

// document is the shell, split where a page's own head is inserted, without the shell's own description.
type document struct {
	before, after []byte
	siteName      string // og:site_name of the shell
}

func splitHead(shell []byte) document {
	var d document
	into := &d.before
	inHead, inTitle := false, false
	z := xhtml.NewTokenizer(bytes.NewReader(shell))
	for z.Next() != xhtml.ErrorToken {
		raw := bytes.Clone(z.Raw())
		token := z.Token()
		if inHead {
			switch {
			case token.Data == "head" && token.Type == xhtml.EndTagToken:
				inHead, into = false, &d.after // insert at the latest here: a shell without a title gets one too
			case token.Data == "title" && token.Type != xhtml.TextToken:
				inTitle, into = token.Type == xhtml.StartTagToken, &d.after
				continue
			case token.Data == "meta" && attribute(token, "property") == "og:site_name":
				d.siteName = attribute(token, "content")
			case inTitle, describesPage(token):
				continue
			}
		} else if token.Data == "head" && token.Type == xhtml.StartTagToken {
			inHead = true
		}
		*into = append(*into, raw...)
	}
	return d
}

// describesPage reports whether a head element describes the page itself.
func describesPage(element xhtml.Token) bool {
	switch element.Data {
	case "meta":
		name := attribute(element, "name")
		return name == "description" || name == "robots" || strings.HasPrefix(name, "twitter:") ||
			strings.HasPrefix(attribute(element, "property"), "og:")
	case "link":
		return attribute(element, "rel") == "canonical"
	}
	return false
}

func attribute(element xhtml.Token, name string) string {
	for _, attr := range element.Attr {
		if attr.Key == name {
			return attr.Val
		}
	}
	return ""
}

// withHead returns the shell with the page's title, description and the tags for shared links in its head: Open Graph
// (ogp.me) and X's cards. Networks require the image's absolute URL, in a raster format.
func (d document) withHead(p Page, publicURL string) []byte {
	var b bytes.Buffer
	title := p.Title
	if d.siteName != "" {
		title += " · " + d.siteName
	}
	b.Write(d.before)
	fmt.Fprintf(&b, "<title>%s</title>", html.EscapeString(title))
	tag := func(kind, name, content string) {
		if content != "" {
			fmt.Fprintf(&b, `<meta %s="%s" content="%s"/>`, kind, name, html.EscapeString(content))
		}
	}
	tag("name", "description", p.Description)
	if p.NoIndex {
		tag("name", "robots", "noindex")
	}
	tag("property", "og:type", "website")
	tag("property", "og:title", title)
	tag("property", "og:description", p.Description)
	card := "summary"
	if p.Image != "" {
		card = "summary_large_image"
		tag("property", "og:image", publicURL+p.Image)
		tag("property", "og:image:width", "1200")
		tag("property", "og:image:height", "630")
		tag("property", "og:image:alt", p.ImageAlt)
		tag("name", "twitter:image", publicURL+p.Image)
		tag("name", "twitter:image:alt", p.ImageAlt)
	}
	tag("property", "og:url", p.URL)
	tag("name", "twitter:card", card)
	tag("name", "twitter:title", title)
	tag("name", "twitter:description", p.Description)
	if p.URL != "" {
		fmt.Fprintf(&b, `<link rel="canonical" href="%s"/>`, html.EscapeString(p.URL))
	}
	b.Write(d.after)
	return b.Bytes()
}

// replaceRegistry replaces the content of the element that carries the registry; a page without one stays as it is.
func replaceRegistry(page, registry []byte) []byte {
	const start, end = `<script id="registry" type="application/json">`, "</script>"
	before, rest, ok := bytes.Cut(page, []byte(start))
	_, after, closed := bytes.Cut(rest, []byte(end))
	if !ok || !closed {
		return page
	}
	return slices.Concat(before, []byte(start), registry, []byte(end), after)
}
