package api

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/claim"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/move"
	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
)

// RewardOptions are what the calls about rewards and claims need.
type RewardOptions struct {
	Records reward.Records
	Claims  *claim.Service
	Moves   *move.Service
	// BurnOrigin returns what a burn of a contract's tokens earns; "" for nothing.
	BurnOrigin func(contract eth.Address) reward.Origin
	// Faucet gives test money; nil in production.
	Faucet func(ctx context.Context, playerID string) error
}

type rewardsQuery struct {
	Origin string `query:"origin" doc:"What earned them: pack, piggy-bank, ark, power-pack, vault, avatar, gift, faucet, webstore or move; all when left out." enum:"pack,piggy-bank,ark,power-pack,vault,avatar,gift,faucet,webstore,move"`
	OpeningsQuery
}

// OpeningsQuery requests a page of rewards.
type OpeningsQuery struct {
	TxID   string `query:"txId" doc:"Those of one transaction." pattern:"^(0x[0-9a-f]{64})?$"`
	Cursor string `query:"cursor" doc:"nextCursor of the page before." maxLength:"400"`
	Limit  int    `query:"limit" doc:"How many at most." minimum:"1" maximum:"100" default:"30"`
}

// Rewards is a page of the player's rewards, newest first. Burns that are not final yet come first, on the first page.
type Rewards struct {
	Items      []Reward `json:"items" doc:"The rewards." nullable:"false"`
	NextCursor string   `json:"nextCursor,omitempty" doc:"Ask for the next page with it; absent on the last."`
}

// Reward is what one burn, claim or gift earned.
type Reward struct {
	ID       string          `json:"id" doc:"What earned it; of an opening its openingId, of a burn that is not final empty."`
	Origin   reward.Origin   `json:"origin" doc:"What earned it." enum:"pack,piggy-bank,ark,power-pack,vault,avatar,gift,faucet,webstore,move"`
	State    string          `json:"state" doc:"burned: the burn is not final. settled: it is, or the payment is recorded, and the draw is due. drawn: what it gives is known. sending: on its way. done: the player has it. failed: it could not be given. cancelled: it was paid back before it was given." enum:"burned,settled,drawn,sending,done,failed,cancelled"`
	Message  string          `json:"message" doc:"Why it failed; empty otherwise."`
	ChainID  onchain.ChainID `json:"chainId,omitempty" doc:"The chain of the burn; absent without one."`
	TxID     *eth.Hash       `json:"txId,omitempty" doc:"The transaction of the burn; absent without one."`
	Contract *eth.Address    `json:"contract,omitempty" doc:"What was burned, while the burn is not final; absent then."`
	TokenID  string          `json:"tokenId" doc:"Id of the burned token, of the Elder God whose vault was claimed, or of the claimed avatar; empty without one."`
	Amount   int64           `json:"amount" doc:"How many were burned; 0 without a burn." minimum:"0"`
	Fate     int64           `json:"fateAmount" doc:"The fate in piggy banks; 0 for others." minimum:"0"`
	IsVIP    bool            `json:"isVipPiggy" doc:"Whether the piggy banks are VIP ones."`
	Opening  *Opening        `json:"opening,omitempty" doc:"Of a pack: how it is drawn, and what."`
	Grants   []RewardGrant   `json:"grants" doc:"What it gives; none before it is drawn." nullable:"false"`
	Steps    []RewardStep    `json:"steps" doc:"The way from the burn to the player, in order." nullable:"false"`
}

