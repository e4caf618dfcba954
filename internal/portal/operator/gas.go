package operator

import (
	"context"
	"fmt"
	"slices"
	"time"

	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

// gasDecimals is the number of decimals of the chains' own currencies.
const gasDecimals = 18

// GasBudget is what the portal pays for players' gas on a chain today. Amounts are in wei.
type GasBudget struct {
	Chain      string          `json:"chain,omitzero"` // "" for a chain that the database follows and no setting names
	ChainID    onchain.ChainID `json:"chainId"`
	Day        time.Time       `json:"day"`       // its start
	Raised     money.Units     `json:"raised"`    // by operators, for the day
	Spent      money.Units     `json:"spent"`     // and reserved
	Newcomers  money.Units     `json:"newcomers"` // what of it is spent on players who had not bought before
	Operations int64           `json:"operations"`
	Limits     *GasLimits      `json:"limits,omitzero"` // nil for a chain that no setting names
}

// GasLimits is a chain's gas budget for today and its remaining part.
type GasLimits struct {
	Budget         money.Units `json:"budget"`
	Left           money.Units `json:"left"`
	OperationsLeft int64       `json:"operationsLeft"`
}

// The chains, as operators name them.
const (
	GameChain = "game"
	MainChain = "main"
)

// GasBudgets reads the budgets.
type GasBudgets interface {
	// GasBudgets returns the budget of each chain for the day of a time: those of the settings, then others that the database follows.
	GasBudgets(ctx context.Context, at time.Time) ([]GasBudget, error)
}

// GasRaises stores what operators add to budgets.
type GasRaises interface {
	// Chains returns the chains that the portal follows; none before its first start.
	Chains(ctx context.Context) ([]onchain.ChainID, error)
	// RaiseGas adds operations and an amount in wei to a chain's budget for the day of the entry.
	RaiseGas(ctx context.Context, chain onchain.ChainID, operations int64, wei money.Units, e Entry) error
}

// Gas returns the gas budget of each chain for today.
func (s *Service) Gas(ctx context.Context) ([]GasBudget, error) {
	return s.o.Gas.GasBudgets(ctx, s.o.Clock.Now())
}

// RaiseGas adds an amount of the chain's own currency, such as 0.05, and a number of operations to today's budget of a chain, game or
// main, and returns the budget. It returns fault.Invalid for an unknown chain and where nothing is added, and fault.Conflict for a chain
// that the portal does not follow: the settings are another portal's.
func (s *Service) RaiseGas(ctx context.Context, chain, amount string, operations int64, by By) (GasBudget, error) {
	wei, err := money.ParseDecimal(amount, gasDecimals)
	if err != nil {
		return GasBudget{}, fault.New(fault.Invalid, "The amount must be a number such as 0.05.")
	}
	if operations < 0 || wei.IsZero() && operations == 0 {
		return GasBudget{}, fault.New(fault.Invalid, "Say by how much: an amount, or a number of operations.")
	}
	detail := wei.Decimal(gasDecimals)
	if operations > 0 {
		detail += fmt.Sprintf(", %d operations", operations)
	}
	e, err := s.entry(by, "gas raise", chain, detail)
	if err != nil {
		return GasBudget{}, err
	}
	b, err := s.gasOf(ctx, chain, e.At)
	if err != nil {
		return GasBudget{}, err
	}
	chains, err := s.o.Store.Chains(ctx)
	if err != nil {
		return GasBudget{}, err
	}
	if len(chains) > 0 && !slices.Contains(chains, b.ChainID) {
		return GasBudget{}, fault.New(fault.Conflict,
			"The portal does not follow chain %d. Give the command the portal's ENVIRONMENT and ids of chains.", b.ChainID)
	}
	if err := s.o.Store.RaiseGas(ctx, b.ChainID, operations, wei, e); err != nil {
		return GasBudget{}, err
	}
	return s.gasOf(ctx, chain, e.At)
}

func (s *Service) gasOf(ctx context.Context, chain string, at time.Time) (GasBudget, error) {
	budgets, err := s.o.Gas.GasBudgets(ctx, at)
	if err != nil {
		return GasBudget{}, err
	}
	for _, b := range budgets {
		if b.Chain == chain && chain != "" {
			return b, nil
		}
	}
	return GasBudget{}, fault.New(fault.Invalid, "The chain must be %s or %s.", GameChain, MainChain)
}
