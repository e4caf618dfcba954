package move

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"slices"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

// Holding is how much of a token an owner has in a snapshot.
type Holding struct {
	Position int64 // from 1
	Contract eth.Address
	Standard onchain.Standard
	TokenID  string
	Owner    eth.Address
	Amount   money.Units // more than 0
	Claimed  bool
}

// Arrange brings holdings into the order of a snapshot, by contract, token and owner, and numbers them.
func Arrange(all []Holding) {
	slices.SortFunc(all, func(a, b Holding) int {
		return cmp.Or(bytes.Compare(a.Contract[:], b.Contract[:]), cmp.Compare(len(a.TokenID), len(b.TokenID)),
			cmp.Compare(a.TokenID, b.TokenID), bytes.Compare(a.Owner[:], b.Owner[:]))
	})
	for i := range all {
		all[i].Position = int64(i) + 1
	}
}

// Head returns the first lines of a snapshot's text. A line for each holding follows: contract, token, owner, amount in base units.
// Addresses are in lower case. The snapshot's hash is the SHA-256 of this text.
func Head(chain onchain.ChainID, b onchain.Block) string {
	return fmt.Sprintf("holdings snapshot 1\nchain %d\nblock %d %s\n", chain, b.Number, b.Hash)
}

// Line returns a holding's line.
func (h Holding) Line() string {
	return fmt.Sprintf("%s %s %s %s\n", h.Contract, h.TokenID, h.Owner, h.Amount)
}

// Digest hashes a snapshot's text.
type Digest struct{ sum hash.Hash }

// NewDigest returns the Digest of a text that begins with the head.
func NewDigest(chain onchain.ChainID, b onchain.Block) Digest {
	d := Digest{sha256.New()}
	_, _ = io.WriteString(d.sum, Head(chain, b))
	return d
}

// Add adds a holding's line.
func (d Digest) Add(h Holding) { _, _ = io.WriteString(d.sum, h.Line()) }

// Hex returns the hash in hexadecimal.
func (d Digest) Hex() string { return hex.EncodeToString(d.sum.Sum(nil)) }