// Opening is the random part of a pack's reward.
type Opening struct {
	OpeningID string                  `json:"openingId" doc:"Its receipt is at /api/packs/openings/{openingId}."`
	Kind      string                  `json:"kind" doc:"The kind of pack: general, avatar or god."`
	PackLevel string                  `json:"packLevel" doc:"The kind's name for kod-pack/open."`
	Round     uint64                  `json:"round,omitempty" doc:"The beacon's round that decides it; absent until the payment's record is anchored."`
	RoundAt   *time.Time              `json:"roundAt,omitempty" doc:"When the round is published; absent with it."`
	Edition   int                     `json:"edition,omitempty" doc:"The edition of the pack; absent while it is not known."`
	Drop      string                  `json:"drop,omitempty" doc:"The drop's id in the table; absent before the draw."`
	Name      string                  `json:"name,omitempty" doc:"The drop's name; absent before the draw."`
	Rarity    string                  `json:"rarity,omitempty" doc:"The drop's rarity; absent before the draw."`
	Item      *projection.DroppedItem `json:"itemDropped,omitempty" doc:"The first token of the drop; absent before the draw, and without one."`
	Nonce     *eth.Hash               `json:"nonce,omitempty" doc:"What the buyer's browser has chosen at the hand-off to the shop; zeros if there was none; absent for a pack that was burned."`
}

// RewardGrant is one part of a reward.
type RewardGrant struct {
	Kind     string       `json:"kind" doc:"token or currency." enum:"token,currency"`
	State    reward.State `json:"state" doc:"pending, sending, done, failed or cancelled." enum:"pending,sending,done,failed,cancelled"`
	Contract *eth.Address `json:"contract,omitempty" doc:"The token's contract."`
	TokenID  string       `json:"tokenId,omitempty" doc:"The token's id, decimal."`
	Name     string       `json:"name,omitempty" doc:"The token's name."`
	Image    string       `json:"image,omitempty" doc:"Address of its picture, relative to the site."`
	Rarity   string       `json:"rarity,omitempty" doc:"Its rarity."`
	Currency string       `json:"currency,omitempty" doc:"The currency's code."`
	Amount   string       `json:"amount" doc:"How many; of an ERC-20 token in base units."`
	// NotBefore is set for transfers from the treasury.
	NotBefore *time.Time `json:"notBefore,omitempty" doc:"When it is sent at the earliest; absent for what is given at once."`
}

// RewardStep is one step of a reward.
type RewardStep struct {
	Step     string     `json:"step" doc:"burned, settled (the burn is final), drawn (packs only), sending or done." enum:"burned,settled,drawn,sending,done"`
	At       *time.Time `json:"at,omitempty" doc:"When it happened; absent until then."`
	Expected *time.Time `json:"expected,omitempty" doc:"When it is expected; absent once it happened and for a reward that failed."`
}

func (a *API) registerRewards() {
	player(a, call{
		method: http.MethodGet, path: "/api/auth/rewards", id: "getRewards", tag: tagHoldings,
		summary: "What the player has earned by burns, claims and gifts, and how far each is", errors: []int{400},
	}, func(ctx context.Context, c account.Caller, in *rewardsQuery) (*Body[Rewards], error) {
		return a.rewards(ctx, c, reward.Query{Origin: reward.Origin(in.Origin)}, in.OpeningsQuery)
	})
	player(a, call{
		method: http.MethodGet, path: "/api/auth/packs/openings", id: "getOpenings", tag: tagHoldings,
		summary: "The packs that the player opened, or bought in the shop and opened by that", errors: []int{400},
	}, func(ctx context.Context, c account.Caller, in *OpeningsQuery) (*Body[Rewards], error) {
		return a.rewards(ctx, c, reward.Query{Openings: true}, *in)
	})
}

func (a *API) rewards(ctx context.Context, c account.Caller, q reward.Query, in OpeningsQuery) (*Body[Rewards], error) {
	q.PlayerID, q.Limit = c.PlayerID, in.Limit
	if in.TxID != "" {
		var err error
		if q.Tx, err = eth.ParseHash(in.TxID); err != nil {
			return nil, err
		}
	}
	var err error
	out := Rewards{Items: []Reward{}}
	paces := map[onchain.ChainID]reward.Pace{}
	pace := func(chain onchain.ChainID) (reward.Pace, error) {
		p, ok := paces[chain]
		if !ok {
			if p, err = a.Records.Pace(ctx, chain); err != nil {
				return p, err
			}
			paces[chain] = p
		}
		return p, nil
	}
	// The burns first: one that is settled between the two reads is in both, and not in none.
	if in.Cursor == "" {
		if out.Items, err = a.unsettled(ctx, c, q, pace); err != nil {
			return nil, err
		}
	}
	var records []reward.Record
	if records, out.NextCursor, err = a.Records.Page(ctx, q, in.Cursor); err != nil {
		return nil, err
	}
	for _, r := range records {
		p, err := pace(r.Chain)
		if err != nil {
			return nil, err
		}
		item, err := a.reward(ctx, r, p)
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, item)
	}
	return body(out), nil
}

