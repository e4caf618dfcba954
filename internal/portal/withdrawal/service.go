package withdrawal

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/email"
	"pantheon/internal/kit/emailcode"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/keyset"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/periodic"
)

// Player is what the rules ask about a player.
type Player struct {
	Owner, Smart eth.Address
	// Verified is the player's verified wallet, verified at VerifiedAt; nil for none.
	Verified   *eth.Address
	VerifiedAt time.Time
	// PasswordAt is when the password was last changed; zero if it never was.
	PasswordAt time.Time
}

// Listing is a listing of the player's that can still be bought from, now or when it becomes valid again.
type Listing struct {
	Number   string // the marketplace's own number
	Contract eth.Address
	TokenID  string
	Quantity money.Units
}

// Holding is what a wallet holds of a token.
type Holding struct {
	Chain onchain.ChainID
	Asset
}

// Page selects requests, newest first.
type Page struct {
	Before string // the id of the request after which the page begins; "" for the first page
	Limit  int
}

// Store stores the requests. All methods return fault.Unavailable if the database is unreachable.
type Store interface {
	Addresses
	Statement
	// Player returns fault.Conflict while the player has no smart wallet.
	Player(ctx context.Context, playerID string) (Player, error)
	// Holdings returns what a wallet holds of the tokens, by chain, contract and token id.
	Holdings(ctx context.Context, owner eth.Address, tokens []Token) ([]Holding, error)
	// Listings returns the seller's listings on a chain.
	Listings(ctx context.Context, chain onchain.ChainID, seller eth.Address, at time.Time) ([]Listing, error)
	// KnownAddresses returns the addresses that the player has withdrawn to or saved.
	KnownAddresses(ctx context.Context, playerID string) ([]eth.Address, error)

	// Request returns ErrNotFound for an unknown request and for another player's.
	Request(ctx context.Context, playerID, requestID string) (Request, error)
	// Requests returns a page of the player's requests, newest first.
	Requests(ctx context.Context, playerID string, p Page) ([]Request, error)
	// Confirmed returns the player's confirmed requests.
	Confirmed(ctx context.Context, playerID string) ([]Request, error)
	// Used is that of Tx.
	Used(ctx context.Context, playerID, exceptPart string, since time.Time) (Used, error)
	// Expired returns the ids of requests whose time has passed and of which no part is being sent.
	Expired(ctx context.Context, now time.Time) ([]string, error)
	// Ready returns at most limit requests that have become ready and whose players have not been told.
	Ready(ctx context.Context, now time.Time, limit int) ([]Request, error)

	// Change runs fn in one transaction that locks the player's account: nothing else changes the player's requests meanwhile but what
	// follows from the chain. It returns the fault of a frozen account. fn may be retried.
	Change(ctx context.Context, playerID string, fn func(context.Context, Tx) error) error
	// ChangeByLink is Change for the player of the request with the hash of a link's token, who may be frozen. It returns
	// ErrCancelLink if there is none.
	ChangeByLink(ctx context.Context, cancelHash string, fn func(context.Context, Tx, Request) error) error
	// Update runs fn in one transaction. fn may be retried.
	Update(ctx context.Context, fn func(context.Context, Tx) error) error
}

// Caller is the player and session behind a request.
type Caller struct {
	PlayerID  string
	SessionID string
}

// Approvals has players approve a withdrawal: a session alone, which may be stolen, does not suffice.
type Approvals interface {
	// RequestWithdrawal requests the approval of a request, which lines describe, and emails the code, if that is the
	// player's proof. own is the player's wallet whose signature approves it where there is neither email nor password; nil
	// for none. noPasskey means that the player cannot use a passkey now. It returns fault.Conflict with the reason
	// "no-approval" if the player has no proof.
	RequestWithdrawal(ctx context.Context, c Caller, requestID string, lines []string, own *eth.Address, noPasskey bool) (Proof, error)
	// ApproveWithdrawal checks the proof, and returns of which kind it was. It returns fault.Invalid, with the field, if it is
	// wrong, and the faults of RequestWithdrawal.
	ApproveWithdrawal(ctx context.Context, c Caller, requestID string, own *eth.Address, proof Confirmation) (Proof, error)
}

