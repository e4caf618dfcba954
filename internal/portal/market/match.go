package market

import (
	"slices"
	"strings"
)

// Candidate is what decides whether a listing matches a query.
type Candidate struct {
	Listing Listing
	Words   []string // of its token; see SearchWords
}

// Matches reports whether a listing matches the query's filters as it would while it is live and free.
func (q Query) Matches(c Candidate) bool { return q.matches(q.Words(), c) }

// includes reports whether a price of this rank is within the query's limits, which browsing compares by rank too.
func (q Query) includes(rank int64) bool {
	return (q.Min == nil || PriceRank(*q.Min) <= rank) && (q.Max == nil || PriceRank(*q.Max) >= rank)
}

// matches is Matches with the query's words.
func (q Query) matches(words []string, c Candidate) bool {
	l := c.Listing
	switch {
	case q.Contract != nil && *q.Contract != l.Contract, q.Collection != "" && q.Collection != l.Token.Collection,
		q.TokenID != "" && q.TokenID != l.TokenID, q.Seller != nil && *q.Seller != l.Seller,
		len(q.Rarities) > 0 && !slices.Contains(q.Rarities, l.Token.Rarity), !q.includes(PriceRank(l.Price)),
		len(words) == 0 && strings.TrimSpace(q.Text) != "":
		return false
	}
	for _, t := range q.Traits {
		if !slices.ContainsFunc(l.Token.Attributes, func(a Attribute) bool {
			return a.TraitType == t.Name && (len(t.Values) == 0 || slices.Contains(t.Values, a.Value))
		}) {
			return false
		}
	}
	for _, w := range words {
		if !slices.ContainsFunc(c.Words, func(word string) bool { return strings.HasPrefix(word, w) }) {
			return false
		}
	}
	return true
}
