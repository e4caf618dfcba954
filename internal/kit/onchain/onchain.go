// Package onchain defines the facts read from a chain, in the form that the indexer produces and the database stores.
// They are plain values: the capabilities that use them decide their consequences.
package onchain

import (
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
)

// ClockLead is how far a chain's block times may run ahead of our clock: what begins at a block's time on the chain
// has begun, even if it is still in the clock's future.
const ClockLead = time.Minute

// Open reports whether the time window of a listing, from start to just before end, is open at now.
func Open(start, end, now time.Time) bool {
	return !now.Add(ClockLead).Before(start) && now.Before(end)
}

// ChainID is an EIP-155 chain id.
type ChainID uint64

// Block identifies one block of a chain.
type Block struct {
	Number uint64
	Hash   eth.Hash
	Parent eth.Hash  // zero if unknown: the index stores no parents
	Time   time.Time // the block's own timestamp, in whole seconds
}

// Position is the position of a fact in the chain; facts are ordered by (Block, LogIndex, Sub).
type Position struct {
	Block    uint64
	LogIndex uint32 // index of the log in its block
	Sub      uint32 // index within the log, for ERC-1155 batch transfers
	Tx       eth.Hash
	Time     time.Time // the block's timestamp
}

// Standard is the token standard of a transfer.
type Standard string

// The token standards the indexer reads.
const (
	ERC20   Standard = "erc20"
	ERC721  Standard = "erc721"
	ERC1155 Standard = "erc1155"
)

// Transfer is one movement of one token: a mint when From is zero, a burn when To is zero.
type Transfer struct {
	Position
	Contract eth.Address
	Standard Standard
	TokenID  string // decimal, up to 256 bits; "0" for ERC-20
	From, To eth.Address
	Amount   money.Units // 1 for ERC-721
}

// Burn is a transfer to the zero address.
type Burn struct {
	Transfer
	BlockHash eth.Hash      // of the block as the index has it; zero if unknown
	Margin    time.Duration // how far behind the clock the block can be dated
}

// Approval is an ApprovalForAll (TokenID "") or, for ERC-721, an Approval of one token. An ERC-721 transfer clears
// the approval of that token without an event (EIP-721), which the indexer represents as Approval{Approved: false}.
type Approval struct {
	Position
	Contract eth.Address
	TokenID  string // "" for all tokens of the owner
	Owner    eth.Address
	Operator eth.Address
	Approved bool
}

// SupplyCap is how many of a token can ever be minted, as fixed permanently by its contract.
type SupplyCap struct {
	Position
	Contract eth.Address
	TokenID  string // decimal; "" for all tokens of an ERC-721 collection together
	Max      money.Units
}

// FixedTable is the drop table by which all packs of a token id are drawn, as fixed permanently by their contract.
type FixedTable struct {
	Position
	Contract eth.Address
	TokenID  string   // decimal
	Hash     [32]byte // SHA-256 of the table; never zero
}

// MetadataUpdate is a contract's announcement that the metadata of tokens has changed (ERC-4906's MetadataUpdate and
// BatchMetadataUpdate, ERC-1155's URI), or that of the contract itself (ERC-7572's ContractURIUpdated). First and Last are decimal ids,
// inclusive, or both "" for the contract.
type MetadataUpdate struct {
	Position
	Contract    eth.Address
	First, Last string
}

// ListingKind is the kind of a marketplace listing's event.
type ListingKind string

// The MarketplaceV3 direct-listing events.
const (
	ListingCreated   ListingKind = "new"
	ListingUpdated   ListingKind = "updated"
	ListingCancelled ListingKind = "cancelled"
	ListingSold      ListingKind = "sold"
)

// ListingEvent is a direct-listing event of the marketplace. Terms is set for created and updated, Sale for sold.
type ListingEvent struct {
	Position
	Kind      ListingKind
	ListingID string // decimal uint256
	Terms     *ListingTerms
	Sale      *Sale
}

// ListingTerms is a seller's offer, as the marketplace contract stores it. Times beyond any calendar
// that the contract allows, such as the uint128 maximum of a listing without an end, are capped at MaxTime.
type ListingTerms struct {
	Seller        eth.Address `json:"seller"`
	Contract      eth.Address `json:"contract"`
	TokenID       string      `json:"tokenId"`
	Quantity      int64       `json:"quantity"` // at least 1
	Currency      eth.Address `json:"currency"`
	PricePerToken money.Units `json:"pricePerToken"`
	Start         time.Time   `json:"start"`
	End           time.Time   `json:"end"`
	Reserved      bool        `json:"reserved"`
}

// Sale is a completed purchase from a listing.
type Sale struct {
	Seller   eth.Address `json:"seller"`
	Contract eth.Address `json:"contract"`
	TokenID  string      `json:"tokenId"`
	Buyer    eth.Address `json:"buyer"`    // the payer; the marketplace does not report who received the goods
	Quantity int64       `json:"quantity"` // at least 1
	Total    money.Units `json:"total"`    // the total price, in the listing's currency or another its seller accepts
}

// MaxTime returns the latest time of a fact: the last second of the year 9999.
func MaxTime() time.Time { return time.Unix(253402300799, 0).UTC() }

// Sources are the contracts that a chain's index is read from.
type Sources struct {
	// Base says in words what cannot change without a new index.
	Base string
	// Start is the first block that is read: no contract may have logs before it.
	Start  uint64
	Tokens map[eth.Address]Standard
	// Paymasters are those whose user operations are read. None stands for all.
	Paymasters []eth.Address
	// Digest identifies all of the above. An index that has no Base was read from the sources of this digest.
	Digest string
}

// Progress is how far a chain's index is.
type Progress struct {
	// Cursor is the last block that was read; nil before the first.
	Cursor *Block
	// Tokens and Paymasters are read up to the cursor. They include those of former configurations, whose history must have no gap.
	Tokens     map[eth.Address]Standard
	Paymasters []eth.Address
	// Generation identifies what is read from now on; see Batch.
	Generation int64
	// Added are tokens that are still to be read up to the cursor.
	Added map[eth.Address]AddedToken
}

// AddedToken is a token contract that was configured after its chain's index was made.
type AddedToken struct {
	Standard Standard
	Next     uint64 // the first block that was not read of it
}

// Batch is everything that the indexer read from a contiguous range of blocks. From..To is inclusive; Parent is the
// hash of block From-1, on which the range builds. Blocks holds every block of the range that has a fact and, last,
// block To. The facts of each kind are in the order of their positions.
type Batch struct {
	Chain    ChainID
	From, To uint64
	Parent   eth.Hash
	// Generation is that of the Progress after which the batch was read: one that was read of other sources is refused.
	Generation int64

	Blocks    []Block
	Transfers []Transfer
	Approvals []Approval
	Caps      []SupplyCap
	Tables    []FixedTable
	Listings  []ListingEvent
	Ops       []UserOperationEvent
	Metadata  []MetadataUpdate
}

// UserOperationEvent is the EntryPoint's event of one ERC-4337 user operation (EIP-4337, UserOperationEvent).
type UserOperationEvent struct {
	Position
	Hash    eth.Hash
	Sender  eth.Address
	Success bool
}
