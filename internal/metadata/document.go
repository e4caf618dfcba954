package metadata

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"pantheon/internal/kit/rarity"
)

// Document is what a token's metadata says, in the form in which it is kept. Its texts are cleaned and bounded, but they are the words of
// strangers: pages show them as text.
type Document struct {
	Name        string      `json:"name,omitempty"` // "" where the metadata has none
	Description string      `json:"description,omitempty"`
	Image       string      `json:"image,omitempty"` // the URI of the picture; "" for none
	Attributes  []Attribute `json:"attributes,omitempty"`
	// Rarity is how rare the token is by statistics over its collection; "" where that is not known.
	Rarity rarity.Rarity `json:"-"`
}

// Attribute is one trait of a token. A token may have several values of one trait.
type Attribute struct {
	Trait string `json:"trait"`
	Value string `json:"value"`
}

// Bounds of a Document, in characters; what is longer is cut. More attributes are left out.
const (
	maxName        = 120
	maxDescription = 4000
	maxTrait       = 60
	maxValue       = 120
	maxAttributes  = 60
	maxImageURI    = 4096 // of other URIs than data URIs, in bytes
)

// Parse reads a token's metadata as contracts, hosts and generators write it: by ERC-721 and ERC-1155, by OpenSea's conventions, and the
// variants of both that are met in public collections. What is odd in one field does not keep it from reading the others. It returns
// an error for what is no JSON object.
func Parse(raw []byte) (Document, error) {
	var d Document
	object, err := parseObject(raw)
	if err != nil {
		return d, err
	}
	d.Name = clean(textOf(first(object, "name", "title", "token_name", "tokenName")), maxName)
	d.Description = cleanLines(textOf(first(object, "description", "desc", "bio")), maxDescription)
	d.Image = imageOf(object)
	for _, field := range []string{"attributes", "traits", "properties"} {
		for _, a := range attributesOf(first(object, field)) {
			if len(d.Attributes) < maxAttributes && !slices.Contains(d.Attributes, a) {
				d.Attributes = append(d.Attributes, a)
			}
		}
		if len(d.Attributes) > 0 {
			break // the others repeat these
		}
	}
	return d, nil
}

// parseObject reads a JSON object, also one after a byte order mark, in a list of one, or as a string.
func parseObject(raw []byte) (map[string]any, error) {
	raw = bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(raw), []byte("\ufeff")))
	if len(raw) == 0 {
		return nil, fault("the answer is empty")
	}
	if raw[0] == '<' {
		return nil, fault("the answer is a page, not JSON")
	}
	raw = bytes.ToValidUTF8(raw, []byte("\ufffd"))
	if depth(raw) > maxDepth {
		return nil, fault("the JSON is nested too deeply")
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, fault("the answer is no JSON: %v", err)
	}
	for range 2 {
		switch v := value.(type) {
		case map[string]any:
			return v, nil
		case []any:
			if len(v) == 0 {
				return nil, fault("the JSON is an empty list")
			}
			value = v[0]
		case string:
			inner := json.NewDecoder(strings.NewReader(v))
			inner.UseNumber()
			if err := inner.Decode(&value); err != nil {
				return nil, fault("the JSON is a text")
			}
		}
	}
	if v, ok := value.(map[string]any); ok {
		return v, nil
	}
	return nil, fault("the JSON is no object")
}

// maxDepth is how deep the JSON of a token may be nested.
const maxDepth = 32

// depth returns how deep brackets are nested, those in strings aside.
func depth(raw []byte) (deepest int) {
	now, inString, escaped := 0, false, false
	for _, c := range raw {
		switch {
		case escaped:
			escaped = false
		case inString:
			escaped = c == '\\'
			inString = c != '"'
		case c == '"':
			inString = true
		case c == '{' || c == '[':
			now++
			deepest = max(deepest, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return deepest
}

// first returns the first field that is present and not empty. Names are case-insensitive.
func first(object map[string]any, names ...string) any {
	for _, name := range names {
		if v := object[name]; !empty(v) {
			return v
		}
	}
	for _, name := range names {
		for key, v := range object {
			if strings.EqualFold(key, name) && !empty(v) {
				return v
			}
		}
	}
	return nil
}

func empty(v any) bool { return v == nil || v == "" }

// textOf returns a value as text; of a list its values, and of an object its value.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		if v {
			return "Yes"
		}
		return "No"
	case []any:
		var texts []string
		for _, each := range v {
			if t := textOf(each); t != "" {
				texts = append(texts, t)
			}
		}
		return strings.Join(texts, ", ")
	case map[string]any:
		return textOf(first(v, "value", "description", "en", "name"))
	}
	return ""
}