// mostUnsettled is how many burns of each wallet are read that are not final yet, the newest first.
const mostUnsettled = 100

// unsettled returns the burns that are not final yet, at most as many as the query asks for.
func (a *API) unsettled(ctx context.Context, c account.Caller, q reward.Query,
	pace func(onchain.ChainID) (reward.Pace, error)) ([]Reward, error) {
	out := []Reward{}
	wallets, err := a.walletsOf(ctx, c.PlayerID)
	if err != nil {
		return nil, err
	}
	burns, err := a.Records.UnsettledBurnsOf(ctx, wallets.all, mostUnsettled)
	if err != nil {
		return nil, err
	}
	for _, b := range burns {
		if len(out) == q.Limit {
			break
		}
		origin := a.BurnOrigin(b.Contract)
		of := q.Origin
		if q.Openings {
			of = reward.FromPack
		}
		if origin == "" || of != "" && of != origin || !q.Tx.IsZero() && q.Tx != b.Tx {
			continue
		}
		p, err := pace(b.Chain)
		if err != nil {
			return nil, err
		}
		amount, _ := b.Amount.Int64()
		out = append(out, Reward{
			Origin: origin, State: "burned", ChainID: b.Chain, TxID: &b.Tx, Contract: &b.Contract, TokenID: b.TokenID, Amount: amount,
			Grants: []RewardGrant{}, Steps: steps(timeline{burned: b.At, now: a.Clock.Now(), pace: p, isPack: origin == reward.FromPack}),
		})
	}
	return out, nil
}

// reward converts a record to what its player sees.
func (a *API) reward(ctx context.Context, r reward.Record, pace reward.Pace) (Reward, error) {
	out := Reward{
		ID: r.Source, Origin: r.Origin, State: string(r.State), Message: r.PlayerMessage(), ChainID: r.Chain, Grants: []RewardGrant{},
	}
	if r.State == reward.Pending {
		out.State = "settled"
	}
	t := timeline{now: a.Clock.Now(), pace: pace, state: r.State}
	if !r.Tx.IsZero() {
		out.TxID = &r.Tx
		t.burned, t.settled = r.EarnedAt, r.CreatedAt
	}
	if r.State == reward.Done {
		t.done = r.UpdatedAt
	}
	// The fields of every origin's detail; see package projection.
	var detail struct {
		TokenID     string                  `json:"tokenId"`
		Amount      json.Number             `json:"amount"`
		FateAmount  int64                   `json:"fateAmount"`
		IsVIP       bool                    `json:"isVipPiggy"`
		PackLevel   string                  `json:"packLevel"`
		Drop        string                  `json:"drop"`
		Name        string                  `json:"name"`
		Rarity      string                  `json:"rarity"`
		ItemDropped *projection.DroppedItem `json:"itemDropped"`
	}
	if err := json.Unmarshal([]byte(r.Detail), &detail); err != nil {
		return out, err
	}
	out.TokenID, out.Fate, out.IsVIP = detail.TokenID, detail.FateAmount, detail.IsVIP
	if r.Origin != reward.FromVault && r.Origin != reward.FromMove { // whose amounts are not of burned tokens
		out.Amount, _ = detail.Amount.Int64() // 0 without one
	}
	if r.Origin == reward.FromPack || r.Origin == reward.FromWebstore {
		o, err := a.Packs.Opening(ctx, r.Source)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return out, err
		}
		if r.Origin == reward.FromWebstore && err != nil { // nothing of it is drawn
			return a.withGrants(out, r, t)
		}
		out.Amount = 1
		out.Opening = &Opening{
			OpeningID: r.Source, Kind: o.Kind, PackLevel: detail.PackLevel, Round: o.Round,
			Edition: o.Edition, Drop: detail.Drop, Name: detail.Name, Rarity: detail.Rarity, Item: detail.ItemDropped,
		}
		if p, ok := o.Origin.(draw.Purchase); ok {
			nonce := eth.Hash(p.Nonce)
			out.Opening.Nonce = &nonce
		}
		t.isPack, t.drawn = true, o.DrawnAt
		if o.Round > 0 {
			t.roundAt = a.Beacon.Schedule.PublishedAt(o.Round)
			out.Opening.RoundAt = &t.roundAt
		}
	}
	return a.withGrants(out, r, t)
}