// Mailboxes knows where emails about withdrawals go.
type Mailboxes interface {
	// Address returns the player's email address; "" for none, or if no email is sent.
	Address(ctx context.Context, playerID string) (string, error)
}

// Call is a call that the smart account makes.
type Call struct {
	To    eth.Address
	Value money.Units // wei; 0
	Data  eth.Bytes
}

// Chain encodes calls and knows the recipients.
type Chain interface {
	// TransferCalls returns one call for each cancelled listing and then one for each asset.
	TransferCalls(chain onchain.ChainID, from, to eth.Address, assets []Asset, cancelled []string) ([]Call, error)
	// Accepts returns fault.Invalid if the recipient would refuse one of the assets on the chain, as a contract without a
	// receiver's functions does.
	Accepts(ctx context.Context, chain onchain.ChainID, from, to eth.Address, assets []Asset) error
}

// Options configure a Service.
type Options struct {
	Store     Store
	Approvals Approvals
	Mailboxes Mailboxes
	Chain     Chain
	Rules     Rules
	Clock     clock.Clock
	Keys      keyset.Keys // hash the tokens of emailed links
	// MayWithdraw returns a fault while nothing may leave a player's wallet. It is called when a request is made and confirmed.
	MayWithdraw func(ctx context.Context, playerID string) error
	Site        string // the site's address, for emails
}

// Service implements the capability. It is safe for concurrent use.
type Service struct{ o Options }

// NewService returns a Service.
func NewService(o Options) *Service { return &Service{o} }

// Rules returns the operator's rules.
func (s *Service) Rules() Rules { return s.o.Rules }

// Proof is the way in which a player confirms a request.
type Proof string

// The proofs, in order of preference.
const (
	ByPasskey   Proof = "passkey"
	ByCode      Proof = "code"      // a code of 8 digits, emailed
	ByPassword  Proof = "password"  // where no email is sent
	BySignature Proof = "signature" // of the verified wallet, where there is neither email nor password
)

// NewAsset is an asset as requested.
type NewAsset struct {
	Chain    onchain.ChainID
	Contract string
	TokenID  string // "" for ERC-20
	Amount   string // decimal: in the token's unit for ERC-20, a whole number for items
}

// New is a request for a withdrawal.
type New struct {
	To         string
	Assets     []NewAsset
	Everything bool // all that can be withdrawn; Assets is ignored
}

// Created is a stored request, with what the player should look at before confirming it.
type Created struct {
	Request
	Proof      Proof
	Lookalikes []eth.Address
}

// Create stores a request and emails the code that confirms it, if the player's proof is a code. It returns fault.Invalid with
// the fields and ReasonRecipient or ReasonInsufficient, fault.TooMany with ReasonLimit if a part alone exceeds a daily limit, and
// fault.Conflict with ReasonProof or ReasonTooManyOpen.
func (s *Service) Create(ctx context.Context, c Caller, n New) (Created, error) {
	playerID := c.PlayerID
	if err := s.o.MayWithdraw(ctx, playerID); err != nil {
		return Created{}, err
	}
	p, err := s.o.Store.Player(ctx, playerID)
	if err != nil {
		return Created{}, err
	}
	to, wrong := s.recipient(p, n.To)
	held, err := s.o.Store.Holdings(ctx, p.Smart, s.o.Rules.Tokens)
	if err != nil {
		return Created{}, err
	}
	var parts []Part
	if n.Everything {
		parts, err = s.everything(held)
	} else {
		parts, err = s.requested(n.Assets, held)
	}
	if err := both(wrong, err); err != nil {
		return Created{}, err
	}
	now := s.o.Clock.Now()
	r := Request{
		ID: rand.Text(), PlayerID: playerID, From: p.Smart, To: to, Own: p.Verified != nil && *p.Verified == to,
		State: Unconfirmed, Parts: parts, CreatedAt: now, ExpiresAt: now.Add(ConfirmTTL),
	}
	for i := range r.Parts {
		r.Parts[i].ID = rand.Text()
		// Each part alone must be possible on some day.
		if err := s.o.Rules.within(r.Parts[i].Chain, r.Parts[i].Assets, Used{}); err != nil {
			return Created{}, err
		}
	}
	for _, chain := range s.chains() {
		var assets []Asset
		for _, part := range r.Parts {
			if part.Chain == chain {
				assets = append(assets, part.Assets...)
			}
		}
		if len(assets) == 0 {
			continue
		}
		if err := s.o.Chain.Accepts(ctx, chain, p.Smart, to, assets); err != nil {
			return Created{}, err
		}
	}
	proof, err := s.request(ctx, c, p, r, false)
	if err != nil {
		return Created{}, err
	}
	known, err := s.o.Store.KnownAddresses(ctx, playerID)
	if err != nil {
		return Created{}, err
	}
	known = append(known, p.Smart, p.Owner)
	if p.Verified != nil {
		known = append(known, *p.Verified)
	}
	if err := s.o.Store.Change(ctx, playerID, func(ctx context.Context, tx Tx) error {
		n, err := tx.CountOpen(ctx, playerID, now)
		if err == nil && n >= maxOpen {
			err = ErrTooManyOpen
		}
		if err != nil {
			return err
		}
		return tx.Insert(ctx, r)
	}); err != nil {
		return Created{}, err
	}
	return Created{Request: r, Proof: proof, Lookalikes: Lookalikes(to, known)}, nil
}

