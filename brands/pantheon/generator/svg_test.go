package generator

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var sheetDir = flag.String("sheet", "", "write every drawing to this folder")

// slugs are the collections whose tokens are generated.
var slugs = []string{"avatars", "elder-gods", "immortals", "passes-community", "passes-ultimate", "season-avatars"}

// samples are the first n tokens of each collection, of gods 120 at most.
func samples(g *Generator, n int) iter.Seq[token] {
	return func(yield func(token) bool) {
		for _, slug := range slugs {
			for i := 1; i <= n && (slug != gods || i <= 120); i++ {
				if t, ok := g.describe(slug, strconv.Itoa(i)); !ok || !yield(t) {
					return
				}
			}
		}
	}
}

var (
	allowedElements = []string{
		"svg", "title", "defs", "g", "path", "circle", "use", "clipPath", "linearGradient", "radialGradient", "stop",
	}
	references = regexp.MustCompile(`url\(([^)]*)\)`)
	paints     = regexp.MustCompile(`^(none|#[0-9a-f]{3}|#[0-9a-f]{6}|url\(#[-0-9a-z]+\))$`)
	wild       = regexp.MustCompile(`NaN|Inf|[0-9]{5,}`)
)

// inspect parses a document and fails on anything that is not a plain, self-contained
// drawing. It returns the ids and the title.
func inspect(t *testing.T, name string, svg []byte) (ids []string, title string) {
	t.Helper()
	defined, used := map[string]bool{}, map[string]bool{}
	dec := xml.NewDecoder(bytes.NewReader(svg))
	inTitle := false
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s is not XML: %v", name, err)
		}
		switch el := token.(type) {
		case xml.StartElement:
			inTitle = el.Name.Local == "title"
			if !slices.Contains(allowedElements, el.Name.Local) {
				t.Errorf("%s: element <%s>", name, el.Name.Local)
			}
			for _, a := range el.Attr {
				switch key := a.Name.Local; {
				case key == "id":
					if defined[a.Value] {
						t.Errorf("%s: id %q is defined twice", name, a.Value)
					}
					defined[a.Value] = true
					ids = append(ids, a.Value)
				case key == "href":
					if !strings.HasPrefix(a.Value, "#") {
						t.Errorf("%s: reference to %q", name, a.Value)
					}
					used[strings.TrimPrefix(a.Value, "#")] = true
				case strings.HasPrefix(key, "on") || key == "style" || key == "class":
					t.Errorf("%s: attribute %s", name, key)
				case key == "fill" || key == "stroke" || key == "stop-color":
					if !paints.MatchString(a.Value) {
						t.Errorf("%s: %s=%q is not a paint", name, key, a.Value)
					}
				case key != "clip-path" && key != "id" && wild.MatchString(a.Value):
					t.Errorf("%s: %s=%.80q is not a sane number", name, key, a.Value)
				}
				for _, ref := range references.FindAllStringSubmatch(a.Value, -1) {
					if !strings.HasPrefix(ref[1], "#") {
						t.Errorf("%s: reference to %q", name, ref[1])
					}
					used[strings.TrimPrefix(ref[1], "#")] = true
				}
			}
		case xml.CharData:
			if inTitle {
				title += string(el)
			}
		case xml.EndElement:
			inTitle = false
		}
	}
	for id := range used {
		if !defined[id] {
			t.Errorf("%s: %q is used but not defined", name, id)
		}
	}
	return ids, title
}

func gzipped(t *testing.T, data []byte) int {
	t.Helper()
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Len()
}

// Spec: ITEM-13
func TestSVG_EveryCardIsASelfContainedDrawing(t *testing.T) {
	t.Parallel()
	g := load(t)
	owner, n := map[string]string{}, 40
	if testing.Short() {
		n = 10
	}
	for item := range samples(g, n) {
		name := item.Collection + "/" + item.TokenID
		ids, title := inspect(t, name, g.Draw(item.Collection, item.TokenID))
		if title != item.Name {
			t.Errorf("%s: title %q, want %q", name, title, item.Name)
		}
		// Cards are inlined next to each other, so ids must differ between them as well.
		for _, id := range ids {
			if owner[id] != "" {
				t.Errorf("%s and %s share the id %s", name, owner[id], id)
			}
			owner[id] = name
		}
	}
}

func TestSVG_CardsAreSmall(t *testing.T) {
	t.Parallel()
	g := load(t)
	var sizes []int
	for item := range samples(g, 40) {
		size := gzipped(t, g.Draw(item.Collection, item.TokenID))
		sizes = append(sizes, size)
		if size > 9<<10 {
			t.Errorf("%s/%s: %d bytes gzipped, want at most 9 KiB", item.Collection, item.TokenID, size)
		}
	}
	slices.Sort(sizes)
	if typical := sizes[len(sizes)*4/5]; typical > 6<<10 {
		t.Errorf("four of five cards need up to %d bytes gzipped, want at most 6 KiB", typical)
	}
}

