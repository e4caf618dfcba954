package txqueue

import (
	"math/big"
	"regexp"
	"strings"
	"unicode"

	"github.com/ethereum/go-ethereum/params"
)

// Refusal is the kind of a node's refusal of a raw transaction.
type Refusal int

// The kinds of refusals.
const (
	RefusedOther       Refusal = iota
	RefusedKnown               // the pool has it, or another attempt with its nonce
	RefusedNonce               // its nonce is used: it is mined, as its receipt will show
	RefusedUnderpriced         // its fees are below what the node takes
)

// refusalWords are what nodes say, in lower case and letters only: their spellings of one answer differ in case, spaces and
// underscores, too. The first match counts. Nodes have no codes for these.
var refusalWords = []struct {
	words string
	kind  Refusal
}{
	{"replacementtransactionunderpriced", RefusedKnown}, // go-ethereum, Nitro, bor: a later bump exceeds the other attempt
	{"transactionreplacementunderpriced", RefusedKnown}, // Besu
	{"replacementunderpriced", RefusedKnown},            // Reth
	{"replacementnotallowed", RefusedKnown},             // Nethermind
	{"couldnotreplace", RefusedKnown},                   // Erigon
	{"alreadyknown", RefusedKnown},                      // go-ethereum, Erigon, Nethermind, Besu, bor
	{"knowntransaction", RefusedKnown},                  // Besu, older go-ethereum
	{"alreadyexists", RefusedKnown},
	{"alreadyimported", RefusedKnown}, // Parity, OpenEthereum
	{"alreadyinmempool", RefusedKnown},
	{"alreadyinthe", RefusedKnown},
	{"noncetoolow", RefusedNonce}, // go-ethereum, Erigon, Besu, Nitro, bor
	{"nonceistoolow", RefusedNonce},
	{"oldnonce", RefusedNonce}, // Nethermind
	{"noncehasalreadybeenused", RefusedNonce},
	{"noncealreadyused", RefusedNonce},
	{"underpriced", RefusedUnderpriced}, // go-ethereum, Erigon, bor
	{"gaspricebelowminimum", RefusedUnderpriced},
	{"feetoolow", RefusedUnderpriced},      // Nethermind, Erigon
	{"gaspricetoolow", RefusedUnderpriced}, // Besu
	{"belowconfiguredminimumgasprice", RefusedUnderpriced},
}

// Classify returns the kind of a refusal with the text.
func Classify(text string) Refusal {
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
	return RefusedOther
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