// imageOf returns the URI of the picture. A picture within the metadata is returned as a data URI.
func imageOf(object map[string]any) string {
	for _, name := range []string{"image", "image_url", "imageUrl", "image_uri", "imageURI", "picture", "img"} {
		if uri := uriOf(first(object, name)); uri != "" {
			return uri
		}
	}
	if svg := strings.TrimSpace(textOf(first(object, "image_data", "imageData", "svg_image_data", "svg"))); svg != "" {
		if strings.HasPrefix(svg, "<") {
			return "data:image/svg+xml;base64," + encode(svg)
		}
		return svg
	}
	if properties, ok := object["properties"].(map[string]any); ok { // the form of ERC-1155's example
		if uri := uriOf(properties["image"]); uri != "" {
			return uri
		}
		if files, ok := properties["files"].([]any); ok {
			for _, f := range files {
				if uri := uriOf(f); uri != "" {
					return uri
				}
			}
		}
	}
	return uriOf(object["animation_url"]) // of collections that have nothing else; what is no picture is left out later
}

// uriOf returns a URI that stands as text, in an object or first in a list.
func uriOf(v any) string {
	switch v := v.(type) {
	case string:
		v = tidy(v)
		if strings.HasPrefix(v, "<svg") {
			return "data:image/svg+xml;base64," + encode(v)
		}
		if len(v) > maxImageURI && !strings.HasPrefix(v, "data:") {
			return ""
		}
		return v
	case []any:
		if len(v) > 0 {
			return uriOf(v[0])
		}
	case map[string]any:
		return uriOf(first(v, "url", "uri", "src", "description", "value", "default"))
	}
	return ""
}

// attributesOf reads attributes that stand as a list or as an object.
func attributesOf(v any) (out []Attribute) {
	add := func(trait string, value any, display string) {
		text := textOf(value)
		if display == "date" {
			text = dateOf(text)
		}
		a := Attribute{clean(trait, maxTrait), clean(text, maxValue)}
		if a.Value != "" {
			if a.Trait == "" {
				a.Trait = "Property"
			}
			out = append(out, a)
		}
	}
	switch v := v.(type) {
	case []any:
		for _, each := range v {
			switch e := each.(type) {
			case map[string]any:
				trait := textOf(first(e, "trait_type", "traitType", "trait", "type", "key", "name"))
				value := first(e, "value", "val", "trait_value", "traitValue")
				if value == nil && trait == "" && len(e) == 1 { // {"Hat": "Red"}
					for k, only := range e {
						trait, value = k, only
					}
				}
				add(trait, value, strings.ToLower(textOf(first(e, "display_type", "displayType"))))
			case string:
				trait, value, ok := strings.Cut(e, ":")
				if !ok {
					trait, value = "", e
				}
				add(trait, value, "")
			}
		}
	case map[string]any:
		for _, trait := range slices.Sorted(maps.Keys(v)) {
			switch value := v[trait].(type) {
			case map[string]any:
				name := textOf(value["name"])
				if name == "" {
					name = trait
				}
				add(name, first(value, "value", "description"), strings.ToLower(textOf(value["display_type"])))
			case []any:
				if len(value) > 0 {
					if _, isObject := value[0].(map[string]any); isObject {
						continue // such as properties.files
					}
				}
				add(trait, value, "")
			default:
				if lower := strings.ToLower(trait); lower != "image" && lower != "category" {
					add(trait, value, "")
				}
			}
		}
	}
	return out
}

// dateOf returns the day of a date in Unix seconds or milliseconds; other texts as they are.
func dateOf(text string) string {
	var seconds float64
	if _, err := fmt.Sscanf(text, "%g", &seconds); err != nil || strings.ContainsAny(text, "-/T") {
		return text
	}
	if seconds > 1e11 {
		seconds /= 1000
	}
	if seconds < 0 || seconds > 1e11 {
		return text
	}
	return time.Unix(int64(seconds), 0).UTC().Format(time.DateOnly)
}

// clean returns a text in one line without characters that are invisible or change the direction of what stands around them, at most
// limit characters long.
func clean(text string, limit int) string {
	return cut(strings.Join(strings.Fields(visible(text)), " "), limit)
}

// cleanLines is clean for a text of several lines.
func cleanLines(text string, limit int) string {
	var lines []string
	blank := true
	for line := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		line = strings.Join(strings.Fields(visible(line)), " ")
		if line == "" && blank {
			continue
		}
		blank = line == ""
		lines = append(lines, line)
	}
	return cut(strings.TrimSpace(strings.Join(lines, "\n")), limit)
}

// visible replaces control characters by spaces, and drops those of formatting, which reorder or hide text. Joiners, of which emoji and
// some scripts are made, stay.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\u200d' || r == '\u200c':
			return r
		case unicode.Is(unicode.Cf, r) || r == utf8.RuneError || unicode.Is(unicode.Co, r):
			return -1
		case unicode.IsControl(r):
			return ' '
		}
		return r
	}, text)
}

func cut(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	return strings.TrimSpace(string([]rune(text)[:limit-1])) + "…"
}
