package operator

import (
	"context"
	"slices"
	"strconv"

	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
)

// Indexes are the indexes of the chains that the portal follows.
type Indexes interface {
	// Chains returns the chains that the portal follows; none before its first start.
	Chains(ctx context.Context) ([]onchain.ChainID, error)
	// DiscardIndex lets the portal discard the index of a chain and read the chain again.
	DiscardIndex(ctx context.Context, chain onchain.ChainID, e Entry) error
}

// RebuildIndex lets the portal that follows a chain discard its index and read the chain from its first block. It returns
// fault.NotFound for a chain that no portal of the database follows.
func (s *Service) RebuildIndex(ctx context.Context, chain onchain.ChainID, by By) error {
	e, err := s.entry(by, "index rebuild", strconv.FormatUint(uint64(chain), 10), "")
	if err != nil {
		return err
	}
	chains, err := s.o.Store.Chains(ctx)
	if err != nil {
		return err
	}
	if !slices.Contains(chains, chain) {
		return fault.New(fault.NotFound, "The portal does not follow chain %d; it follows %v.", chain, chains)
	}
	return s.o.Store.DiscardIndex(ctx, chain, e)
}