// both returns the fault of the recipient, with the invalid fields of the assets if there are any; without one, the error of
// the assets.
func both(recipient, assets error) error {
	f, more := fault.As(recipient), fault.As(assets)
	if f == nil {
		return assets
	}
	if more == nil {
		return f
	}
	joined := *f
	joined.Fields = slices.Concat(f.Fields, more.Fields)
	return &joined
}

// recipient checks an address to which something should be withdrawn.
func (s *Service) recipient(p Player, text string) (eth.Address, error) {
	bad := func(format string, args ...any) error {
		message := fmt.Sprintf(format, args...)
		return fault.InvalidFields(message, fault.Field{Location: "body.to", Message: message}).WithReason(ReasonRecipient)
	}
	to, err := eth.ParseAddress(strings.TrimSpace(text))
	switch {
	case err != nil:
		return to, bad("%s", err)
	case to.IsZero():
		return to, bad("This is the zero address. What is sent there is lost.")
	case to == p.Smart, to == p.Owner:
		return to, bad("This is your own wallet here. Enter the address that you want to send to.")
	case slices.ContainsFunc(s.o.Rules.Tokens, func(t Token) bool { return t.Contract == to }):
		return to, bad("This is the address of a token, not of a wallet. What is sent there is lost.")
	case slices.Contains(s.o.Rules.Portal, to):
		return to, bad("This is an address of the portal's own. What is sent there is lost.")
	}
	return to, nil
}

// chains returns the chains of the tokens, in their order.
func (s *Service) chains() []onchain.ChainID {
	var out []onchain.ChainID
	for _, t := range s.o.Rules.Tokens {
		if !slices.Contains(out, t.Chain) {
			out = append(out, t.Chain)
		}
	}
	return out
}

var errNothing = fault.New(fault.Conflict, "There is nothing in your wallet that can be sent.").WithReason(ReasonInsufficient)

// everything returns all holdings in parts, as many as one request may have. What exceeds the limits of one day is cut into
// several parts.
func (s *Service) everything(held []Holding) ([]Part, error) {
	out := map[onchain.ChainID][]Asset{}
	n := 0
	for _, h := range held {
		if h.Amount.IsZero() || n == MaxRequestAssets {
			continue
		}
		out[h.Chain] = append(out[h.Chain], h.Asset)
		n++
	}
	var parts []Part
	for _, chain := range s.chains() {
		assets, err := merge(out[chain])
		if err != nil {
			return nil, err
		}
		parts = append(parts, s.o.Rules.divide(chain, assets)...)
	}
	if len(parts) == 0 {
		return nil, errNothing
	}
	return parts[:min(len(parts), maxParts)], nil
}

