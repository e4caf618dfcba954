package testkit

import (
	"testing"

	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/webstore"
)

// Catalogue parses a file of products, the built-in one if the text is empty. It accepts anything that a product
// grants, opens or sends, whether or not it exists.
func Catalogue(t testing.TB, text string) *webstore.Catalogue {
	t.Helper()
	name := ""
	if text != "" {
		name = "products.yaml"
	}
	c, err := webstore.ParseCatalogue(name, []byte(text), webstore.Checks{
		Grant: func(draw.Grant) error { return nil },
		Opens: func(string) error { return nil },
		Send:  func(webstore.Send) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
