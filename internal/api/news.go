package api

import (
	"context"
	"net/http"
	"time"

	"pantheon/internal/portal/news"
)

// News lists the news items that the caller sees now.
type News struct {
	Items []NewsItem `json:"items" doc:"Newest first; at most 100." nullable:"false"`
}

// NewsItem is a news item.
type NewsItem struct {
	ID     string    `json:"id" doc:"The item's name, which never changes."`
	Title  string    `json:"title" doc:"The title."`
	HTML   string    `json:"html" doc:"The text as HTML: paragraphs, headings and lists with emphasis, code and links."`
	From   time.Time `json:"from" doc:"When the item was published."`
	Banner bool      `json:"banner" doc:"Whether it is shown as a banner on every page."`
}

// maxNewsItems is the maximum number of items in an answer.
const maxNewsItems = 100

type newsQuery struct {
	Banners bool `query:"banners" doc:"Return banners only."`
}

func (a *API) registerNews() {
	op := a.operation(call{
		method: http.MethodGet, path: "/api/news", id: "getNews", tag: tagSystem,
		summary: "List news items and banners",
	}, "", a.recognise)
	op.Description = "Items can be restricted to players or visitors, and to countries. Send the player's token, if there is one."
	register(a, op, func(ctx context.Context, in *newsQuery) (*Body[News], error) {
		out := News{Items: []NewsItem{}}
		var items []news.Item
		if a.News != nil {
			items = a.News(countryOf(ctx), callerOf(ctx).PlayerID != "")
		}
		for _, i := range items {
			if in.Banners && !i.Banner || len(out.Items) == maxNewsItems {
				continue
			}
			out.Items = append(out.Items, NewsItem{ID: i.ID, Title: i.Title, HTML: i.HTML, From: i.From.UTC(), Banner: i.Banner})
		}
		return body(out), nil
	})
}
