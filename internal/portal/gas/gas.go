// Package gas is the capability of sponsored transactions: players act on chain without holding ether, because the
// portal pays for their user operations (ERC-4337), within a policy.
//
// The package defines the values, the rules and the ports; it runs nothing in the background. The signer, the relay
// and the transaction queue apply the rules; the store stores the values. Everything here is safe for concurrent use
// as long as no Policy is modified while in use.
package gas

import (
	"context"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

// OperationState is the state of a user operation.
type OperationState string

// An operation goes queued → sent → included or failed; or queued → dropped. If a reorganisation removes its block,
// it returns from included or failed to sent; if its bundle reverts, from sent to queued. One that an external bundler
// was handed may also go sent → dropped.
const (
	OperationQueued   OperationState = "queued"   // accepted and stored; its hash may be published
	OperationSent     OperationState = "sent"     // part of a transaction that is signed and stored; or an external bundler has it
	OperationIncluded OperationState = "included" // on chain, and its calls succeeded
	OperationFailed   OperationState = "failed"   // on chain, but its calls reverted: only the nonce is used up
	OperationDropped  OperationState = "dropped"  // abandoned before it reached the chain
)

// Operation is a user operation that the relay has accepted.
type Operation struct {
	Hash       eth.Hash // identifies it; binds chain and EntryPoint
	Chain      onchain.ChainID
	EntryPoint eth.Address
	Player     string
	Operation  eth.UserOperation
	State      OperationState
	Reason     string   // why it failed or was dropped, for people; "" otherwise
	Bundle     string   // the id of the transaction that includes it, or BundleExternal; "" for none
	TxHash     eth.Hash // the newest hash of that transaction; zero until it is sent
	BlockHash  eth.Hash // the including block; zero until included or failed
	Reverts    int      // number of its bundles that reverted
	Told       Step     // the last step that the observer was notified of
	CreatedAt  time.Time
	UpdatedAt  time.Time
	Trace      string // of the request that brought it; see trace.Parent
}

// BundleExternal is the Bundle of operations that an external bundler was handed, until their block is final.
const BundleExternal = "bundler"

// Step is a step of an operation of which an Observer is notified, in this order.
type Step int

// The steps. An operation that is dropped skips StepSent.
const (
	StepNone Step = iota
	StepAccepted
	StepSent
	StepSettled
)

// Step returns the latest step that the state implies.
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
// of the steps, also across crashes; so it must be idempotent. After an error it is called again later.
//
// Sent is called again when the transaction is replaced by one with a higher fee (TxHash changes), and when a
// reorganisation removes the block (after Settled; Settled follows once more).
type Observer interface {
	Accepted(ctx context.Context, op Operation) error
	Sent(ctx context.Context, op Operation) error
	// Settled is called when op.State is included, failed or dropped; op.Reason says why it failed or was dropped.
	Settled(ctx context.Context, op Operation) error
}

// TransactionState is the state of a backend wallet's transaction.
type TransactionState string

// A transaction goes pending → sent → mined or failed; or pending → failed, if it would revert. If a reorganisation
// removes its block, it returns from mined or failed to sent.
const (
	TransactionPending TransactionState = "pending" // stored, not signed yet
	TransactionSent    TransactionState = "sent"    // signed and stored; broadcast or about to be
	TransactionMined   TransactionState = "mined"   // on chain, and it succeeded
	TransactionFailed  TransactionState = "failed"  // reverted on chain, or will never be sent; Reason says which
)

// Transaction is a transaction of a backend wallet. The first seven fields are the request.
type Transaction struct {
	ID       string // chosen by the caller; an id is sent only once
	Chain    onchain.ChainID
	From, To eth.Address
	Value    money.Units // wei
	Data     []byte
	GasLimit uint64 // 0: estimated when it is signed

	State     TransactionState
	Nonce     uint64    // valid once sent
	Attempts  []Attempt // every signed version, oldest first; all have the same nonce, so at most one is ever mined
	TxHash    eth.Hash  // the mined attempt's, or else the newest's; zero while pending
	Block     uint64    // the including block's number; valid if BlockHash is not zero
	BlockHash eth.Hash
	Reason    string // why it failed
	CreatedAt time.Time
	UpdatedAt time.Time
	Trace     string // of what it is sent for; see trace.Parent
}

// Attempt is one signed version of a transaction. Later ones offer higher fees.
type Attempt struct {
	Hash    eth.Hash
	Raw     []byte // as broadcast
	FeeCap  money.Units
	TipCap  money.Units
	AtBlock uint64 // the chain's height at signing
}

// Recovered is a transaction of a backend wallet that the chain has and the store lacked, as after a restore.
type Recovered struct {
	From  eth.Address
	Nonce uint64
	Tag   eth.Hash // the last 32 bytes of its data
	Hash  eth.Hash
	Raw   []byte // as broadcast
}

// Movement is a movement of tokens by a transaction, and its place on the chain. Without a transaction it is before all of its block.
type Movement struct {
	Block, Log, Sub uint64
	Tx              eth.Hash
}

// Caller is the caller of the relay or the signer.
type Caller struct {
	Player  string
	Session string
	Network string // an opaque tag of the caller's network (/24 of IPv4, /56 of IPv6); "" if unknown
}

// Receipt is the result on chain of one of the portal's transactions.
type Receipt struct {
	TxHash    eth.Hash
	Block     uint64
	BlockHash eth.Hash
	Succeeded bool
	Reason    string // why it reverted
}

// Outcome is the result on chain of an operation.
type Outcome struct {
	Hash      eth.Hash
	Cost      money.Units // gas cost in wei
	TxHash    eth.Hash
	BlockHash eth.Hash
	Succeeded bool
	Reason    string // why its calls reverted
}

// Transactions stores the queue of the backend wallets. Each method that changes something does so in one durable
// transaction. All return fault.Unavailable if the database is unreachable.
type Transactions interface {
	// AddTransaction stores t as pending unless its id exists; it returns the stored one.
	AddTransaction(ctx context.Context, t Transaction) (Transaction, error)
	// Transaction returns the transaction with the id, or a NotFound fault.
	Transaction(ctx context.Context, id string) (Transaction, error)
	// PendingTransactions returns of each sender at most limit of the oldest pending ones, without attempts: one that waits holds up no
	// other.
	PendingTransactions(ctx context.Context, chain onchain.ChainID, limit int) ([]Transaction, error)
	// SentTransactions returns all sent ones, by sender and nonce.
	SentTransactions(ctx context.Context, chain onchain.ChainID) ([]Transaction, error)
	// MinedTransactions returns all that are in a block and not final, by block.
	MinedTransactions(ctx context.Context, chain onchain.ChainID) ([]Transaction, error)
	// NextNonce returns the nonce of the sender's next transaction; 0 if none is stored.
	NextNonce(ctx context.Context, chain onchain.ChainID, from eth.Address) (uint64, error)
	// RaiseNonce raises NextNonce to at least the given nonce, where all is known that the sender has sent up to a block.
	RaiseNonce(ctx context.Context, chain onchain.ChainID, from eth.Address, atLeast, block uint64) error
	// KnownBlock returns the block with which RaiseNonce raised the nonce last; 0 for none.
	KnownBlock(ctx context.Context, chain onchain.ChainID, from eth.Address) (uint64, error)
	// Signed marks a pending transaction as sent, with its first attempt and nonce, which must be the sender's next;
	// it marks the operations in it as sent too. It returns a Conflict fault if the transaction is no longer pending
	// or the nonce is no longer the next.
	Signed(ctx context.Context, id string, nonce uint64, a Attempt, at time.Time) error
	// Resigned adds an attempt to a sent transaction. It returns a Conflict fault if it is no longer sent.
	Resigned(ctx context.Context, id string, a Attempt, at time.Time) error
	// Mined assigns a transaction to a block, replacing any earlier block.
	Mined(ctx context.Context, id string, r Receipt, at time.Time) error
	// Unmined returns a transaction whose block was removed, and the operations in it, to sent.
	Unmined(ctx context.Context, id string, at time.Time) error
	// Abandon fails a transaction that will not be mined; the operations in it return to queued.
	Abandon(ctx context.Context, id, reason string, at time.Time) error
	// Finalise marks the transactions in blocks up to the given number as final.
	Finalise(ctx context.Context, chain onchain.ChainID, upTo uint64) error
	// LastMinedBlock returns the block of the sender's last mined transaction with a nonce below the given one; 0 for none.
	LastMinedBlock(ctx context.Context, chain onchain.ChainID, from eth.Address, below uint64) (uint64, error)
	// Senders returns the wallets with a NextNonce.
	Senders(ctx context.Context, chain onchain.ChainID) ([]eth.Address, error)
	// AddRecovered stores transactions that the chain has; known ones are replaced.
	AddRecovered(ctx context.Context, chain onchain.ChainID, found []Recovered) error
	// RecoveredByTag returns the recovered transaction with a tag, or a NotFound fault; the first of several.
	RecoveredByTag(ctx context.Context, chain onchain.ChainID, tag eth.Hash) (Recovered, error)
	// RecoveredByNonce returns the recovered transaction of a sender with a nonce, or a NotFound fault.
	RecoveredByNonce(ctx context.Context, chain onchain.ChainID, from eth.Address, nonce uint64) (Recovered, error)
	// Recover marks a pending transaction as sent by a recovered one, which is then no longer found. It returns a Conflict fault if it is
	// no longer pending.
	Recover(ctx context.Context, id string, r Recovered, a Attempt, at time.Time) error
}

// Operations stores the players' user operations. The remarks on Transactions apply here too.
type Operations interface {
	// Reserve stores s and reserves its cost in the budget, in one transaction; an unused sponsorship of the account
	// is replaced and its cost released. It returns a Conflict fault with ReasonBusy while an operation of the
	// account is pending, and a TooMany fault with ReasonPlayerGas, ReasonNetworkGas or ReasonPaused, which includes
	// when the window ends.
	Reserve(ctx context.Context, s Sponsorship, b Budget) error
	// Affords returns the fault with which Reserve would fail, and changes nothing.
	Affords(ctx context.Context, s Sponsorship, b Budget) error
	// Sponsored returns nil while the caller holds an unused sponsorship of the operation, and otherwise a Conflict
	// fault with ReasonSponsor.
	Sponsored(ctx context.Context, c Caller, op eth.Hash, now time.Time) error
	// ExpiredSponsorships returns the operations of at most limit sponsorships that expired unused before the given
	// time.
	ExpiredSponsorships(ctx context.Context, chain onchain.ChainID, before time.Time, limit int) ([]eth.Hash, error)
	// Release ends an unused sponsorship and releases its cost to the budget, unless it is public.
	Release(ctx context.Context, op eth.Hash, at time.Time) error
	// EndedSponsorships returns at most limit public sponsorships that are valid at the given time and unused, and
	// whose session has ended.
	EndedSponsorships(ctx context.Context, chain onchain.ChainID, now time.Time, limit int) ([]Sponsorship, error)
	// Cancel ends a public sponsorship and queues its cancellation, if any: an operation of the same account with the
	// same nonce. Its cost is deducted from the budget even if that exceeds the budget. With a cancellation, it
	// returns a Conflict fault if the sponsorship no longer exists or another operation has the nonce, and a NotFound
	// fault if the player is deleted; then it changes nothing.
	Cancel(ctx context.Context, s Sponsorship, cancellation *Operation, cost money.Units, at time.Time) error
	// AddOperation stores op as queued and uses its sponsorship, unless the operation's hash exists; it returns the
	// stored one. It returns a Conflict fault with ReasonSponsor if there is no such sponsorship or its session has
	// ended, and with reason "nonce" if another operation of the account that was not dropped has the same nonce.
	AddOperation(ctx context.Context, op Operation) (Operation, error)
	// Operation returns the operation with the hash, or a NotFound fault.
	Operation(ctx context.Context, hash eth.Hash) (Operation, error)
	// QueuedOperations returns at most limit of the oldest operations that are in no transaction, of accounts without
	// a pending operation: before that one settles, the state the next will run on is unknown.
	QueuedOperations(ctx context.Context, chain onchain.ChainID, limit int) ([]Operation, error)
	// FrozenOperations returns at most limit of the oldest operations of frozen players that are in no transaction,
	// without cancellations.
	FrozenOperations(ctx context.Context, chain onchain.ChainID, limit int) ([]Operation, error)
	// Bundle stores t as pending and assigns it the operations, which must be queued; otherwise it returns a Conflict
	// fault.
	Bundle(ctx context.Context, t Transaction, ops []eth.Hash) error
	// UnsettledBundles returns the mined transactions, without attempts, whose operations are still sent, and these
	// operations.
	UnsettledBundles(ctx context.Context, chain onchain.ChainID) ([]Bundle, error)
	// Settle marks sent operations as included or failed, and releases their unused cost to the budget.
	Settle(ctx context.Context, outcomes []Outcome, at time.Time) error
	// Requeue returns a sent operation whose bundle reverted to queued and counts the revert.
	Requeue(ctx context.Context, hash eth.Hash, at time.Time) error
	// Drop abandons a queued operation that is in no transaction, or one that an external bundler was handed. Its cost is released to the
	// budget.
	Drop(ctx context.Context, hash eth.Hash, reason string, at time.Time) error
	// Hand records that a queued operation is about to be handed to an external bundler: it will be in no bundle of the portal. It
	// returns a Conflict fault if the operation is no longer queued, or is in a transaction.
	Hand(ctx context.Context, hash eth.Hash) error
	// HandedOperations returns the operations that an external bundler was handed and whose block is not final, oldest first.
	HandedOperations(ctx context.Context, chain onchain.ChainID) ([]Handed, error)
	// Taken marks a handed operation as sent: the external bundler has it.
	Taken(ctx context.Context, hash eth.Hash, at time.Time) error
	// Unsettle returns a handed operation whose block was removed to sent.
	Unsettle(ctx context.Context, hash eth.Hash, at time.Time) error
	// Final records that the block of a handed operation is final.
	Final(ctx context.Context, hash eth.Hash) error
	// TakeBack returns all handed operations that are not settled to queued: there is no external bundler any more.
	TakeBack(ctx context.Context, chain onchain.ChainID, at time.Time) error
	// UntoldOperations returns the operations of whose latest step the observer has not been notified, oldest first.
	UntoldOperations(ctx context.Context, chain onchain.ChainID, limit int) ([]Operation, error)
	// Told records that the observer was notified of op in the given state; later changes still need a notification.
	Told(ctx context.Context, op Operation) error
}

// Handed is an operation that an external bundler was handed.
type Handed struct {
	Operation
	Included eth.Hash // the transaction in which the index has found it; zero while it has not
	Indexed  uint64   // the newest block of the index
}

// Bundle is a transaction and the operations in it.
type Bundle struct {
	Transaction Transaction
	Operations  []Operation
}

// Accounts returns the players' wallets.
type Accounts interface {
	// Account returns a player's wallet, or a NotFound fault if there is none yet.
	Account(ctx context.Context, player string) (Account, error)
}

// Contacts reports which players the portal can reach.
type Contacts interface {
	// Confirmed reports whether the player has confirmed an email address, or need not.
	Confirmed(ctx context.Context, player string) (bool, error)
}

// Account is a player's wallet: an owner key and the smart account that it controls.
type Account struct {
	Owner eth.Address
	Smart eth.Address // deployed or not
}

// Intent is what a player wants to do by one operation.
type Intent struct {
	Player string
	Chain  onchain.ChainID
	Sender eth.Address  // the player's account
	Nonce  eth.Quantity // of the account: only one operation with this nonce can ever succeed
	Calls  []Call
}

// Guard is called before anything is sponsored, signed or relayed for a player, after the policy has accepted the calls.
type Guard interface {
	// Allow returns nil, or a fault whose message is for the player: a Conflict with reason "held" for the purchase
	// of a unit that another player holds. Purchases returns what the calls buy.
	Allow(ctx context.Context, i Intent) error
}
