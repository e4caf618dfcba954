package flags

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/open-feature/go-sdk/openfeature"

	"pantheon/internal/kit/reload"
)

// The variants of the flags, which are all boolean.
const (
	VariantOn  = "on"
	VariantOff = "off"
)

// Attributes of an evaluation context that rules use, besides the targeting key, which is the player's id.
const (
	attributeEnvironment = "environment"
	attributeProject     = "project"
)

// flag is one compiled entry of the file; evaluating it takes a few comparisons.
type flag struct {
	on    bool // if no rule matches
	rules []rule
}

// rule applies if all its conditions hold; an empty list is no condition.
type rule struct {
	environments []string
	projects     []string
	share        share
	on           bool
}

// share is a share of all players in hundredths of a percent; without a limit it includes everybody, known or not.
type share struct {
	limited bool
	of      uint64
}

// wholeShare is 100 %, in the unit of share.
const wholeShare = 10_000

// holds reports whether the player is in the share. Membership depends on the flag's key, so that different flags are
// tried out by different players; a larger share includes all players of a smaller one. Unknown players are in no
// share.
func (s share) holds(key, player string) bool {
	if !s.limited {
		return true
	}
	if player == "" {
		return false
	}
	sum := sha256.Sum256([]byte(key + "\x00" + player))
	return binary.BigEndian.Uint64(sum[:])%wholeShare < s.of
}

func (r rule) fits(key string, c openfeature.FlattenedContext) bool {
	among := func(list []string, attribute string) bool {
		value, _ := c[attribute].(string)
		return len(list) == 0 || slices.Contains(list, value)
	}
	player, _ := c[openfeature.TargetingKey].(string)
	return among(r.environments, attributeEnvironment) && among(r.projects, attributeProject) && r.share.holds(key, player)
}

// evaluate returns whether the flag is on, and the OpenFeature reason.
func (f flag) evaluate(key string, c openfeature.FlattenedContext) (on bool, reason openfeature.Reason) {
	for _, r := range f.rules {
		if !r.fits(key, c) {
			continue
		}
		if r.share.limited {
			return r.on, openfeature.SplitReason
		}
		return r.on, openfeature.TargetingMatchReason
	}
	if len(f.rules) > 0 {
		return f.on, openfeature.DefaultReason
	}
	return f.on, openfeature.StaticReason
}

// provider serves the file's flags to the OpenFeature SDK. All are boolean; other types yield a type mismatch.
type provider struct{ file *reload.File[map[string]flag] }

var _ openfeature.FeatureProvider = provider{}

func (p provider) Metadata() openfeature.Metadata { return openfeature.Metadata{Name: "pantheon-yaml"} }

func (p provider) Hooks() []openfeature.Hook { return nil }

func (p provider) BooleanEvaluation(_ context.Context, key string, otherwise bool,
	c openfeature.FlattenedContext) openfeature.BoolResolutionDetail {
	f, ok := p.file.Current()[key]
	if !ok {
		return openfeature.BoolResolutionDetail{Value: otherwise, ProviderResolutionDetail: openfeature.ProviderResolutionDetail{
			Reason: openfeature.ErrorReason, ResolutionError: openfeature.NewFlagNotFoundResolutionError("there is no such flag"),
		}}
	}
	on, reason := f.evaluate(key, c)
	variant := VariantOff
	if on {
		variant = VariantOn
	}
	return openfeature.BoolResolutionDetail{
		Value: on, ProviderResolutionDetail: openfeature.ProviderResolutionDetail{Reason: reason, Variant: variant},
	}
}

func (p provider) StringEvaluation(_ context.Context, key, otherwise string,
	_ openfeature.FlattenedContext) openfeature.StringResolutionDetail {
	return openfeature.StringResolutionDetail{Value: otherwise, ProviderResolutionDetail: p.mismatch(key)}
}

func (p provider) FloatEvaluation(_ context.Context, key string, otherwise float64,
	_ openfeature.FlattenedContext) openfeature.FloatResolutionDetail {
	return openfeature.FloatResolutionDetail{Value: otherwise, ProviderResolutionDetail: p.mismatch(key)}
}

func (p provider) IntEvaluation(_ context.Context, key string, otherwise int64,
	_ openfeature.FlattenedContext) openfeature.IntResolutionDetail {
	return openfeature.IntResolutionDetail{Value: otherwise, ProviderResolutionDetail: p.mismatch(key)}
}

func (p provider) ObjectEvaluation(_ context.Context, key string, otherwise any,
	_ openfeature.FlattenedContext) openfeature.InterfaceResolutionDetail {
	return openfeature.InterfaceResolutionDetail{Value: otherwise, ProviderResolutionDetail: p.mismatch(key)}
}

func (p provider) mismatch(key string) openfeature.ProviderResolutionDetail {
	err := openfeature.NewFlagNotFoundResolutionError("there is no such flag")
	if _, ok := p.file.Current()[key]; ok {
		err = openfeature.NewTypeMismatchResolutionError("all flags are boolean")
	}
	return openfeature.ProviderResolutionDetail{Reason: openfeature.ErrorReason, ResolutionError: err}
}
