package art

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

	"pantheon/internal/kit/rarity"
)

var sheetDir = flag.String("sheet", "", "write every drawing to this folder")

// samples are all listed tokens and the first n of each generated collection.
func samples(cat *Catalogue, n int) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for _, col := range cat.Collections() {
			ids := col.TokenIDs
			for i := 1; len(col.TokenIDs) == 0 && i <= n; i++ {
				ids = append(ids, strconv.Itoa(i))
			}
			for _, id := range ids {
				item, err := cat.Describe(col.Slug, id)
				if err != nil {
					panic(err)
				}
				if !yield(item) {
					return
				}
			}
		}
	}
}

func generatedSlugs(cat *Catalogue) (slugs []string) {
	for _, col := range cat.Collections() {
		if col.TokenIDs == nil {
			slugs = append(slugs, col.Slug)
		}
	}
	return slugs
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
	cat := load(t)
	owner, n := map[string]string{}, 40
	if testing.Short() {
		n = 10
	}
	for item := range samples(cat, n) {
		name := item.Collection + "/" + item.TokenID
		ids, title := inspect(t, name, cat.SVG(item))
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
	cat := load(t)
	var sizes []int
	for item := range samples(cat, 40) {
		size := gzipped(t, cat.SVG(item))
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
func picture(item Item) string {
	k := newCard(item.Collection, item.TokenID, item)
	k.ground()
	k.chart()
	k.subject()
	return strings.ReplaceAll(string(k.buf), k.prefix, "")
}

// Spec: ITEM-13
func TestSVG_DifferentTokensLookDifferent(t *testing.T) {
	t.Parallel()
	cat := load(t)
	seen := map[string]string{}
	for item := range samples(cat, 200) {
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
	slugs := generatedSlugs(a)
	rapid.Check(t, func(t *rapid.T) {
		slug := rapid.SampledFrom(slugs).Draw(t, "collection")
		id := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 32).Draw(t, "id")).String()
		x, err := a.Describe(slug, id)
		if err != nil {
			t.Fatal(err)
		}
		y, err := b.Describe(slug, id)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.SVG(x), b.SVG(y)) {
			t.Fatalf("%s/%s was drawn in two ways", slug, id)
		}
	})
}

// The hashes keep the art from changing by accident: wallets and marketplaces cache images by
// URL. After a deliberate change, copy the new ones from the failure.
func TestSVG_ArtIsStable(t *testing.T) {
	t.Parallel()
	cat := load(t)
	for name, want := range map[string]string{
		"game-items/1":      "25748b189972",
		"game-items/43":     "d5412b75a7cd",
		"elder-gods/4":      "b44341e89976",
		"avatars/7":         "6e05c3d258f4",
		"immortals/2":       "48b2d930310c",
		"passes-ultimate/3": "52279a1aa746",
		"chests/3":          "ab94b40423a8",
		"arks/1":            "ae5cd8cb7c61",
	} {
		collection, id, _ := strings.Cut(name, "/")
		item, err := cat.Describe(collection, id)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(cat.SVG(item))
		if got := hex.EncodeToString(sum[:6]); got != want {
			t.Errorf("%s: hash %s, want %s", name, got, want)
		}
	}
}

func TestSVG_NamesAreEscaped(t *testing.T) {
	t.Parallel()
	cat := load(t)
	const hostile = "</title><script>alert(1)</script>&\"'\x00"
	_, title := inspect(t, "hostile", cat.SVG(Item{
		Name: hostile, Kind: "sword", Form: "leaf", Material: "iron", Rarity: rarity.Rare,
	}))
	if want := strings.ReplaceAll(hostile, "\x00", "\uFFFD"); title != want {
		t.Errorf("title %q, want %q", title, want)
	}
}

func TestSVG_UnknownItemsAreStillCards(t *testing.T) {
	t.Parallel()
	inspect(t, "empty item", load(t).SVG(Item{}))
}

func TestSVG_InscriptionsCanSpellEveryName(t *testing.T) {
	t.Parallel()
	cat := load(t)
	for item := range samples(cat, 500) {
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
// go test ./internal/art -run Sheet -sheet /tmp/sheet
func TestSVG_Sheet(t *testing.T) {
	if *sheetDir == "" {
		t.Skip("writes files only when -sheet names a folder")
	}
	cat := load(t)
	if err := os.MkdirAll(*sheetDir, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name string, svg []byte) {
		if err := os.WriteFile(filepath.Join(*sheetDir, name+".svg"), svg, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for item := range samples(cat, 32) {
		write(fmt.Sprintf("%s-%03s", item.Collection, item.TokenID), cat.SVG(item))
	}
}

func BenchmarkDescribe(b *testing.B) {
	cat := load(b)
	for i := 0; b.Loop(); i++ {
		if _, err := cat.Describe("avatars", strconv.Itoa(i)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSVG(b *testing.B) {
	cat := load(b)
	for _, name := range []string{"game-items/1", "avatars/7", "elder-gods/11"} {
		b.Run(name, func(b *testing.B) {
			collection, id, _ := strings.Cut(name, "/")
			item, err := cat.Describe(collection, id)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				b.SetBytes(int64(len(cat.SVG(item))))
			}
		})
	}
}
