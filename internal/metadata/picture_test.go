package metadata_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pantheon/internal/files"
	"pantheon/internal/metadata"
)

// painted returns a picture of noise.
func painted(width, height int, alpha uint8) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range m.Pix {
		m.Pix[i] = uint8(r.Uint32())
		if i%4 == 3 {
			m.Pix[i] = alpha
		}
	}
	return m
}

func encoded(t *testing.T, write func(*bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func pngOf(t *testing.T, m image.Image) []byte {
	t.Helper()
	return encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, m) })
}

// webp is a picture of 1 times 1 pixels.
const webp = "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA"

func TestPicture_IsEncodedAnewInTheSizesOfThePages(t *testing.T) {
	t.Parallel()
	palette := image.NewPaletted(image.Rect(0, 0, 400, 300), color.Palette{color.Transparent, color.Black})
	frames := &gif.GIF{Image: []*image.Paletted{palette, palette}, Delay: []int{10, 10}}
	small, err := base64.StdEncoding.DecodeString(webp)
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		source []byte
		kind   string
		widths []int
	}{
		"a large photograph": {
			encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, painted(3000, 1500, 255), nil) }), "image/jpeg",
			[]int{320, 640, 1200},
		},
		"a drawing with transparency": {pngOf(t, painted(700, 700, 100)), "image/png", []int{320, 640, 700}},
		"an opaque drawing":           {pngOf(t, painted(500, 900, 255)), "image/jpeg", []int{320, 500}},
		"pixel art":                   {pngOf(t, painted(24, 24, 255)), "image/png", []int{24}},
		"an animation": {
			encoded(t, func(b *bytes.Buffer) error { return gif.EncodeAll(b, frames) }), "image/png", []int{320, 400},
		},
		"WebP": {small, "image/png", []int{1}},
	} {
		p, err := metadata.Render(c.source)
		if err != nil || p.Type != c.kind || len(p.Variants) != len(c.widths) || len(p.Key) != 64 {
			t.Errorf("%s: %s, %d sizes, %v", what, p.Type, len(p.Variants), err)
			continue
		}
		for i, v := range p.Variants {
			m, format, err := image.Decode(bytes.NewReader(v.Body))
			if err != nil || m.Bounds().Dx() != c.widths[i] || "image/"+format != c.kind {
				t.Errorf("%s: size %d is %s of %v, %v", what, i, format, m.Bounds(), err)
			}
			if bytes.Contains(v.Body, []byte("Exif")) {
				t.Errorf("%s: keeps what the source says of itself", what)
			}
		}
	}
}

func TestPicture_SVGStaysAsItIs(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		`<svg xmlns="http://www.w3.org/2000/svg"/>`, "\ufeff<?xml version=\"1.0\"?>\n<!-- > --><!DOCTYPE svg><svg></svg>", " \n<svg:svg/>",
	} {
		p, err := metadata.Render([]byte(source))
		if err != nil || p.Type != "image/svg+xml" || len(p.Variants) != 1 || string(p.Variants[0].Body) != source {
			t.Errorf("%q: %+v, %v", source, p, err)
		}
	}
}

func TestPicture_OthersAreRefused(t *testing.T) {
	t.Parallel()
	bomb := pngOf(t, image.NewGray(image.Rect(0, 0, 10, 10)))
	copy(bomb[16:24], []byte{0, 1, 0, 0, 0, 1, 0, 0}) // 65,536 times 65,536 pixels; the checksum is not looked at before
	for what, c := range map[string]struct{ source, want string }{
		"nothing":         {"", "it is no picture that can be read"},
		"a page":          {"<!DOCTYPE html><html></html>", "it is no picture that can be read"},
		"a film":          {"\x00\x00\x00\x18ftypmp42", "it is no picture that can be read"},
		"a cut picture":   {string(pngOf(t, painted(50, 50, 255))[:2000]), "the picture is damaged"},
		"a large drawing": {"<svg>" + strings.Repeat("x", 1<<20), "the SVG is larger than 1048576 bytes"},
	} {
		if _, err := metadata.Render([]byte(c.source)); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", what, err, c.want)
		}
	}
	tall := pngOf(t, image.NewGray(image.Rect(0, 0, 1201, 3700)))
	if _, err := metadata.Render(tall); err == nil || err.Error() != "the picture has 1201 times 3700 pixels, which is too long" {
		t.Errorf("a picture that is three times as high as wide: %v", err)
	}
	scans := encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, painted(50, 50, 255), nil) })
	scans = append(scans, bytes.Repeat([]byte{0xff, 0xda}, 65)...)
	if _, err := metadata.Render(scans); err == nil || err.Error() != "the picture has more than 64 scans" {
		t.Errorf("a picture of 66 scans: %v", err)
	}
	if _, err := metadata.Render(bomb); err == nil {
		t.Error("a picture of 4 gigapixels is decoded")
	}
}