// withGrants completes a reward by its grants and steps.
func (a *API) withGrants(out Reward, r reward.Record, t timeline) (Reward, error) {
	for _, g := range r.Given {
		grant, err := a.grant(g)
		if err != nil {
			return out, err
		}
		out.Grants = append(out.Grants, grant)
		if g.NotBefore.After(t.notBefore) {
			t.notBefore = g.NotBefore
		}
	}
	out.Steps = steps(t)
	return out, nil
}

func (a *API) grant(g reward.Given) (RewardGrant, error) {
	if g.Kind == reward.KindCurrency {
		var c reward.Currency
		err := json.Unmarshal([]byte(g.Detail), &c)
		return RewardGrant{Kind: "currency", State: g.State, Currency: c.Code, Amount: strconv.FormatInt(c.Amount, 10)}, err
	}
	var m reward.Mint
	if err := json.Unmarshal([]byte(g.Detail), &m); err != nil {
		return RewardGrant{}, err
	}
	out := RewardGrant{Kind: "token", State: g.State, Contract: &m.Contract, TokenID: m.TokenID, Amount: m.Amount.String()}
	if !g.NotBefore.IsZero() {
		out.NotBefore = &g.NotBefore
	}
	if m.Standard != onchain.ERC20 {
		item := a.Goods.Item(m.Contract, m.TokenID)
		out.Name, out.Image, out.Rarity = item.Name, item.Image, item.Rarity
	}
	return out, nil
}

// timeline are the times of a reward's steps; zero for one that has not happened.
type timeline struct {
	burned, settled, drawn, done, roundAt time.Time
	notBefore                             time.Time // when the last of it is sent at the earliest; zero for at once
	now                                   time.Time
	pace                                  reward.Pace
	state                                 reward.State
	isPack                                bool
}

// steps returns the steps of a reward, each with the time when it happened or is expected: by the time of the beacon's round
// and by the pace of the rewards before.
func steps(t timeline) []RewardStep {
	out := []RewardStep{}
	last := t.now
	add := func(step string, at, expected time.Time) {
		s := RewardStep{Step: step}
		switch {
		case !at.IsZero():
			s.At = &at
		case t.state == reward.Failed || t.state == reward.Done || t.state == reward.Cancelled:
			return
		default:
			if expected.Before(last) {
				expected = last
			}
			last = expected
			s.Expected = &expected
		}
		out = append(out, s)
	}
	if !t.burned.IsZero() {
		add("burned", t.burned, time.Time{})
		add("settled", t.settled, t.burned.Add(t.pace.Settle))
	}
	if t.isPack {
		add("drawn", t.drawn, t.roundAt)
	}
	sent := t.drawn
	if !t.isPack {
		sent = t.settled
	}
	if t.state != reward.Sending && t.state != reward.Done {
		sent = time.Time{}
	}
	if last.Before(t.notBefore) {
		last = t.notBefore
	}
	add("sending", sent, last)
	add("done", t.done, last.Add(t.pace.Give))
	return out
}
