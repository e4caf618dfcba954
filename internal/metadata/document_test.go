package metadata_test

import (
	"encoding/base64"
	"os"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"pantheon/internal/metadata"
)

// svg returns a drawing as a data URI.
func svg(text string) string {
	return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(text))
}

// The shapes that public collections have: each keeps its name, its picture and its traits.
// Spec: MARKET-24
func TestDocument_ReadsTheShapesOfPublicCollections(t *testing.T) {
	t.Parallel()
	const ipfs = "ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG/17.png"
	type traits = []metadata.Attribute
	for file, want := range map[string]metadata.Document{
		"list.json": {Name: "Lantern Keeper #17", Description: "Keeps the light.", Image: ipfs, Attributes: traits{
			{"Background", "Dusk"}, {"Eyes", "Amber"}, {"Level", "7"}, {"Born", "2019-01-01"},
		}},
		"object.json": {Name: "Wayfarer 3", Image: "https://art.example/3.webp", Attributes: traits{
			{"Cloak", "Moss"}, {"Marks", "Sun, Moon"}, {"Rank", "12"}, {"Tamed", "Yes"},
		}},
		"erc1155.json": {Name: "Barrel", Description: "Holds water.\n\nMostly.", Image: "https://cdn.example/{id}.png", Attributes: traits{
			{"Hoops", "1, 2, 3"}, {"Depth", "123"}, {"simple", "plain"},
		}},
		"nested_image.json": {
			Name: "Nested", Image: "ar://AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE",
			Attributes: traits{{"image", "AbCd"}},
		},
		"onchain_svg.json": {
			Name: "Drawn on chain", Image: svg("<svg xmlns='http://www.w3.org/2000/svg'><circle r='4'/></svg>"),
			Attributes: traits{{"Shape", "Circle"}},
		},
		"no_name.json":     {Image: "https://art.example/nameless.jpg", Attributes: traits{{"Property", "Lonely"}}},
		"number_name.json": {Name: "121", Image: "https://art.example/a.png"},
		"trait_variants.json": {Name: "Variants", Image: "https://art.example/v.gif", Attributes: traits{
			{"Hat", "None"}, {"Shoes", "Red"}, {"Belt", "Rope"}, {"Ring", "Iron"}, {"Cape", "Long"}, {"Pose", "Sitting"}, {"Property", "Shiny"},
		}},
		"boosts.json": {Name: "Boosted", Image: "https://art.example/b.png", Attributes: traits{
			{"Stamina", "10"}, {"Aqua Power", "40.5"}, {"Big", "1e21"}, {"Deep", "Inner"},
		}},
		"bom_list.json":     {Name: "In a list", Image: "https://art.example/l.png"},
		"hostile_text.json": {Name: "Tab here gnp.exe", Description: "a\nb\n\nc", Image: "https://art.example/x y.png"},
		"string.json":       {Name: "Twice encoded", Image: "https://art.example/t.png"},
		"latin1.json":       {Name: "Latin t", Image: "https://art.example/e.png"},
		"animation.json":    {Name: "Moves", Image: "ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/film.gif"},
		"capital.json": {
			Name: "CAPITALS", Description: "Loud.", Image: "https://art.example/c.png", Attributes: traits{{"Volume", "Loud"}},
		},
		"solana_style.json": {Name: "Files", Image: "https://art.example/f.png", Attributes: traits{{"Side", "Left"}}},
		"localized.json":    {Name: "Localized", Description: "One, Two", Image: "https://art.example/n.png"},
		"base64_image.json": {Name: "Inline", Image: "data:image/png;base64,iVBORw0KGgo="},
		"svg_in_image.json": {Name: "Raw", Image: svg(`<svg xmlns="http://www.w3.org/2000/svg"></svg>`)},
	} {
		raw, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		got, err := metadata.Parse(raw)
		if file == "nested_image.json" {
			got.Attributes, want.Attributes = nil, nil // the example's fields are no traits of anybody's
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%+v, %v, want\n%+v", file, got, err, want)
		}
	}
}

func TestDocument_IsBounded(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/huge.json")
	if err != nil {
		t.Fatal(err)
	}
	got, err := metadata.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	length := utf8.RuneCountInString
	if length(got.Name) > 120 || length(got.Description) > 4000 || got.Image != "" || len(got.Attributes) != 60 ||
		length(got.Attributes[0].Value) > 120 {
		t.Errorf("%d %d %q %d %d", length(got.Name), length(got.Description), got.Image, len(got.Attributes), length(got.Attributes[0].Value))
	}
}

func TestDocument_RefusesWhatIsNone(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"":                                    "the answer is empty",
		" \n":                                 "the answer is empty",
		"<!DOCTYPE html><title>Gone</title>":  "the answer is a page, not JSON",
		"Not found":                           "the answer is no JSON",
		"[]":                                  "the JSON is an empty list",
		"12":                                  "the JSON is no object",
		"null":                                "the JSON is no object",
		`"a text"`:                            "the JSON is a text",
		`{"name":`:                            "the answer is no JSON",
		strings.Repeat(`{"a":`, 100) + "1":    "the JSON is nested too deeply",
		strings.Repeat("[", 1_000_000) + "1":  "the JSON is nested too deeply",
		`["` + strings.Repeat("[", 50) + `"]`: "the JSON is a text",
		`[["deeper"]]`:                        "the JSON is no object",
	} {
		if _, err := metadata.Parse([]byte(raw)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.40q: %v, want %s", raw, err, want)
		}
	}
}

// Whatever a host answers, the texts that are kept are bounded and hide nothing.
func TestDocument_TextsAreCleanWhateverTheHostAnswers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name, trait, value := rapid.String().Draw(t, "name"), rapid.String().Draw(t, "trait"), rapid.String().Draw(t, "value")
		raw := []byte(`{"name":` + quote(name) + `,"attributes":[{"trait_type":` + quote(trait) + `,"value":` + quote(value) + `}]}`)
		d, err := metadata.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		texts := []string{d.Name}
		for _, a := range d.Attributes {
			texts = append(texts, a.Trait, a.Value)
		}
		for _, text := range texts {
			if utf8.RuneCountInString(text) > 120 || !utf8.ValidString(text) || strings.ContainsAny(text, "\n\t\x00\u202e\u2066\u200b") ||
				strings.TrimSpace(text) != text {
				t.Errorf("%q is kept", text)
			}
		}
	})
}

func quote(text string) string {
	var out strings.Builder
	for _, r := range text {
		if r < 0x20 || r == '"' || r == '\\' || r > 0x7e && r < 0x10000 {
			out.WriteString(`\u` + strings.Repeat("0", 4-len(hex(r))) + hex(r))
			continue
		}
		out.WriteRune(r)
	}
	return `"` + out.String() + `"`
}

func hex(r rune) string {
	const digits = "0123456789abcdef"
	out := ""
	for ; r > 0; r >>= 4 {
		out = string(digits[r&15]) + out
	}
	return out
}

func FuzzDocument(f *testing.F) {
	files, err := os.ReadDir("testdata")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		if !file.IsDir() {
			raw, err := os.ReadFile("testdata/" + file.Name())
			if err != nil {
				f.Fatal(err)
			}
			f.Add(raw)
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := metadata.Parse(raw)
		if err == nil && (len(d.Attributes) > 60 || utf8.RuneCountInString(d.Name) > 120) {
			t.Errorf("%+v is not bounded", d)
		}
	})
}
