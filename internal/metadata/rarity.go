package metadata

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"pantheon/internal/kit/rarity"
)

// shares are the parts of a collection that are of each rarity, the rarest first. What is left is common.
var shares = []struct {
	rarity rarity.Rarity
	share  float64
}{
	{rarity.Mythic, 0.01}, {rarity.Legendary, 0.04}, {rarity.Epic, 0.10}, {rarity.Rare, 0.20}, {rarity.Uncommon, 0.25},
}

// Rarities returns how rare the tokens of a collection are by statistics, in their order: the sum of the information of a token's traits
// (-log2 of the part of the collection that has the same value, or lacks the trait too), by which 1 % of a collection is mythic, the
// next 4 % legendary, 10 % epic, 20 % rare and 25 % uncommon. Tokens of the same sum have the same rarity, the more common one.
func Rarities(tokens [][]Attribute) []rarity.Rarity {
	out := make([]rarity.Rarity, len(tokens))
	counts := map[string]map[string]int{} // by trait and value
	for _, attributes := range tokens {
		for trait, value := range valuesOf(attributes) {
			if counts[trait] == nil {
				counts[trait] = map[string]int{}
			}
			counts[trait][value]++
		}
	}
	traits := slices.Sorted(maps.Keys(counts))
	having := map[string]int{}
	for trait, values := range counts {
		for _, n := range values {
			having[trait] += n
		}
	}
	sums, order := make([]float64, len(tokens)), make([]int, len(tokens))
	for i, attributes := range tokens {
		order[i] = i
		values := valuesOf(attributes)
		for _, trait := range traits {
			same := len(tokens) - having[trait]
			if value, has := values[trait]; has {
				same = counts[trait][value]
			}
			sums[i] -= math.Log2(float64(same) / float64(len(tokens)))
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(sums[b], sums[a]) })
	for place := 0; place < len(order); {
		last := place // of those with the same sum
		for last+1 < len(order) && sums[order[last+1]] == sums[order[place]] {
			last++
		}
		is := rarityAt(float64(last+1) / float64(len(order)))
		for ; place <= last; place++ {
			out[order[place]] = is
		}
	}
	return out
}

// rarityAt returns the rarity of a token at a part of the collection, counted from the rarest.
func rarityAt(part float64) rarity.Rarity {
	var until float64
	for _, s := range shares {
		if until += s.share; part <= until+1e-9 {
			return s.rarity
		}
	}
	return rarity.Common
}

// valuesOf returns the values of a token by trait; several of one trait count as one.
func valuesOf(attributes []Attribute) map[string]string {
	out := make(map[string]string, len(attributes))
	for _, a := range attributes {
		if before, ok := out[a.Trait]; ok {
			a.Value = before + "\x00" + a.Value
		}
		out[a.Trait] = a.Value
	}
	return out
}