func TestPictureStore_KeepsPicturesWhole(t *testing.T) {
	t.Parallel()
	folder, ctx := files.Folder{Path: filepath.Join(t.TempDir(), "pictures")}, t.Context()
	f := metadata.NewPictureStore(folder)
	p, err := metadata.Render(pngOf(t, painted(1000, 400, 255)))
	if err != nil {
		t.Fatal(err)
	}
	if has, err := f.Has(ctx, p.Key); has || err != nil {
		t.Fatalf("it is there before: %v", err)
	}
	if _, _, err := f.Get(ctx, p.Key, 640); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reading what is not there: %v", err)
	}
	for range 2 { // also a second time
		if err := f.Put(ctx, p); err != nil {
			t.Fatal(err)
		}
	}
	if has, err := f.Has(ctx, p.Key); !has || err != nil {
		t.Fatalf("it is not there: %v", err)
	}
	half := metadata.Picture{Key: strings.Repeat("a", 64), Type: "image/jpeg", Variants: p.Variants[2:]} // as after a crash in between
	if err := f.Put(ctx, half); err != nil {
		t.Fatal(err)
	}
	if has, err := f.Has(ctx, half.Key); has || err != nil {
		t.Errorf("half a picture is a whole one: %v", err)
	}
	for asked, want := range map[int]int{1: 320, 320: 320, 321: 640, 640: 640, 641: 1000, 4096: 1000} {
		body, kind, err := f.Get(ctx, p.Key, asked)
		if err != nil || kind != "image/jpeg" {
			t.Fatal(kind, err)
		}
		if c, err := jpeg.DecodeConfig(bytes.NewReader(body)); err != nil || c.Width != want {
			t.Errorf("for %d pixels the picture has %d, want %d", asked, c.Width, want)
		}
	}
	for _, key := range []string{"../../etc/passwd", "", "*", strings.Repeat("a", 64) + "/.."} {
		if _, _, err := f.Get(ctx, key, 1); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v", key, err)
		}
		if err := f.Put(ctx, metadata.Picture{Key: key}); err == nil {
			t.Errorf("%q is kept", key)
		}
	}
	left, err := filepath.Glob(filepath.Join(folder.Path, "*", "new-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%v are left, %v", left, err)
	}
	if _, err := os.Stat(folder.Path); err != nil {
		t.Error(err)
	}
}

// listings counts how often files are listed.
type listings struct {
	metadata.Files
	n int
}

func (l *listings) List(ctx context.Context, prefix string) ([]string, error) {
	l.n++
	return l.Files.List(ctx, prefix)
}

// Listing files is slow in a bucket.
func TestPictureStore_FilesOfAPictureAreListedOnce(t *testing.T) {
	t.Parallel()
	folder, ctx := files.Folder{Path: t.TempDir()}, t.Context()
	count := &listings{Files: folder}
	s := metadata.NewPictureStore(count)
	p, err := metadata.Render(pngOf(t, painted(400, 400, 255)))
	if err != nil {
		t.Fatal(err)
	}
	half := p
	half.Variants = p.Variants[1:]
	if err := s.Put(ctx, half); err != nil {
		t.Fatal(err)
	}
	get := func(wantListed int) error {
		t.Helper()
		_, _, err := s.Get(ctx, p.Key, 1)
		if count.n != wantListed {
			t.Errorf("files are listed %d times, want %d", count.n, wantListed)
		}
		return err
	}
	if err := errors.Join(get(1), s.Put(ctx, p), get(2), get(2)); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(folder.Path, p.Key[:2])); err != nil {
		t.Fatal(err)
	}
	if err := get(3); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("deleted: %v", err)
	}
}