// requested checks the assets that a player has named against what the wallet holds.
func (s *Service) requested(wanted []NewAsset, held []Holding) ([]Part, error) {
	if len(wanted) == 0 || len(wanted) > MaxRequestAssets {
		return nil, fault.InvalidFields("Please choose what to send.",
			fault.Field{Location: "body.assets", Message: fmt.Sprintf("Give 1 to %d assets.", MaxRequestAssets)})
	}
	var fields []fault.Field
	out := map[onchain.ChainID][]Asset{}
	for i, w := range wanted {
		asset, field, message := s.asset(w)
		if message != "" {
			fields = append(fields, fault.Field{Location: fmt.Sprintf("body.assets[%d].%s", i, field), Message: message})
			continue
		}
		out[w.Chain] = append(out[w.Chain], asset)
	}
	if len(fields) > 0 {
		return nil, fault.InvalidFields(fields[0].Message, fields...)
	}
	for chain, assets := range out {
		merged, err := merge(assets)
		if err != nil {
			return nil, err
		}
		out[chain] = merged
		for _, a := range merged {
			if err := s.covered(chain, a, held); err != nil {
				return nil, err
			}
		}
	}
	return split(s.chains(), out), nil
}

// asset parses one requested asset. It returns the wrong field and a message if it is malformed.
func (s *Service) asset(w NewAsset) (a Asset, field, message string) {
	contract, err := eth.ParseAddress(w.Contract)
	if err != nil {
		return a, "contract", err.Error()
	}
	t := s.o.Rules.Token(w.Chain, contract)
	if t == nil {
		return a, "contract", "This cannot leave your wallet."
	}
	a = Asset{Contract: contract, Standard: t.Standard, TokenID: w.TokenID}
	decimals := t.Decimals
	if t.Standard == onchain.ERC20 {
		a.TokenID = "0"
	} else {
		id, ok := new(big.Int).SetString(w.TokenID, 10)
		if !ok || id.Sign() < 0 || id.BitLen() > 256 || id.String() != w.TokenID {
			return a, "tokenId", "This is no id of a token."
		}
		decimals = 0
	}
	amount := w.Amount
	if amount == "" && t.Standard == onchain.ERC721 {
		amount = "1"
	}
	a.Amount, err = money.ParseDecimal(amount, decimals)
	switch {
	case err != nil && decimals > 0:
		return a, "amount", fmt.Sprintf("This must be an amount with at most %d decimals.", decimals)
	case err != nil || t.Standard == onchain.ERC721 && a.Amount.Cmp(money.FromInt(1)) != 0:
		return a, "amount", "This must be a whole number."
	case a.Amount.IsZero():
		return a, "amount", "This must be more than 0."
	}
	return a, "", ""
}

// covered returns a fault unless the wallet holds the asset.
func (s *Service) covered(chain onchain.ChainID, a Asset, held []Holding) error {
	i := slices.IndexFunc(held, func(h Holding) bool { return h.Chain == chain && h.Contract == a.Contract && h.TokenID == a.TokenID })
	var has money.Units
	if i >= 0 {
		has = held[i].Amount
	}
	if has.Cmp(a.Amount) >= 0 {
		return nil
	}
	if a.Standard == onchain.ERC20 {
		t := s.o.Rules.Token(chain, a.Contract)
		return fault.New(fault.Conflict, "You have %s %s.", has.Decimal(t.Decimals), t.Symbol).WithReason(ReasonInsufficient)
	}
	if has.IsZero() {
		return fault.New(fault.Conflict, "This item is not in your wallet.").WithReason(ReasonInsufficient)
	}
	return fault.New(fault.Conflict, "You have %s of this item.", has).WithReason(ReasonInsufficient)
}

// request requests the approval of a request.
func (s *Service) request(ctx context.Context, c Caller, p Player, r Request, noPasskey bool) (Proof, error) {
	proof, err := s.o.Approvals.RequestWithdrawal(ctx, c, r.ID, describe(r, s.o.Rules), s.signer(p, r), noPasskey)
	return proof, s.noProof(err, p, r)
}

// signer returns the wallet whose signature can approve a request: the player's own if the request is to it and it has been
// connected for as long as withdrawals wait, since a thief could have connected theirs; else nil.
func (s *Service) signer(p Player, r Request) *eth.Address {
	if !toOwn(p, r) || s.o.Clock.Now().Before(p.VerifiedAt.Add(s.o.Rules.Delay)) {
		return nil
	}
	return p.Verified
}

