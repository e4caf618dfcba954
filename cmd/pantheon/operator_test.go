package main

import (
	"encoding/json"
	"strings"
	"testing"

	"pantheon/internal/store"
)

// Spec: OPERATE-1, OPERATE-4
func TestOperator_TheRightsOfAsCount(t *testing.T) {
	t.Parallel()
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			settings, _ := furnished(t, engine)
			settings = append(settings, "PUBLIC_URL=https://portal.example")
			out := must(t, settings, "operator", "add", "Ada", "--role=support", "--reason=starts today")
			if want := "Ada opens this link once, until "; !strings.HasPrefix(out, want) ||
				!strings.Contains(out, "\n\n  https://portal.example/operate/join#") {
				t.Errorf("it prints\n%s", out)
			}
			for args, want := range map[string]string{
				"gas raise game 1 --reason=busy --as=ada":     "The role support has no right to this (gas raise). Ask somebody who has.",
				"gas raise game 1 --reason=busy --as=Eve":     `There is no operator "Eve". See pantheon operator list.`,
				"operator role Ada owner --reason=x --as=Ada": "Another owner must do this for you.",
				"operator remove Eve --reason=x":              `There is no operator "Eve".`,
				"operator add ADA --role=owner --reason=x": "Somebody has or had the name ADA, or one that looks like it. " +
					"Choose another: the log has the name.",
			} {
				if out, err := invoke(t, settings, words(args)...); err == nil || err.Error() != want || out != "" {
					t.Errorf("%s: %v, want %s\n%s", args, err, want, out)
				}
			}
			must(t, settings, "player", "freeze", "id:A", "--reason=looks stolen", "--as=Ada")
			must(t, settings, "gas", "raise", "game", "1", "--reason=busy") // the account of the system
			out = must(t, settings, "operator", "list", "--json")
			var list []struct {
				Name, Role   string
				Passkeys     int
				InvitedUntil string
			}
			if err := json.Unmarshal([]byte(out), &list); err != nil || len(list) != 1 || list[0].Name != "Ada" || list[0].Role != "support" ||
				list[0].Passkeys != 0 || list[0].InvitedUntil == "" {
				t.Errorf("the list is %s, %v", out, err)
			}
			if out := must(t, settings, "operator", "log"); !strings.Contains(out, "Ada (") || !strings.Contains(out, "as support") {
				t.Errorf("the log has\n%s", out)
			}
		})
	}
}
