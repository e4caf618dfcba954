package testkit

import (
	"testing"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/kit/section"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/webstore"
)

// Catalogue parses a file of products, the brand's if the text is empty. It accepts anything that a product
// grants, opens or sends, whether or not it exists.
func Catalogue(t testing.TB, text string) *webstore.Catalogue {
	t.Helper()
	files := section.Files{brandtest.Pantheon().Products}
	if text != "" {
		files = section.Text("products.yaml", text)
	}
	c, err := webstore.ParseCatalogue(files, webstore.Checks{
		Grant: func(draw.Grant) error { return nil },
		Opens: func(string) error { return nil },
		Send:  func(webstore.Send) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