// toOwn reports whether a request is to the player's verified wallet, which may have been disconnected since.
func toOwn(p Player, r Request) bool { return r.Own && p.Verified != nil && *p.Verified == r.To }

// noProof says to a player who can approve nothing how to become able to.
func (s *Service) noProof(err error, p Player, r Request) error {
	if f := fault.As(err); f == nil || f.Reason != reasonNoProof {
		return err
	}
	if toOwn(p, r) {
		return fault.New(fault.Conflict,
			"Your connected wallet is new. You can confirm with it from %s on, or add an email in your settings.",
			p.VerifiedAt.Add(s.o.Rules.Delay).UTC().Format("2 January 15:04 UTC")).WithReason(ReasonProof)
	}
	return fault.New(fault.Conflict, "Your account has no email, so you can send to your own connected wallet only. "+
		"Connect it in your settings, or add an email there.").WithReason(ReasonProof)
}

// tokenHash returns the hash under which the token of a link is stored.
func tokenHash(keys keyset.Keys, token string) string { return emailcode.Hash(keys, "cancel", token) }

// SendCode emails a new code for an unconfirmed request; an earlier one becomes invalid. It returns fault.NotFound if there is
// no such request and fault.Conflict with ReasonProof if the player confirms in another way.
func (s *Service) SendCode(ctx context.Context, c Caller, requestID string) error {
	r, err := s.o.Store.Request(ctx, c.PlayerID, requestID)
	if err == nil && !s.waits(r) {
		err = ErrNotFound
	}
	if err != nil {
		return err
	}
	p, err := s.o.Store.Player(ctx, c.PlayerID)
	if err != nil {
		return err
	}
	proof, err := s.request(ctx, c, p, r, true)
	if err == nil && proof != ByCode {
		err = fault.New(fault.Conflict, "Your account has no email we could write to.").WithReason(ReasonProof)
	}
	return err
}

// waits reports whether a request waits for its confirmation.
func (s *Service) waits(r Request) bool {
	return r.State == Unconfirmed && s.o.Clock.Now().Before(r.ExpiresAt)
}

// Confirmation is the player's proof; only one is given.
type Confirmation struct {
	Passkey   []byte // the browser's answer, JSON
	Code      string
	Password  string
	Message   string // the text of the wallet's challenge
	Signature []byte
}

// Confirm confirms a request. It returns fault.NotFound for an unknown request, fault.Invalid with the field for a wrong
// proof, and fault.Conflict with ReasonProof for a proof of another kind than the player's, and with ReasonOver.
func (s *Service) Confirm(ctx context.Context, c Caller, requestID string, proof Confirmation) (Request, error) {
	playerID := c.PlayerID
	r, err := s.o.Store.Request(ctx, playerID, requestID)
	if err != nil {
		return Request{}, err
	}
	if !s.waits(r) {
		return Request{}, fault.New(fault.Conflict, "This withdrawal no longer waits for your confirmation.").WithReason(ReasonOver)
	}
	if err := s.o.MayWithdraw(ctx, playerID); err != nil {
		return Request{}, err
	}
	p, err := s.o.Store.Player(ctx, playerID)
	if err != nil {
		return Request{}, err
	}
	by, err := s.o.Approvals.ApproveWithdrawal(ctx, c, r.ID, s.signer(p, r), proof)
	if err != nil {
		return Request{}, s.noProof(err, p, r)
	}
	address, err := s.o.Mailboxes.Address(ctx, playerID)
	if err != nil {
		return Request{}, err
	}
	now := s.o.Clock.Now()
	ready := now
	switch {
	case toOwn(p, r):
		ready = clock.Later(ready, p.VerifiedAt.Add(s.o.Rules.Delay))
	case by == ByPasskey:
		ready = now.Add(min(s.o.Rules.Delay, s.o.Rules.PasskeyDelay))
	default:
		ready = now.Add(s.o.Rules.Delay)
	}
	if !p.PasswordAt.IsZero() {
		ready = clock.Later(ready, p.PasswordAt.Add(s.o.Rules.Delay))
	}
	var message *email.Message
	var cancelHash string
	if address != "" {
		token := rand.Text() + rand.Text()
		cancelHash = tokenHash(s.o.Keys, token)
		m := confirmedEmail(s.o.Site, token, now, ready, r, s.o.Rules)
		m.To, m.PlayerID = address, playerID
		message = &m
	}
	err = s.o.Store.Change(ctx, playerID, func(ctx context.Context, tx Tx) error {
		if r, err = ownRequest(ctx, tx, playerID, requestID); err != nil {
			return err
		}
		if err := r.confirm(now, ready, cancelHash); err != nil {
			return err
		}
		return errors.Join(save(ctx, tx, r), tx.PostIf(ctx, message))
	})
	if err != nil {
		return Request{}, err
	}
	return r, nil
}

