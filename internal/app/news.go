package app

import (
	"io/fs"
	"path/filepath"

	"pantheon/internal/kit/reload"
	"pantheon/internal/portal/news"
)

// newNews returns a function that lists the brand's news for a reader. Files in BRAND_DIR are reloaded when they change.
func newNews(b *base) (func(country string, isPlayer bool) []news.Item, error) {
	current := func() news.List { return nil }
	if b.config.BrandDir != "" {
		files, err := reload.OpenFolder(filepath.Join(b.config.BrandDir, "news"), news.Parse,
			func(err error) { b.log.Error("news rejected, keeping the previous ones", "error", err) })
		if err != nil {
			return nil, err
		}
		current = files.Current
	} else if b.config.Brand.News != nil {
		all, err := news.Parse(b.config.Brand.News)
		if err != nil {
			return nil, err
		}
		current = func() news.List { return all }
	}
	return func(country string, isPlayer bool) []news.Item {
		return current().For(b.clock.Now(), country, isPlayer)
	}, nil
}

// checkNews validates a brand's news files; files may be nil.
func checkNews(files fs.FS) error {
	if files == nil {
		return nil
	}
	_, err := news.Parse(files)
	return err
}
