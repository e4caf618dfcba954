package art

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
)

// Crop selects the visible part of the drawing.
type Crop int

const (
	// Portrait is the whole card, 3:4.
	Portrait Crop = iota
	// Square is the subject alone, without frame and name.
	Square
	// Cutout is the subject alone on a transparent ground, for pages with their own background.
	Cutout
)

// Motion selects whether the drawing is animated.
type Motion int

const (
	// Still draws no animation: for lists and for players who prefer reduced motion.
	Still Motion = iota
	// Alive pulses the light and makes a few stars twinkle (SMIL, opacity only): for one
	// large piece on a page.
	Alive
)

// Options configure SVG. The zero value is a still portrait card.
type Options struct {
	Crop   Crop
	Motion Motion
}

// card is the drawing of one token in progress.
type card struct {
	*canvas
	d    *dice
	item Item
	m    metal
	g    glow
	tint string
	// bleed is how far a sea or a field may extend to each side of the centre, in units.
	bleed float64
	// cutout is set if there is no ground into which the subject can fade.
	cutout bool
	// banks are the ids of the blocks of hatching by line width.
	banks map[int]string
}

// SVG draws the item as a self-contained document without scripts, styles or references:
// 600×800 units for a portrait, 600×600 for the square, 680×740 for the cutout. The item must come from Describe.
// The same item and options always give the same bytes.
func (c *Catalogue) SVG(item Item, o Options) []byte {
	k := newCard(item.Collection, item.TokenID, item)
	k.motion = o.Motion
	view := "0 0 600 800"
	switch o.Crop {
	case Square:
		view, k.bleed = "0 50 600 600", 300
	case Cutout:
		view, k.bleed, k.cutout = "0 0 680 740", 300, true
	}
	k.open(view, item.Name)
	if k.cutout {
		// Ground and chart are drawn and discarded, so that the random draws match those of the card.
		document := k.canvas
		k.canvas = newCanvas("")
		k.ground()
		k.chart()
		k.canvas = document
		k.place(40, 60, 1, 0) // margin for parts that leave the card
		k.subject()
		k.end()
		return k.close()
	}
	k.ground()
	k.chart()
	if o.Crop == Portrait {
		k.frame()
	}
	k.subject()
	if o.Crop == Portrait {
		k.keystone()
		k.plate()
	}
	return k.close()
}

// newCard starts a drawing whose random choices and ids depend only on the pair.
func newCard(collection, tokenID string, item Item) *card {
	sum := sha256.Sum256([]byte(collection + "\x00" + tokenID))
	g := glowOf(item.Rarity)
	return &card{
		canvas: newCanvas("a" + hex.EncodeToString(sum[:4]) + "-"),
		d:      newDice(collection, tokenID, "card"),
		item:   item,
		m:      metalOf(item.Material),
		g:      g,
		tint:   mix(groundTop, g.base, 0.06),
		bleed:  256, // just inside the frame
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