// Reasons of cancelled requests, for the player.
const (
	cancelledText       = "You cancelled it."
	cancelledByLinkText = "It was cancelled by the link in our email."
	// PasswordChangedText is the reason if the password was changed.
	PasswordChangedText = "Your password was changed."
	// FrozenText is the reason if the owner froze the account.
	FrozenText = "You froze your account."
	// FrozenByOperatorText is the reason if an operator froze it.
	FrozenByOperatorText = "Your account was frozen."
)

// Cancel cancels a request of the player's. It returns ErrNotFound, ErrOver, and ErrSending while all of it is being sent.
func (s *Service) Cancel(ctx context.Context, playerID, requestID string) error {
	return s.o.Store.Change(ctx, playerID, func(ctx context.Context, tx Tx) error {
		r, err := ownRequest(ctx, tx, playerID, requestID)
		if err != nil {
			return err
		}
		if err := r.cancel(s.o.Clock.Now(), cancelledText); err != nil {
			return err
		}
		return save(ctx, tx, r)
	})
}

// CancelByToken cancels the request that the token of an emailed link names, and returns it; nobody needs to be signed
// in. It returns fault.NotFound for an unknown token and fault.Conflict if it is too late.
func (s *Service) CancelByToken(ctx context.Context, token string) (cancelled Request, err error) {
	if token == "" || len(token) > 200 {
		return Request{}, fault.New(fault.NotFound, "This link is not valid.")
	}
	for _, key := range s.o.Keys {
		err = s.o.Store.ChangeByLink(ctx, tokenHash(keyset.Keys{key}, token), func(ctx context.Context, tx Tx, r Request) error {
			if err := r.cancel(s.o.Clock.Now(), cancelledByLinkText); err != nil {
				return err
			}
			cancelled = r
			return save(ctx, tx, r)
		})
		if !errors.Is(err, ErrCancelLink) {
			break
		}
	}
	return cancelled, err
}

// Withdrawal returns one of the player's requests; fault.NotFound for any other.
func (s *Service) Withdrawal(ctx context.Context, playerID, requestID string) (Request, error) {
	return s.o.Store.Request(ctx, playerID, requestID)
}

// Withdrawals returns a page of the player's requests, newest first.
func (s *Service) Withdrawals(ctx context.Context, playerID string, p Page) ([]Request, error) {
	return s.o.Store.Requests(ctx, playerID, p)
}

// Calls returns the chain and the calls of the operation that sends a part now: it cancels every listing that the transfers would leave
// without its items, and then makes the transfers. It returns fault.NotFound, and the faults of sending it now.
func (s *Service) Calls(ctx context.Context, playerID, requestID, partID string) (onchain.ChainID, []Call, error) {
	r, err := s.o.Store.Request(ctx, playerID, requestID)
	if err != nil {
		return 0, nil, err
	}
	part := r.part(partID)
	if part == nil {
		return 0, nil, ErrNotFound
	}
	used, err := s.o.Store.Used(ctx, playerID, partID, s.o.Clock.Now().Add(-LimitWindow))
	if err != nil {
		return 0, nil, err
	}
	p, err := s.o.Store.Player(ctx, playerID)
	if err != nil {
		return 0, nil, err
	}
	if err := s.allowed(p, r, *part, used); err != nil {
		return 0, nil, err
	}
	calls, err := s.calls(ctx, r, *part)
	return part.Chain, calls, err
}

