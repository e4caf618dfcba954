package api_test

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"pantheon/internal/api"
	"pantheon/internal/portal/news"
)

// Visitors and players get the items of their audience and country.
// Spec: PAGE-22
func TestNews_IsForTheReader(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{}
	for name, fields := range map[string]string{
		"all": "", "players": "audience: players\n", "visitors": "audience: visitors\n", "belgium": "countries: [BE]\n", "later": "",
		"banner": "banner: true\n",
	} {
		from := "2026-01-01T00:00:00Z"
		if name == "later" {
			from = "2027-01-01T00:00:00Z"
		}
		files[name+".md"] = &fstest.MapFile{Data: []byte("---\ntitle: " + name + "\nfrom: " + from + "\n" + fields + "---\nText.\n")}
	}
	all, err := news.Parse(files)
	if err != nil {
		t.Fatal(err)
	}
	p := guarded(t, func(o *api.Options) {
		o.News = func(code string, isPlayer bool) []news.Item {
			return all.For(time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC), code, isPlayer)
		}
	})
	me := p.register("zeus")
	for name, c := range map[string]struct {
		token, from, want string
	}{
		"a visitor":            {"", "FR", "all banner visitors"},
		"a visitor in Belgium": {"", "BE", "all banner belgium visitors"},
		"a player":             {me.token, "FR", "all banner players"},
		"an expired token":     {"x.y.z", "FR", "all banner visitors"},
	} {
		a := p.send(from(c.from, request{method: "GET", path: "/api/news", authorization: c.token}))
		var got []string
		for _, id := range []string{"all", "banner", "belgium", "later", "players", "visitors"} {
			if strings.Contains(a.text, `"id":"`+id+`"`) {
				got = append(got, id)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
	banners := p.send(request{method: "GET", path: "/api/news?banners=true"})
	if strings.Count(banners.text, `"id":`) != 1 || !strings.Contains(banners.text, `"id":"banner"`) {
		t.Errorf("banners: %s", banners.text)
	}
	for range 100 {
		all = append(all, all[1]) // for everybody
	}
	if n := strings.Count(p.send(request{method: "GET", path: "/api/news"}).text, `"id":`); n != 100 {
		t.Errorf("an answer has %d items, want 100", n)
	}
}
