package catalogue

import (
	"strings"

	"pantheon/internal/kit/onchain"
)

// Metadata is the JSON metadata of a token (EIP-721, EIP-1155), with the extensions that
// marketplaces read (https://docs.opensea.io/docs/metadata-standards).
type Metadata struct {
	Name string `json:"name"`
	// Description is the item's description and, in a paragraph of its own, its use.
	Description string      `json:"description"`
	Image       string      `json:"image"`
	ExternalURL string      `json:"external_url,omitempty"` // the item's page; the caller's to set
	Attributes  []Attribute `json:"attributes"`
	// BackgroundColor is six hex digits without a number sign.
	BackgroundColor string `json:"background_color,omitempty"`
	// Decimals is 0 for ERC-1155 items, which are not divisible, and absent for ERC-721.
	Decimals *int `json:"decimals,omitempty"`
}

// Metadata returns the item's metadata for the site's base URL ("https://host", without a path).
// The contract is the address under which the site serves the collection.
func (c *Catalogue) Metadata(baseURL, contract string, item Item) Metadata {
	m := Metadata{
		Name:            item.Name,
		Description:     strings.TrimSpace(item.Description + "\n\n" + item.Use),
		Image:           baseURL + "/metadata/" + contract + "/" + item.TokenID + "/image.svg",
		Attributes:      item.Attributes,
		BackgroundColor: c.background,
	}
	if item.Standard == onchain.ERC1155 {
		m.Decimals = new(int)
	}
	return m
}
