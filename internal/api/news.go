package api

import (
	"context"
	"net/http"
	"time"

	"pantheon/internal/portal/news"
)

// News is what the reader is told now.
type News struct {
	Items []NewsItem `json:"items" doc:"The newest first, 100 at most." nullable:"false"`
}

// NewsItem is one piece of news.
type NewsItem struct {
	ID     string    `json:"id" doc:"Its name; it never changes."`
	Title  string    `json:"title" doc:"Its title."`
	HTML   string    `json:"html" doc:"Its text: paragraphs, headings and lists with emphasis, code and links."`
	From   time.Time `json:"from" doc:"Since when it is told."`
	Banner bool      `json:"banner" doc:"Whether every page shows it."`
}

// mostNews is how much news is told at most, the newest.
const mostNews = 100

type newsQuery struct {
	Banners bool `query:"banners" doc:"Only what every page shows."`
}

func (a *API) registerNews() {
	op := a.operation(call{
		method: http.MethodGet, path: "/api/news", id: "getNews", tag: tagSystem,
		summary: "The studio's news for this reader",
	}, "", a.recognise)
	op.Description = "Some news is for players or for visitors only, or for some countries. A player's token, where it is sent along, " +
		"tells which."
	register(a, op, func(ctx context.Context, in *newsQuery) (*Body[News], error) {
		out := News{Items: []NewsItem{}}
		var told []news.Item
		if a.News != nil {
			told = a.News(countryOf(ctx), callerOf(ctx).PlayerID != "")
		}
		for _, i := range told {
			if in.Banners && !i.Banner || len(out.Items) == mostNews {
				continue
			}
			out.Items = append(out.Items, NewsItem{ID: i.ID, Title: i.Title, HTML: i.HTML, From: i.From.UTC(), Banner: i.Banner})
		}
		return body(out), nil
	})
}