// allowed returns nil if the part can be sent now.
func (s *Service) allowed(p Player, r Request, part Part, used Used) error {
	now := s.o.Clock.Now()
	if part.State != Open {
		return fault.New(fault.Conflict, "This has been sent already.").WithReason(ReasonSending)
	}
	if err := r.maySend(now); err != nil {
		return err
	}
	if !p.PasswordAt.IsZero() {
		if until := p.PasswordAt.Add(s.o.Rules.Delay); now.Before(until) {
			return fault.Wait(until.Sub(now), "Your password is new, so nothing can leave your wallet before %s.",
				until.UTC().Format("2 January 15:04 UTC")).
				WithReason(ReasonNotReady)
		}
	}
	return s.o.Rules.within(part.Chain, part.Assets, used)
}

// calls returns the calls of a part. It returns fault.Conflict with ReasonInsufficient if the wallet holds less by now.
func (s *Service) calls(ctx context.Context, r Request, part Part) ([]Call, error) {
	listings, err := s.o.Store.Listings(ctx, part.Chain, r.From, s.o.Clock.Now())
	if err != nil {
		return nil, err
	}
	held, err := s.o.Store.Holdings(ctx, r.From, s.o.Rules.Tokens)
	if err != nil {
		return nil, err
	}
	// The rest covers the listings in the order of their creation.
	left := make([]money.Units, len(part.Assets))
	for i, a := range part.Assets {
		if err := s.covered(part.Chain, a, held); err != nil {
			return nil, fault.New(fault.Conflict, "%s This withdrawal takes more. Cancel it, and send what you have.", err).
				WithReason(ReasonInsufficient)
		}
		h := slices.IndexFunc(held, func(h Holding) bool {
			return h.Chain == part.Chain && h.Contract == a.Contract && h.TokenID == a.TokenID
		})
		if h < 0 {
			continue
		}
		if rest, err := held[h].Amount.Sub(a.Amount); err == nil {
			left[i] = rest
		}
	}
	var cancelled []string
	for _, l := range listings {
		i := slices.IndexFunc(part.Assets, func(a Asset) bool { return a.Contract == l.Contract && a.TokenID == l.TokenID })
		if i < 0 {
			continue
		}
		rest, err := left[i].Sub(l.Quantity)
		if err != nil {
			cancelled = append(cancelled, l.Number)
			continue
		}
		left[i] = rest
	}
	if len(cancelled)+len(part.Assets) > s.o.Rules.MaxCalls {
		return nil, fault.New(fault.Conflict, "Too many of your listings would end at once. Please end some of them first.").
			WithReason("listings")
	}
	return s.o.Chain.TransferCalls(part.Chain, r.From, r.To, part.Assets, cancelled)
}

var (
	errNoWithdrawal = fault.New(fault.Forbidden, "Money and items leave your wallet only as a withdrawal that you have confirmed.").
			WithReason(ReasonNoApproval)
	errChanged = fault.New(fault.Conflict, "Your listings have changed. Please press send again.").WithReason("changed")
)

// MaySend returns nil if the calls are those that send one of the player's parts now. See Calls for the faults; it returns
// fault.Forbidden with ReasonNoApproval if they match no part.
func (s *Service) MaySend(ctx context.Context, playerID string, chain onchain.ChainID, calls []Call) error {
	_, _, _, err := s.match(ctx, playerID, chain, calls)
	return err
}

// match returns the part that the calls send, its request and its player.
func (s *Service) match(ctx context.Context, playerID string, chain onchain.ChainID,
	calls []Call) (r Request, part Part, p Player, err error) {
	requests, err := s.o.Store.Confirmed(ctx, playerID)
	if err != nil {
		return Request{}, Part{}, p, err
	}
	if p, err = s.o.Store.Player(ctx, playerID); err != nil {
		return Request{}, Part{}, p, err
	}
	refused := error(errNoWithdrawal)
	for _, r := range requests {
		for _, part := range r.Parts {
			if part.Chain != chain {
				continue
			}
			transfers, err := s.o.Chain.TransferCalls(chain, r.From, r.To, part.Assets, nil)
			if err != nil {
				return Request{}, Part{}, p, err
			}
			if !hasSuffix(calls, transfers) {
				continue
			}
			used, err := s.o.Store.Used(ctx, playerID, part.ID, s.o.Clock.Now().Add(-LimitWindow))
			if err != nil {
				return Request{}, Part{}, p, err
			}
			if refused = s.allowed(p, r, part, used); refused != nil {
				continue // another part may have the same transfers
			}
			now, err := s.calls(ctx, r, part)
			if err != nil {
				return Request{}, Part{}, p, err
			}
			if !slices.EqualFunc(now, calls, sameCall) {
				refused = errChanged
				continue
			}
			return r, part, p, nil
		}
	}
	return Request{}, Part{}, p, refused
}

