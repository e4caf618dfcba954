package draw

import (
	"embed"
	"encoding/json"
	"fmt"
)

//go:embed testdata/receipts.json testdata/purchases.json testdata/hostile.json testdata/hostile-purchases.json testdata/hostile-tables.json
var vectorFiles embed.FS

// Vector is a text that is a receipt whose outcome follows from it, or not. The beacon of most is one for tests.
type Vector struct {
	Name  string `json:"name" doc:"What is particular about it; empty for an ordinary receipt."`
	Text  string `json:"text" doc:"The text."`
	Valid bool   `json:"valid" doc:"Whether a verifier must accept it."`
}

// Vectors are what any verifier of receipts can be tested with. Both of ours are.
func Vectors() (out []Vector) {
	for _, name := range []string{"receipts", "purchases"} {
		var texts []string
		read(name, &texts)
		for _, text := range texts {
			out = append(out, Vector{Text: text, Valid: true})
		}
	}
	for _, name := range []string{"hostile", "hostile-purchases", "hostile-tables"} {
		var hostile []struct {
			Name, Text string
			Error      bool
		}
		read(name, &hostile)
		for _, h := range hostile {
			out = append(out, Vector{h.Name, h.Text, !h.Error})
		}
	}
	return out
}

func read(name string, into any) {
	text, err := vectorFiles.ReadFile("testdata/" + name + ".json")
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		panic(fmt.Sprintf("draw: the vectors %s: %v", name, err)) // embedded
	}
}
