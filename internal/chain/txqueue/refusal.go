package txqueue

import (
	"math/big"
	"regexp"
	"strings"
	"unicode"

	"github.com/ethereum/go-ethereum/params"
)

// refusal is the kind of a node's refusal of a raw transaction.
type refusal int

const (
	refusedOther       refusal = iota
	refusedKnown               // the pool has it, or another attempt with its nonce
	refusedNonce               // its nonce is used: it is mined, as its receipt will show
	refusedUnderpriced         // its fees are below what the node takes
)

// refusalWords are what nodes say, in lower case and letters only: their spellings of one answer differ in case, spaces and
// underscores, too. The first match counts. Nodes have no codes for these.
var refusalWords = []struct {
	words string
	kind  refusal
}{
	{"replacementtransactionunderpriced", refusedKnown}, // go-ethereum, Nitro, bor: a later bump exceeds the other attempt
	{"transactionreplacementunderpriced", refusedKnown}, // Besu
	{"replacementunderpriced", refusedKnown},            // Reth
	{"replacementnotallowed", refusedKnown},             // Nethermind
	{"couldnotreplace", refusedKnown},                   // Erigon
	{"alreadyknown", refusedKnown},                      // go-ethereum, Erigon, Nethermind, Besu, bor
	{"knowntransaction", refusedKnown},                  // Besu, older go-ethereum
	{"alreadyexists", refusedKnown},
	{"alreadyimported", refusedKnown}, // Parity, OpenEthereum
	{"alreadyinmempool", refusedKnown},
	{"alreadyinthe", refusedKnown},
	{"noncetoolow", refusedNonce}, // go-ethereum, Erigon, Besu, Nitro, bor
	{"nonceistoolow", refusedNonce},
	{"oldnonce", refusedNonce}, // Nethermind
	{"noncehasalreadybeenused", refusedNonce},
	{"noncealreadyused", refusedNonce},
	{"underpriced", refusedUnderpriced}, // go-ethereum, Erigon, bor
	{"gaspricebelowminimum", refusedUnderpriced},
	{"feetoolow", refusedUnderpriced},      // Nethermind, Erigon
	{"gaspricetoolow", refusedUnderpriced}, // Besu
	{"belowconfiguredminimumgasprice", refusedUnderpriced},
}

// classify returns the kind of a refusal with the text.
func classify(text string) refusal {
	letters := strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
	for _, w := range refusalWords {
		if strings.Contains(letters, w.words) {
			return w.kind
		}
	}
	return refusedOther
}

// tipNeeded matches the least tip in a refusal, such as "tip needed 30 gwei, tip permitted 1" (bor) and
// "gas tip cap 1, minimum needed 25000000000" (go-ethereum).
var tipNeeded = regexp.MustCompile(`(?i)(?:tip|minimum) needed:?\s*(\d{1,15}(?:\.\d{1,9})?|\d+)\s*(gwei)?`)

// leastTip returns the least tip per unit of gas, in wei, that a refusal for low fees names; nil if it names none.
func leastTip(text string) *big.Int {
	m := tipNeeded.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	amount, ok := new(big.Rat).SetString(m[1])
	if !ok {
		return nil
	}
	if m[2] != "" {
		amount.Mul(amount, new(big.Rat).SetInt64(params.GWei))
	}
	return new(big.Int).Quo(amount.Num(), amount.Denom())
}