func sameCall(a, b Call) bool {
	return a.To == b.To && a.Value.Cmp(b.Value) == 0 && string(a.Data) == string(b.Data)
}

func hasSuffix(calls, end []Call) bool {
	return len(calls) >= len(end) && slices.EqualFunc(calls[len(calls)-len(end):], end, sameCall)
}

// Bind binds the part that the calls send to the operation that makes them. The signer calls it last before it signs. It
// returns the faults of MaySend, and fault.Conflict with ReasonSending if the part is bound to another operation that can
// still reach the chain.
func (s *Service) Bind(ctx context.Context, playerID string, chain onchain.ChainID, sender eth.Address, nonce eth.Quantity, op eth.Hash,
	calls []Call) error {
	r, part, p, err := s.match(ctx, playerID, chain, calls)
	if err != nil {
		return err
	}
	address, err := s.o.Mailboxes.Address(ctx, playerID)
	if err != nil {
		return err
	}
	var message *email.Message
	if address != "" {
		m := sendingEmail(s.o.Site, r, part, s.o.Rules)
		m.To, m.PlayerID = address, playerID
		message = &m
	}
	return s.o.Store.Change(ctx, playerID, func(ctx context.Context, tx Tx) error {
		if err := s.bind(ctx, tx, p, part.ID, op, sender, nonce); err != nil {
			return err
		}
		return tx.PostIf(ctx, message)
	})
}

// OperationDropped makes the part of an operation that was dropped good for another one.
func (s *Service) OperationDropped(ctx context.Context, op eth.Hash) error {
	return s.o.Store.Update(ctx, func(ctx context.Context, tx Tx) error { return Drop(ctx, tx, op) })
}

const (
	sweepInterval = 10 * time.Second
	readyBatch    = 100
)

// Run ends requests whose time has passed and emails players whose requests have become ready, until ctx ends. Errors are
// reported and retried.
func (s *Service) Run(ctx context.Context, report func(error)) error {
	return periodic.Run(ctx, sweepInterval, s.Sweep, report)
}

// Sweep does once what Run does.
func (s *Service) Sweep(ctx context.Context) error {
	now := s.o.Clock.Now()
	errs := []error{s.expire(ctx, now)}
	ready, err := s.o.Store.Ready(ctx, now, readyBatch)
	errs = append(errs, err)
	for _, r := range ready {
		var message *email.Message
		address, err := s.o.Mailboxes.Address(ctx, r.PlayerID)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if address != "" {
			m := readyEmail(s.o.Site, r, s.o.Rules)
			m.To, m.PlayerID = address, r.PlayerID
			message = &m
		}
		errs = append(errs, s.o.Store.Update(ctx, func(ctx context.Context, tx Tx) error {
			r, err := tx.Request(ctx, r.ID)
			if err != nil || r.Told {
				return err
			}
			r.Told = true
			return errors.Join(save(ctx, tx, r), tx.PostIf(ctx, message))
		}))
	}
	return errors.Join(errs...)
}

// expire ends the requests whose time has passed.
func (s *Service) expire(ctx context.Context, now time.Time) error {
	ids, err := s.o.Store.Expired(ctx, now)
	if len(ids) == 0 || err != nil {
		return err
	}
	return s.o.Store.Update(ctx, func(ctx context.Context, tx Tx) error {
		for _, id := range ids {
			r, err := tx.Request(ctx, id)
			if err != nil {
				return err
			}
			if !r.expire(now) {
				continue
			}
			if err := save(ctx, tx, r); err != nil {
				return err
			}
		}
		return nil
	})
}
