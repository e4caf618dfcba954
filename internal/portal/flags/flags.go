// Package flags switches parts of the portal on and off while it runs. The flags are read from a YAML file, which is
// reloaded when it changes; if the new version is invalid, the last valid one stays in use.
//
// Flags are evaluated through the OpenFeature SDK, whose provider applies the file's rules: they are compiled when
// the file is read, so that an evaluation is cheap. The package runs nothing in the background.
package flags

import (
	"context"
	"fmt"

	"github.com/open-feature/go-sdk/openfeature"
	"github.com/open-feature/go-sdk/openfeature/isolated"

	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/reload"
)

// The keys the portal itself uses.
const (
	Maintenance   = "maintenance_mode"
	Collections   = "2" // the Collections menu
	OtherGames    = "4" // the Other Games menu
	PowerPacks    = "power_packs"
	AllowPurchase = "purchase"
	AllowListing  = "listing"
	AllowOpening  = "pack_opening"
	AllowWebstore = "webstore"
	AllowClaims   = "claims"
	PublicMarket  = "public_market"            // visitors may browse the marketplace
	OfferEmbedded = "enableEmbeddedInCorpSite" // the profile's field of this name
)

// Keys returns the keys that every flags file must have.
func Keys() []string {
	return []string{
		Maintenance, Collections, OtherGames, PowerPacks, AllowPurchase, AllowListing, AllowOpening, AllowWebstore, AllowClaims, PublicMarket,
		OfferEmbedded,
	}
}

// ReasonPaused is the reason of the fault that Require returns.
const ReasonPaused = "paused"

// paused returns the message to a player that a feature is switched off.
func paused(key string) string {
	switch key {
	case AllowPurchase:
		return "Buying is paused for now. Nothing was charged. Please try again later."
	case AllowListing:
		return "Listing is paused for now. Your items stay where they are. Please try again later."
	case AllowOpening:
		return "Opening is paused for now. Nothing was used up. Please try again later."
	case AllowWebstore:
		return "The webstore is closed for now. Please try again later."
	case AllowClaims:
		return "Claiming is paused for now. What is yours stays yours. Please try again later."
	}
	return "This is switched off for now. Please try again later."
}

// Flag is one flag as evaluated.
type Flag struct {
	Enabled bool   `json:"enabled" doc:"Whether it is on."`
	Value   bool   `json:"value" doc:"The same, as the value of a boolean flag."`
	Variant string `json:"variant" doc:"on or off."`
	Reason  string `json:"reason" doc:"How it came about, in OpenFeature's words: STATIC (it has no rules), TARGETING_MATCH, SPLIT (a share of all players), DEFAULT (no rule fits) or DISABLED (off whatever the rules say, as while a chain moves)."`
}

// Context says for whom flags are evaluated. The zero value is a visitor of this server.
type Context struct {
	PlayerID    string // OpenFeature's targeting key; "" for a visitor, who is in no partial share
	Environment string // "" for the server's own
	Project     string
}

// Options configure where the flags come from.
type Options struct {
	Path        string      // YAML file; "" for the default
	Default     []byte      // YAML
	Environment string      // the server's own: dev, stage, test or prod
	Report      func(error) // receives errors of later versions of the file
	// Closed reports whether a flag is off whatever the file says; nil for never.
	Closed func(key string) bool
}

// Service evaluates flags. It is safe for concurrent use.
type Service struct {
	file        *reload.File[map[string]flag]
	client      *openfeature.Client
	environment string
	closed      func(key string) bool
}

// New reads the file. It fails if the file is unreadable or malformed, listing every error.
func New(ctx context.Context, o Options) (*Service, error) {
	f, err := openFile(o.Path, o.Default, o.Report)
	if err != nil {
		return nil, err
	}
	sdk := isolated.NewAPI() // the SDK's default instance is global to the process
	if err := sdk.SetProviderAndWait(ctx, provider{f}); err != nil {
		return nil, fmt.Errorf("flags: %w", err)
	}
	if o.Closed == nil {
		o.Closed = func(string) bool { return false }
	}
	return &Service{file: f, client: sdk.NewClient(), environment: o.Environment, closed: o.Closed}, nil
}

// All returns every flag by its key.
func (s *Service) All(ctx context.Context, c Context) map[string]Flag {
	out := map[string]Flag{}
	for key := range s.file.Current() {
		if f, err := s.Flag(ctx, key, c); err == nil { // otherwise the flag was removed just now
			out[key] = f
		}
	}
	return out
}

// Flag evaluates one flag. It returns fault.NotFound for a flag that the file does not define.
func (s *Service) Flag(ctx context.Context, key string, c Context) (Flag, error) {
	if c.Environment == "" {
		c.Environment = s.environment
	}
	details, err := s.client.BooleanValueDetails(ctx, key, false, openfeature.NewEvaluationContext(c.PlayerID, map[string]any{
		attributeEnvironment: c.Environment, attributeProject: c.Project,
	}))
	if details.ErrorCode == openfeature.FlagNotFoundCode {
		return Flag{}, fault.New(fault.NotFound, "There is no such flag.")
	}
	if err == nil && s.closed(key) {
		return Flag{Variant: VariantOff, Reason: string(openfeature.DisabledReason)}, nil
	}
	return Flag{Enabled: details.Value, Value: details.Value, Variant: details.Variant, Reason: string(details.Reason)}, err
}

// Enabled reports whether a flag is on; an undefined flag is off.
func (s *Service) Enabled(ctx context.Context, key string, c Context) bool {
	f, err := s.Flag(ctx, key, c)
	return err == nil && f.Enabled
}

// Require returns a fault.Conflict with ReasonPaused and a message for the player unless the flag is on for the
// player.
func (s *Service) Require(ctx context.Context, key, playerID string) error {
	if s.Enabled(ctx, key, Context{PlayerID: playerID}) {
		return nil
	}
	return fault.New(fault.Conflict, "%s", paused(key)).WithReason(ReasonPaused)
}
