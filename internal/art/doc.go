// Package art holds the catalogue of the brand's collections and draws all of their tokens.
//
// A token is described and drawn from its collection's slug and its token id alone: the
// same pair gives the same name, the same attributes and the same bytes of SVG in every
// process. Nothing is stored or fetched.
//
// The style is an engraved star chart: line work in bronze and bone on a near-black
// ground, one luminous colour for each rarity. Light falls from the upper left.
//
// A Catalogue is immutable after Load and safe for concurrent use. The package starts no
// goroutines.
package art
