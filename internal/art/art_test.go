package art

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

var sheetDir = flag.String("sheet", "", "write every drawing and a contact sheet to this folder")

// TestContactSheet is the developer's view of the whole catalogue:
// go test ./internal/art -run ContactSheet -sheet /tmp/sheet
func TestContactSheet(t *testing.T) {
	if *sheetDir == "" {
		t.Skip("writes files only when -sheet is given")
	}
	cat, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(*sheetDir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range SceneNames() {
		svg, err := cat.Scene(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(*sheetDir, "scene-"+name+".svg"), svg, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, col := range cat.Collections() {
		ids := col.TokenIDs
		for i := 1; len(col.TokenIDs) == 0 && i <= 32; i++ {
			ids = append(ids, fmt.Sprint(i))
		}
		for _, id := range ids {
			item, err := cat.Describe(col.Slug, id)
			if err != nil {
				t.Fatal(err)
			}
			name := filepath.Join(*sheetDir, fmt.Sprintf("%s-%03s.svg", col.Slug, id))
			if err := os.WriteFile(name, cat.SVG(item, Options{}), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
