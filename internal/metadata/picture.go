package metadata

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"image"
	"image/color"
	_ "image/gif" // the formats that are read
	"image/jpeg"
	"image/png"
	"slices"
	"strings"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"
)

// The widths in pixels in which pictures are kept. One that is smaller is kept as wide as it is.
var Widths = []int{320, 640, 1200}

// Picture is a picture in the sizes that pages need, or an SVG.
type Picture struct {
	Key      string // the SHA-256 of its source, in hexadecimal digits
	Type     string // image/jpeg, image/png or image/svg+xml
	Variants []Variant
}

// Variant is a picture in one size. An SVG has one of width 0.
type Variant struct {
	Width int
	Body  []byte
}

const (
	maxDecoded = 100 << 20 // bytes of a source when it is decoded: 26 megapixels
	maxRatio   = 3         // of its sides
	maxScans   = 64        // of a progressive JPEG, each of which costs a pass over the picture
	maxVariant = 4 << 20   // bytes
	maxSVG     = 1 << 20   // bytes
	quality    = 85        // of JPEG
)

// Render decodes a picture and re-encodes it in each size, so that nothing but its pixels is passed on: JPEG, PNG, GIF (its first
// frame) and WebP, by their content and not by what the host calls them. SVG is passed on as it is, and is to be served in a sandbox.
// The error says why it is no picture.
func Render(source []byte) (Picture, error) {
	p := Picture{Key: keyOf(source)}
	if isSVG(source) {
		if len(source) > maxSVG {
			return p, fault("the SVG is larger than %d bytes", maxSVG)
		}
		p.Type, p.Variants = "image/svg+xml", []Variant{{0, source}}
		return p, nil
	}
	head, format, err := image.DecodeConfig(bytes.NewReader(source))
	if err != nil {
		return p, fault("it is no picture that can be read")
	}
	bytesPerPixel := 4
	if head.ColorModel == color.NRGBA64Model || head.ColorModel == color.RGBA64Model {
		bytesPerPixel = 8
	}
	if head.Width < 1 || head.Height < 1 || head.Width > maxDecoded/bytesPerPixel/head.Height {
		return p, fault("the picture has %d times %d pixels, which are too many", head.Width, head.Height)
	}
	if head.Width > maxRatio*head.Height || head.Height > maxRatio*head.Width {
		return p, fault("the picture has %d times %d pixels, which is too long", head.Width, head.Height)
	}
	if format == "jpeg" && bytes.Count(source, []byte{0xff, 0xda}) > maxScans {
		return p, fault("the picture has more than %d scans", maxScans)
	}
	decoded, _, err := decode(source)
	if err != nil || decoded.Bounds().Empty() {
		return p, fault("the picture is damaged")
	}
	p.Type = "image/png"
	if opaque(decoded) && decoded.Bounds().Dx() >= Widths[0] { // what is smaller may be pixel art
		p.Type = "image/jpeg"
	}
	for i, width := range slices.Backward(Widths) {
		if i > 0 && Widths[i-1] >= decoded.Bounds().Dx() {
			continue // the next smaller one is as wide as the picture
		}
		decoded = scale(decoded, width) // each from the larger one
		body, err := encodePicture(decoded, p.Type)
		if err != nil {
			return p, fault("the picture cannot be encoded: %v", err)
		}
		if len(body) > maxVariant {
			continue
		}
		p.Variants = append(p.Variants, Variant{width, body})
	}
	if len(p.Variants) == 0 {
		return p, fault("the picture is too detailed")
	}
	slices.Reverse(p.Variants)
	return p, nil
}

// keyOf returns the key of a picture.
func keyOf(source []byte) string {
	sum := sha256.Sum256(source)
	return hex.EncodeToString(sum[:])
}

// isPicture reports whether a source begins like a picture of a format that is read.
func isPicture(source []byte) bool {
	_, _, err := image.DecodeConfig(bytes.NewReader(source))
	return err == nil
}

// decode decodes a picture. Decoders of the standard library do not panic on hostile input, but a picture must not end the process if one
// does.
func decode(source []byte) (_ image.Image, format string, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the decoder failed")
		}
	}()
	return image.Decode(bytes.NewReader(source))
}

// isSVG reports whether a source is an SVG document, after what may stand before its root.
func isSVG(source []byte) bool {
	head := strings.TrimLeft(string(source[:min(len(source), 4096)]), "\ufeff \t\r\n")
	for strings.HasPrefix(head, "<?") || strings.HasPrefix(head, "<!") {
		end := ">"
		if strings.HasPrefix(head, "<!--") {
			end = "-->"
		}
		_, rest, ok := strings.Cut(head, end)
		if !ok {
			return false
		}
		head = strings.TrimLeft(rest, " \t\r\n]>")
	}
	return strings.HasPrefix(head, "<svg") || strings.HasPrefix(head, "<svg:svg")
}

func opaque(m image.Image) bool {
	o, ok := m.(interface{ Opaque() bool })
	return ok && o.Opaque()
}

// scale returns a picture at most width pixels wide.
func scale(m image.Image, width int) image.Image {
	b := m.Bounds()
	if b.Dx() <= width {
		return m
	}
	if b.Dx() > width*3/2 { // the better way needs much memory for a large source
		half := image.NewNRGBA(image.Rect(0, 0, width*3/2, max(1, b.Dy()*width*3/2/b.Dx())))
		draw.ApproxBiLinear.Scale(half, half.Bounds(), m, b, draw.Src, nil)
		m, b = half, half.Bounds()
	}
	height := max(1, b.Dy()*width/b.Dx())
	to := image.NewNRGBA(image.Rect(0, 0, width, height))
	draw.CatmullRom.Scale(to, to.Bounds(), m, b, draw.Src, nil)
	return to
}

func encodePicture(m image.Image, kind string) ([]byte, error) {
	var out bytes.Buffer
	var err error
	if kind == "image/png" {
		err = (&png.Encoder{CompressionLevel: png.DefaultCompression}).Encode(&out, m)
	} else {
		err = jpeg.Encode(&out, onWhite(m), &jpeg.Options{Quality: quality})
	}
	return out.Bytes(), err
}

// onWhite converts palettes, which JPEG lacks.
func onWhite(m image.Image) image.Image {
	if _, ok := m.(*image.Paletted); !ok {
		return m
	}
	to := image.NewRGBA(m.Bounds())
	draw.Draw(to, to.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(to, to.Bounds(), m, m.Bounds().Min, draw.Over)
	return to
}
