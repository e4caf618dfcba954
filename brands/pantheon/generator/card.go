package generator

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
)

// card is the drawing of one token in progress.
type card struct {
	*canvas
	d    *dice
	item token
	m    metal
	g    glow
	tint string
	// banks are the ids of the blocks of hatching by line width.
	banks map[int]string
}

// bleed is how far a sea or a field extends to each side of the centre, in units: just inside the frame.
const bleed = 256

// newCard starts a drawing whose random choices and ids depend only on the pair.
func newCard(collection, tokenID string, item token) *card {
	sum := sha256.Sum256([]byte(collection + "\x00" + tokenID))
	g := glowOf(item.Rarity)
	return &card{
		canvas: newCanvas("a" + hex.EncodeToString(sum[:4]) + "-"),
		d:      newDice(collection, tokenID, "card"),
		item:   item,
		m:      metalOf(item.Material),
		g:      g,
		tint:   mix(groundTop, g.base, 0.06),
		banks:  map[int]string{},
	}
}

// open starts the document. The title is its accessible name.
func (c *canvas) open(view, title string) {
	c.raw(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="`, view,
		`" role="img" fill="none" stroke-linecap="round" stroke-linejoin="round"><title>`)
	var text bytes.Buffer
	_ = xml.EscapeText(&text, []byte(title)) // a bytes.Buffer never fails
	c.buf = append(append(c.buf, text.Bytes()...), `</title>`...)
}

func (c *canvas) close() []byte {
	c.raw("</svg>")
	return c.buf
}
