package playfab

import (
	"context"
	"errors"
	"log/slog"
	"regexp"
	"slices"

	"pantheon/internal/portal/purse"
)

// currencyCode is the form of PlayFab's currency codes.
var currencyCode = regexp.MustCompile(`^[0-9A-Za-z]{2}$`)

// Currencies returns the player's balances by code; see profile.Platform.
func (p *Platform) Currencies(ctx context.Context, playerID string) (map[string]int64, error) {
	var out struct {
		PlayFabID         string `json:"PlayFabId"`
		InfoResultPayload struct{ UserVirtualCurrency map[string]amount }
	}
	err := p.api.call(ctx, getPlayerCombinedInfo, struct {
		PlayFabID             string `json:"PlayFabId"`
		InfoRequestParameters infoParameters
	}{playerID, infoParameters{GetUserVirtualCurrency: true}}, &out)
	if err == nil && out.PlayFabID != playerID {
		err = nonsense(getPlayerCombinedInfo, "another player, or none")
	}
	if err != nil {
		return nil, explain(err)
	}
	balances := map[string]int64{}
	for code, n := range out.InfoResultPayload.UserVirtualCurrency {
		if !currencyCode.MatchString(code) {
			return nil, explain(nonsense(getPlayerCombinedInfo, "a currency without a code"))
		}
		balances[code] = int64(n)
	}
	return balances, nil
}

// Balance returns the player's balance of a currency; see purse.Platform.
func (p *Platform) Balance(ctx context.Context, playerID, code string) (int64, error) {
	m, err := p.Currencies(ctx, playerID)
	return m[code], err
}

// ChangeBalance adds to a balance or takes from it; see purse.Platform. PlayFab allows negative balances.
func (p *Platform) ChangeBalance(ctx context.Context, playerID, code string, change int64) (int64, error) {
	m, size := addUserVirtualCurrency, change
	if change < 0 {
		m, size = subtractUserVirtualCurrency, -change
	}
	var out struct {
		PlayFabID       string `json:"PlayFabId"`
		VirtualCurrency string
		BalanceChange   *amount
		Balance         *amount
	}
	err := p.api.call(ctx, m, struct {
		PlayFabID       string `json:"PlayFabId"`
		VirtualCurrency string
		Amount          int64
	}{playerID, code, size}, &out)
	if err == nil && (out.PlayFabID != playerID || out.VirtualCurrency != code || out.Balance == nil || out.BalanceChange == nil) {
		err = nonsense(m, "another balance, or none")
	}
	if isUncertain(err) {
		return 0, purse.ErrUncertain.Because(err)
	}
	if err != nil {
		return 0, explain(err)
	}
	if got := int64(*out.BalanceChange); got != size && got != -size {
		// PlayFab discards what exceeds the maximum balance. The purse checks that before: the game has changed the
		// balance since.
		p.log.LogAttrs(ctx, slog.LevelWarn, "PlayFab changed a balance by another amount than asked for", slog.String("player", playerID),
			slog.String("currency", code), slog.Int64("asked", change), slog.Int64("changed", got))
	}
	return int64(*out.Balance), nil
}

// isUncertain reports whether a change may have been applied despite the error: true unless the error is known to
// precede any change.
func isUncertain(err error) bool {
	if l, ok := errors.AsType[*lost](err); ok {
		return !l.unsent
	}
	r := refused(err)
	return r != nil && !slices.Contains(refusedBefore, r.code)
}

// refusedBefore are the errors after which a balance is certainly unchanged.
var refusedBefore = []int{
	invalidParams, accountNotFound, accountBanned, accountDeleted, invalidTitleID, invalidVirtualCurrency, invalidRequest, notAuthenticated,
	notAuthorized,
	concurrentEditError, apiNotEnabledForServer, rateLimitExceeded, invalidJSON, dataUpdateRateExceeded, concurrentRequestLimitExceeded,
	titleDeleted, productDisabled,
}
