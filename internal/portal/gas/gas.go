// Package gas is the capability of sponsored transactions: players act on chain without holding ether, because the
// portal pays for their user operations (ERC-4337), within a policy.
//
// The package holds the values, the rules and the ports; it computes and keeps nothing running. The signer, the relay
// and the transaction queue apply the rules, the store keeps the values. Everything here is safe for concurrent use as
// long as nobody changes a Policy that is in use.
package gas

import (
	"context"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

// OperationState is where a user operation stands.
type OperationState string

// An operation goes queued → sent → included or failed; or queued → dropped. Where a reorganisation takes its block
// away, it goes from included or failed back to sent; where its bundle reverted, from sent back to queued.
const (
	OperationQueued   OperationState = "queued"   // accepted and kept; its hash may be handed out
	OperationSent     OperationState = "sent"     // part of a transaction that is signed and kept
	OperationIncluded OperationState = "included" // on chain, and its calls succeeded
	OperationFailed   OperationState = "failed"   // on chain, but its calls reverted: the nonce is spent, nothing else happened
	OperationDropped  OperationState = "dropped"  // given up before it reached the chain
)

// Operation is a user operation that the relay has accepted.
type Operation struct {
	Hash       eth.Hash // identifies it; binds chain and EntryPoint
	Chain      onchain.ChainID
	EntryPoint eth.Address
	Player     string
	Operation  eth.UserOperation
	State      OperationState
	Reason     string   // why it failed or was dropped, in words; "" otherwise
	Bundle     string   // the id of the transaction that carries it; "" for none
	TxHash     eth.Hash // the newest hash of that transaction; zero until it is sent
	BlockHash  eth.Hash // the including block; zero until included or failed
	Reverts    int      // how many bundles with it have reverted
	Told       Step     // the last step the observer has heard of
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// Step is what an Observer hears of an operation, in this order.
type Step int

// The steps. An operation that is dropped skips StepSent.
const (
	StepNone Step = iota
	StepAccepted
	StepSent
	StepSettled
)

// Step returns the newest step that the state stands for.
func (s OperationState) Step() Step {
	switch s {
	case OperationQueued:
		return StepAccepted
	case OperationSent:
		return StepSent
	default:
		return StepSettled
	}
}

// Observer follows operations for other capabilities. Each method is called at least once for its step, in the order
// of the steps, across crashes too; so it must bear to be called again. An error means: call again later.
//
// Sent is called again when the transaction is replaced by one with a higher fee (TxHash changes), and when a
// reorganisation takes the block away (after Settled; Settled follows once more).
type Observer interface {
	Accepted(ctx context.Context, op Operation) error
	Sent(ctx context.Context, op Operation) error
	// Settled is called when op.State is included, failed or dropped; op.Reason says why it failed or was dropped.
	Settled(ctx context.Context, op Operation) error
}

// TransactionState is where a transaction of a backend wallet stands.
type TransactionState string

// A transaction goes pending → sent → mined or failed; or pending → failed, when it would revert. Where a
// reorganisation takes its block away, it goes from mined or failed back to sent.
const (
	TransactionPending TransactionState = "pending" // kept, not signed yet
	TransactionSent    TransactionState = "sent"    // signed and kept, on its way or about to be
	TransactionMined   TransactionState = "mined"   // on chain, and it succeeded
	TransactionFailed  TransactionState = "failed"  // on chain but reverted, or never to be sent; Reason says which
)

// Transaction is a transaction of a backend wallet. The first seven fields are what was asked for.
type Transaction struct {
	ID       string // chosen by the sender; the same id is never sent twice
	Chain    onchain.ChainID
	From, To eth.Address
	Value    money.Units // wei
	Data     []byte
	GasLimit uint64 // 0: estimated when it is signed

	State     TransactionState
	Nonce     uint64    // meaningful once sent
	Attempts  []Attempt // every signed form, oldest first; all have the same nonce, so at most one is ever mined
	TxHash    eth.Hash  // the mined attempt's, else the newest's; zero while pending
	Block     uint64    // the including block's number; meaningful where BlockHash is not zero
	BlockHash eth.Hash
	Reason    string // why it failed
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Attempt is one signed form of a transaction. Later ones offer higher fees.
type Attempt struct {
	Hash    eth.Hash
	Raw     []byte // as it is broadcast
	FeeCap  money.Units
	TipCap  money.Units
	AtBlock uint64 // the chain's height when it was signed
}

// Caller is who asks the relay or the signer for something.
type Caller struct {
	Player  string
	Session string
	Network string // an opaque tag of the caller's network (/24 of IPv4, /56 of IPv6); "" where it is not known
}

// SponsorshipTTL is how long a sponsorship is good for, from the time of the chain's newest block.
const SponsorshipTTL = 10 * time.Minute

// Sponsorship is the portal's promise to pay for one operation. It is reserved before it is given out, and is good for
// one use, in the session it was given to, until it expires or the account is given another one.
type Sponsorship struct {
	Caller
	Operation eth.Hash // the operation's hash, which binds all but its signature
	Chain     onchain.ChainID
	Sender    eth.Address
	Nonce     uint64 // the operation's nonce, of key 0
	// Public says that others than the portal's relayers can send the operation too: the paymaster's list is empty. What
	// it may cost then counts in full, also when it ends unused, and it is cancelled when its session ends.
	Public    bool
	Cost      money.Units // wei at most: the sum of the gas limits times the highest fee
	CreatedAt time.Time
	ExpiresAt time.Time
}

// Budget bounds what the portal pays for gas on one chain. A window is a calendar minute or day in UTC.
type Budget struct {
	PlayerPerMinute int64     // operations of one player in a minute
	Player          Allowance // of one player in a day
	Network         Allowance // of all players of one network in a day
	// Total is of everybody in a day. Half of it is kept for players who bought for at least 1 USDC on a day before.
	Total Allowance
}

// Allowance is a number of operations and what they may cost, in wei.
type Allowance struct {
	Operations int64
	Wei        money.Units
}

// Spending is what of a chain's budget is spent today: operations that were paid for, and sponsorships that may still be
// used at their highest cost.
type Spending struct {
	Day       time.Time // when the day began
	Spent     Allowance
	Newcomers Allowance // the part of it that went to players who had not bought before
	Raised    Allowance // what the operator added for the day
}

// Reasons of the faults of Reserve and of what keeps an operation from being sponsored or relayed.
const (
	ReasonBusy       = "busy"          // Conflict: another operation of the account is on its way
	ReasonSponsor    = "sponsorship"   // Conflict: the sponsorship was used, replaced or has expired, or its session ended
	ReasonPlayerGas  = "gas-player"    // TooMany: the player's part is used up
	ReasonNetworkGas = "gas-network"   // TooMany: that of the player's network is
	ReasonPaused     = "gas-paused"    // TooMany: the chain's budget is
	ReasonEmail      = "email"         // Forbidden: the player has to confirm an email address first
	ReasonIdle       = "nothing-to-do" // Forbidden: the calls would change nothing
)

// Receipt is what the chain says of a transaction of ours.
type Receipt struct {
	TxHash    eth.Hash
	Block     uint64
	BlockHash eth.Hash
	Succeeded bool
	Reason    string // why it reverted
}

// Outcome is what the chain says of an operation.
type Outcome struct {
	Hash      eth.Hash
	Cost      money.Units // wei that its gas cost
	TxHash    eth.Hash
	BlockHash eth.Hash
	Succeeded bool
	Reason    string // why its calls reverted
}

// Transactions keeps the queue of the backend wallets. Each method that changes something does so in one durable
// transaction. All return fault.Unavailable when the database cannot be reached.
type Transactions interface {
	// AddTransaction keeps t as pending, unless there is one with its id; it returns the one that is kept.
	AddTransaction(ctx context.Context, t Transaction) (Transaction, error)
	// Transaction returns one by its id, or a NotFound fault.
	Transaction(ctx context.Context, id string) (Transaction, error)
	// PendingTransactions returns the oldest pending ones, at most limit, without attempts.
	PendingTransactions(ctx context.Context, chain onchain.ChainID, limit int) ([]Transaction, error)
	// SentTransactions returns all that are sent, by sender and nonce.
	SentTransactions(ctx context.Context, chain onchain.ChainID) ([]Transaction, error)
	// MinedTransactions returns all that stand in a block and are not final, by block.
	MinedTransactions(ctx context.Context, chain onchain.ChainID) ([]Transaction, error)
	// NextNonce returns the nonce the sender's next transaction gets; 0 when none was kept.
	NextNonce(ctx context.Context, chain onchain.ChainID, from eth.Address) (uint64, error)
	// RaiseNonce makes sure that NextNonce is at least the given one.
	RaiseNonce(ctx context.Context, chain onchain.ChainID, from eth.Address, atLeast uint64) error
	// Signed makes a pending transaction sent, with its first attempt and nonce, which must be the sender's next; it
	// takes the operations that the transaction carries to sent as well. It returns a Conflict fault when the
	// transaction is no longer pending or the nonce no longer the next.
	Signed(ctx context.Context, id string, nonce uint64, a Attempt, at time.Time) error
	// Resigned adds an attempt to a sent transaction; a Conflict fault when it is no longer sent.
	Resigned(ctx context.Context, id string, a Attempt, at time.Time) error
	// Mined puts a transaction into a block; one that stood in another block is taken out of that first.
	Mined(ctx context.Context, id string, r Receipt, at time.Time) error
	// Unmined takes a transaction whose block vanished, and the operations that it carries, back to sent.
	Unmined(ctx context.Context, id string, at time.Time) error
	// Abandon makes a transaction that will not be mined failed; the operations that it carries are queued anew.
	Abandon(ctx context.Context, id, reason string, at time.Time) error
	// Finalise ends the watch over the transactions in blocks up to the given number.
	Finalise(ctx context.Context, chain onchain.ChainID, upTo uint64) error
}

// Operations keeps the players' user operations; the remarks on Transactions hold here too.
type Operations interface {
	// Reserve keeps s and takes its cost from the budget, in one transaction; a sponsorship of the account that was not
	// used is replaced, and its cost given back. It returns a Conflict fault with ReasonBusy while an operation of the
	// account is on its way, and a TooMany fault with ReasonPlayerGas, ReasonNetworkGas or ReasonPaused, which says
	// when the window ends.
	Reserve(ctx context.Context, s Sponsorship, b Budget) error
	// Sponsored returns nil while the caller holds an unused sponsorship of the operation; else a Conflict fault with
	// ReasonSponsor.
	Sponsored(ctx context.Context, c Caller, op eth.Hash, now time.Time) error
	// ExpiredSponsorships returns the operations of sponsorships that ended unused before the time, at most limit.
	ExpiredSponsorships(ctx context.Context, chain onchain.ChainID, before time.Time, limit int) ([]eth.Hash, error)
	// Release ends an unused sponsorship and gives its cost back to the budget, unless it was public.
	Release(ctx context.Context, op eth.Hash, at time.Time) error
	// EndedSponsorships returns the public sponsorships that are good at the time and unused, and whose session has
	// ended, at most limit.
	EndedSponsorships(ctx context.Context, chain onchain.ChainID, now time.Time, limit int) ([]Sponsorship, error)
	// Cancel ends a public sponsorship and, unless there is no cancellation to send, keeps that as queued: an operation of
	// the same account with the same nonce. Its cost is taken from the budget whatever is left of it. With a cancellation,
	// it returns a Conflict fault where the sponsorship is gone or another operation has the nonce, and a NotFound fault
	// where the player is deleted; then it changes nothing.
	Cancel(ctx context.Context, s Sponsorship, cancellation *Operation, cost money.Units, at time.Time) error
	// AddOperation keeps op as queued and uses its sponsorship, unless there is an operation with its hash; it returns
	// the one that is kept. It returns a Conflict fault with ReasonSponsor when there is no such sponsorship or its
	// session has ended, and with reason "nonce" when another operation of the account has the same nonce and was not
	// dropped.
	AddOperation(ctx context.Context, op Operation) (Operation, error)
	// Operation returns one by its hash, or a NotFound fault.
	Operation(ctx context.Context, hash eth.Hash) (Operation, error)
	// QueuedOperations returns the oldest operations that no transaction carries, at most limit, of accounts that have
	// none on its way: what such an operation finds on chain is not known yet.
	QueuedOperations(ctx context.Context, chain onchain.ChainID, limit int) ([]Operation, error)
	// FrozenOperations returns the oldest operations of frozen players that no transaction carries, without cancellations,
	// at most limit.
	FrozenOperations(ctx context.Context, chain onchain.ChainID, limit int) ([]Operation, error)
	// Bundle keeps t as pending and lets it carry the operations, which must be queued; else a Conflict fault.
	Bundle(ctx context.Context, t Transaction, ops []eth.Hash) error
	// UnsettledBundles returns the transactions in a block, without attempts, that carry operations which are still
	// sent, and these operations.
	UnsettledBundles(ctx context.Context, chain onchain.ChainID) ([]Bundle, error)
	// Settle makes sent operations included or failed, and gives back to the budget what they did not cost.
	Settle(ctx context.Context, outcomes []Outcome, at time.Time) error
	// Requeue takes a sent operation whose bundle reverted back to queued and counts the revert.
	Requeue(ctx context.Context, hash eth.Hash, at time.Time) error
	// Drop gives up an operation that is queued and that no transaction carries. Its cost goes back to the budget.
	Drop(ctx context.Context, hash eth.Hash, reason string, at time.Time) error
	// UntoldOperations returns the operations of whose newest step the observer has not heard, oldest first.
	UntoldOperations(ctx context.Context, chain onchain.ChainID, limit int) ([]Operation, error)
	// Told notes that the observer has heard of op as it is given; what has become of op since is still to be told.
	Told(ctx context.Context, op Operation) error
}

// Bundle is a transaction with the operations that it carries.
type Bundle struct {
	Transaction Transaction
	Operations  []Operation
}

// Accounts knows the players' wallets.
type Accounts interface {
	// Account returns a player's wallet, or a NotFound fault when there is none yet.
	Account(ctx context.Context, player string) (Account, error)
}

// Contacts knows whom the portal can reach.
type Contacts interface {
	// Confirmed reports whether the player has confirmed an email address, or needs none.
	Confirmed(ctx context.Context, player string) (bool, error)
}

// Account is a player's wallet: an owner key and the smart account that it controls.
type Account struct {
	Owner eth.Address
	Smart eth.Address // deployed or not
}

// Guard is asked before anything is signed or relayed for a player. The policy has accepted the calls by then.
type Guard interface {
	// Allow returns nil, or a fault that tells the player why not: a Conflict with reason "held" for the purchase of a
	// unit that somebody else holds. Purchases tells what is to be bought.
	Allow(ctx context.Context, player string, chain onchain.ChainID, calls []Call) error
}