// picture is the drawing of the subject without name and ids.
func picture(item token) string {
	k := newCard(item.Collection, item.TokenID, item)
	k.ground()
	k.chart()
	k.subject()
	return strings.ReplaceAll(string(k.buf), k.prefix, "")
}

// Spec: ITEM-13
func TestSVG_DifferentTokensLookDifferent(t *testing.T) {
	t.Parallel()
	g := load(t)
	seen := map[string]string{}
	for item := range samples(g, 200) {
		name := item.Collection + "/" + item.TokenID
		p := picture(item)
		if other := seen[p]; other != "" {
			t.Errorf("%s looks exactly like %s", name, other)
		}
		seen[p] = name
	}
}

// Spec: ITEM-13
func TestSVG_SameTokenSameBytes(t *testing.T) {
	t.Parallel()
	a, b := load(t), load(t)
	rapid.Check(t, func(t *rapid.T) {
		slug := rapid.SampledFrom(slugs).Draw(t, "collection")
		id := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 32).Draw(t, "id")).String()
		if !bytes.Equal(a.Draw(slug, id), b.Draw(slug, id)) {
			t.Fatalf("%s/%s was drawn in two ways", slug, id)
		}
	})
}

// The hashes keep the art from changing by accident: wallets and marketplaces cache images by
// URL. After a deliberate change, copy the new ones from the failure.
func TestSVG_ArtIsStable(t *testing.T) {
	t.Parallel()
	g := load(t)
	for name, want := range map[string]string{
		"elder-gods/4":      "b44341e89976",
		"avatars/7":         "6e05c3d258f4",
		"immortals/2":       "48b2d930310c",
		"passes-ultimate/3": "52279a1aa746",
	} {
		slug, id, _ := strings.Cut(name, "/")
		sum := sha256.Sum256(g.Draw(slug, id))
		if got := hex.EncodeToString(sum[:6]); got != want {
			t.Errorf("%s: hash %s, want %s", name, got, want)
		}
	}
}

func TestSVG_NamesAreEscaped(t *testing.T) {
	t.Parallel()
	const hostile = "</title><script>alert(1)</script>&\"'\x00"
	k := newCanvas("a-")
	k.open("0 0 600 800", hostile)
	_, title := inspect(t, "hostile", k.close())
	if want := strings.ReplaceAll(hostile, "\x00", "\uFFFD"); title != want {
		t.Errorf("title %q, want %q", title, want)
	}
}

func TestSVG_UnknownTokensAreStillCards(t *testing.T) {
	t.Parallel()
	inspect(t, "unknown token", load(t).Draw("hats", "1"))
}

func TestSVG_InscriptionsCanSpellEveryName(t *testing.T) {
	t.Parallel()
	g := load(t)
	for item := range samples(g, 500) {
		for _, ch := range strings.ToUpper(item.Name + labelOf(item.Rarity)) {
			if ch != ' ' && glyph(ch) == "" {
				t.Errorf("%s/%s: no glyph for %q in %q", item.Collection, item.TokenID, ch, item.Name)
			}
		}
	}
	line, height := inscription("A VERY LONG NAME INDEED", 300, 700, 20, 200, 1)
	x0, _, x1, _ := line.bounds()
	if x1-x0 > 200.01 || height >= 20 {
		t.Errorf("a long line is %.1f wide at height %.1f, want at most 200", x1-x0, height)
	}
}

// contrast is the ratio of WCAG 2.2 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio).
func contrast(a, b string) float64 {
	luminance := func(colour string) float64 {
		var sum float64
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			v := float64(hexByte(colour[1+2*i:])) / 255
			if v <= 0.04045 {
				v /= 12.92
			} else {
				v = math.Pow((v+0.055)/1.055, 2.4)
			}
			sum += weight * v
		}
		return sum
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// TestSVG_Sheet writes the art to files for visual inspection:
// go test ./brands/pantheon/generator -run Sheet -sheet /tmp/sheet
func TestSVG_Sheet(t *testing.T) {
	if *sheetDir == "" {
		t.Skip("writes files only when -sheet names a folder")
	}
	g := load(t)
	if err := os.MkdirAll(*sheetDir, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name string, svg []byte) {
		if err := os.WriteFile(filepath.Join(*sheetDir, name+".svg"), svg, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for item := range samples(g, 32) {
		write(fmt.Sprintf("%s-%03s", item.Collection, item.TokenID), g.Draw(item.Collection, item.TokenID))
	}
}

func BenchmarkDescribe(b *testing.B) {
	g := load(b)
	for i := 0; b.Loop(); i++ {
		g.Describe("avatars", strconv.Itoa(i))
	}
}

func BenchmarkDraw(b *testing.B) {
	g := load(b)
	for _, name := range []string{"avatars/7", "elder-gods/11"} {
		b.Run(name, func(b *testing.B) {
			slug, id, _ := strings.Cut(name, "/")
			b.ReportAllocs()
			for b.Loop() {
				b.SetBytes(int64(len(g.Draw(slug, id))))
			}
		})
	}
}
