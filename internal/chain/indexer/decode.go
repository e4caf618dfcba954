package indexer

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

// The topics of the events that are indexed: the Keccak-256 hashes of their signatures.
var (
	// EIP-20 and EIP-721 share these two signatures; they differ in the number of indexed arguments.
	topicTransfer = topic("Transfer(address,address,uint256)")
	topicApproval = topic("Approval(address,address,uint256)")
	// EIP-721 and EIP-1155.
	topicApprovalForAll = topic("ApprovalForAll(address,address,bool)")
	// EIP-1155.
	topicTransferSingle = topic("TransferSingle(address,address,address,uint256,uint256)")
	topicTransferBatch  = topic("TransferBatch(address,address,address,uint256[],uint256[])")
	// ERC-4906, and EIP-1155 with its id as the second topic.
	topicMetadataUpdate      = topic("MetadataUpdate(uint256)")
	topicBatchMetadataUpdate = topic("BatchMetadataUpdate(uint256,uint256)")
	topicURI                 = topic("URI(string,uint256)")
	// ERC-7572, and thirdweb's contracts.
	topicContractURIUpdated = topic("ContractURIUpdated()")
	topicContractURIChanged = topic("ContractURIUpdated(string,string)")
	// Our collections: Capped721 and Capped1155.
	topicCollectionCap = topic("MaxSupplySet(uint256)")
	topicTokenCap      = topic("MaxSupplySet(uint256,uint256)")
	// Our packs: Chests.
	topicTableFixed = topic("TableFixed(uint256,bytes32)")
	// MarketplaceV3, direct listings.
	topicNewListing       = topic("NewListing(address,uint256,address," + listingTuple + ")")
	topicUpdatedListing   = topic("UpdatedListing(address,uint256,address," + listingTuple + ")")
	topicCancelledListing = topic("CancelledListing(address,uint256)")
	topicNewSale          = topic("NewSale(address,uint256,address,uint256,address,uint256,uint256)")
	// ERC-4337, EntryPoint v0.7.
	topicUserOperation = topic("UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)")
)

// listingTuple is (listingId, tokenId, quantity, pricePerToken, startTimestamp, endTimestamp, listingCreator,
// assetContract, currency, tokenType, status, reserved).
const listingTuple = "(uint256,uint256,uint256,uint256,uint128,uint128,address,address,address,uint8,uint8,bool)"

func topic(signature string) eth.Hash { return eth.Keccak256([]byte(signature)) }

// tokenTopics are the events of tokens and of the marketplace.
func tokenTopics() []eth.Hash {
	return []eth.Hash{
		topicTransfer, topicApproval, topicApprovalForAll, topicTransferSingle, topicTransferBatch,
		topicMetadataUpdate, topicBatchMetadataUpdate, topicURI, topicContractURIUpdated, topicContractURIChanged,
		topicCollectionCap, topicTokenCap, topicTableFixed, topicNewListing, topicUpdatedListing, topicCancelledListing, topicNewSale,
	}
}

// errMalformed is wrapped by every error about a log that no contract of its kind could have written.
var errMalformed = errors.New("malformed log")

func malformed(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errMalformed, fmt.Sprintf(format, args...))
}

// decode appends the facts of a log to the batch. Irrelevant logs, such as a listing of a token the portal does not
// know, add nothing. The error wraps errMalformed; then nothing was added.
func (c Contracts) decode(l entry, at onchain.Position, b *onchain.Batch) error {
	if len(l.Topics) == 0 {
		return nil
	}
	if l.Address == c.Marketplace {
		return c.decodeMarketplace(l, at, b)
	}
	if l.Address == c.EntryPoint {
		return decodeUserOperation(l, at, b)
	}
	if standard := c.Tokens[l.Address]; standard == onchain.ERC721 || standard == onchain.ERC1155 {
		decodeMetadata(l, at, b)
	}
	switch c.Tokens[l.Address] {
	case onchain.ERC20:
		return decodeERC20(l, at, b)
	case onchain.ERC721:
		return decodeERC721(l, at, b)
	case onchain.ERC1155:
		return decodeERC1155(l, at, b)
	default:
		return nil
	}
}

// decodeMetadata reads announcements of changed metadata. They decide nothing, so that the arguments may be indexed or not, and others
// are passed over.
func decodeMetadata(l entry, at onchain.Position, b *onchain.Batch) {
	words := make([]string, 0, 2)
	for _, t := range l.Topics[1:] {
		words = append(words, toBig(t).String())
	}
	if l.Topics[0] != topicURI {
		for i := 0; i+wordSize <= len(l.Data); i += wordSize {
			words = append(words, toBig([wordSize]byte(l.Data[i:])).String())
		}
	}
	u := onchain.MetadataUpdate{Position: at, Contract: l.Address}
	switch {
	case (l.Topics[0] == topicMetadataUpdate || l.Topics[0] == topicURI) && len(words) == 1:
		u.First, u.Last = words[0], words[0]
	case l.Topics[0] == topicBatchMetadataUpdate && len(words) == 2:
		u.First, u.Last = words[0], words[1]
	case l.Topics[0] == topicContractURIUpdated || l.Topics[0] == topicContractURIChanged:
	default:
		return
	}
	b.Metadata = append(b.Metadata, u)
}

func decodeERC20(l entry, at onchain.Position, b *onchain.Batch) error {
	if l.Topics[0] != topicTransfer {
		return nil // allowances are not indexed
	}
	r := read(l, 3, 1)
	t := onchain.Transfer{
		Position: at, Contract: l.Address, Standard: onchain.ERC20, TokenID: "0",
		From: r.topicAddress(1), To: r.topicAddress(2), Amount: r.units(0),
	}
	return r.then(func() { addTransfer(b, t) })
}

func decodeERC721(l entry, at onchain.Position, b *onchain.Batch) error {
	switch l.Topics[0] {
	case topicTransfer:
		r := read(l, 4, 0)
		t := onchain.Transfer{
			Position: at, Contract: l.Address, Standard: onchain.ERC721, TokenID: r.topicNumber(3),
			From: r.topicAddress(1), To: r.topicAddress(2), Amount: money.FromInt(1),
		}
		return r.then(func() {
			addTransfer(b, t)
			if !t.From.IsZero() {
				b.Approvals = append(b.Approvals, onchain.Approval{Position: at, Contract: l.Address, TokenID: t.TokenID, Owner: t.From})
			}
		})
	case topicApproval:
		r := read(l, 4, 0)
		a := onchain.Approval{
			Position: at, Contract: l.Address, TokenID: r.topicNumber(3), Owner: r.topicAddress(1), Operator: r.topicAddress(2),
		}
		a.Approved = !a.Operator.IsZero() // EIP-721: the zero address revokes the approval
		return r.then(func() { b.Approvals = append(b.Approvals, a) })
	case topicApprovalForAll:
		return decodeApprovalForAll(l, at, b)
	case topicCollectionCap:
		r := read(l, 1, 1)
		c := onchain.SupplyCap{Position: at, Contract: l.Address, Max: r.units(0)}
		return r.then(func() { b.Caps = append(b.Caps, c) })
	default:
		return nil
	}
}

func decodeERC1155(l entry, at onchain.Position, b *onchain.Batch) error {
	switch l.Topics[0] {
	case topicTransferSingle:
		r := read(l, 4, 2)
		t := onchain.Transfer{
			Position: at, Contract: l.Address, Standard: onchain.ERC1155, TokenID: r.number(0),
			From: r.topicAddress(2), To: r.topicAddress(3), Amount: r.units(1),
		}
		return r.then(func() { addTransfer(b, t) })
	case topicTransferBatch:
		return decodeTransferBatch(l, at, b)
	case topicApprovalForAll:
		return decodeApprovalForAll(l, at, b)
	case topicTokenCap:
		r := read(l, 2, 1)
		c := onchain.SupplyCap{Position: at, Contract: l.Address, TokenID: r.topicNumber(1), Max: r.units(0)}
		return r.then(func() { b.Caps = append(b.Caps, c) })
	case topicTableFixed:
		r := read(l, 2, 1)
		f := onchain.FixedTable{Position: at, Contract: l.Address, TokenID: r.topicNumber(1), Hash: r.word(0)}
		if f.Hash == [32]byte{} {
			r.fail("a token without a table")
		}
		return r.then(func() { b.Tables = append(b.Tables, f) })
	default:
		return nil
	}
}

// decodeTransferBatch reads the two arrays in the layout of all compilers: offset, offset, length, ids, length, values.
func decodeTransferBatch(l entry, at onchain.Position, b *onchain.Batch) error {
	words := len(l.Data) / wordSize
	n := (words - 4) / 2
	if words < 4 || words%2 != 0 {
		return malformed("the arrays of a batch have %d bytes", len(l.Data))
	}
	r := read(l, 4, words)
	from, to := r.topicAddress(2), r.topicAddress(3)
	if r.count(0) != 2*wordSize || r.count(1) != int64(3+n)*wordSize || r.count(2) != int64(n) || r.count(3+n) != int64(n) {
		return malformed("the arrays of a batch are not laid out one after the other")
	}
	transfers := make([]onchain.Transfer, n)
	for i := range n {
		transfers[i] = onchain.Transfer{
			Position: at, Contract: l.Address, Standard: onchain.ERC1155, TokenID: r.number(3 + i),
			From: from, To: to, Amount: r.units(4 + n + i),
		}
		transfers[i].Sub = uint32(i)
	}
	return r.then(func() {
		for _, t := range transfers {
			addTransfer(b, t)
		}
	})
}

func decodeApprovalForAll(l entry, at onchain.Position, b *onchain.Batch) error {
	r := read(l, 3, 1)
	a := onchain.Approval{
		Position: at, Contract: l.Address, Owner: r.topicAddress(1), Operator: r.topicAddress(2), Approved: r.truth(0),
	}
	return r.then(func() { b.Approvals = append(b.Approvals, a) })
}

// addTransfer skips transfers of zero: they change nothing, and anyone can emit them in another's name.
func addTransfer(b *onchain.Batch, t onchain.Transfer) {
	if !t.Amount.IsZero() {
		b.Transfers = append(b.Transfers, t)
	}
}

func (c Contracts) decodeMarketplace(l entry, at onchain.Position, b *onchain.Batch) error {
	switch l.Topics[0] {
	case topicNewListing:
		return c.decodeListing(l, at, onchain.ListingCreated, b)
	case topicUpdatedListing:
		return c.decodeListing(l, at, onchain.ListingUpdated, b)
	case topicCancelledListing:
		r := read(l, 3, 0)
		r.topicAddress(1)
		e := onchain.ListingEvent{Position: at, Kind: onchain.ListingCancelled, ListingID: r.topicNumber(2)}
		return r.then(func() { b.Listings = append(b.Listings, e) })
	case topicNewSale:
		r := read(l, 4, 4)
		e := onchain.ListingEvent{Position: at, Kind: onchain.ListingSold, ListingID: r.topicNumber(2), Sale: &onchain.Sale{
			Seller: r.topicAddress(1), Contract: r.topicAddress(3), TokenID: r.number(0), Buyer: r.address(1),
			Quantity: r.quantity(2), Total: r.units(3),
		}}
		return r.then(func() { c.addListing(b, e, e.Sale.Contract) })
	default:
		return nil
	}
}

func (c Contracts) decodeListing(l entry, at onchain.Position, kind onchain.ListingKind, b *onchain.Batch) error {
	const statusCreated = 1 // of UNSET, CREATED, COMPLETED, CANCELLED
	r := read(l, 4, 12)
	e := onchain.ListingEvent{Position: at, Kind: kind, ListingID: r.topicNumber(2), Terms: &onchain.ListingTerms{
		TokenID: r.number(1), Quantity: r.quantity(2), PricePerToken: r.units(3), Start: r.time(4), End: r.time(5),
		Seller: r.address(6), Contract: r.address(7), Currency: r.address(8), Reserved: r.truth(11),
	}}
	tokenType, status := r.count(9), r.count(10)
	switch {
	case r.err != nil:
		return r.err
	case r.number(0) != e.ListingID || r.topicAddress(1) != e.Terms.Seller || r.topicAddress(3) != e.Terms.Contract:
		return malformed("the listing is not the one the topics name")
	case tokenType > 1 || status != statusCreated:
		return malformed("a listing of token type %d in status %d", tokenType, status)
	}
	return r.then(func() { c.addListing(b, e, e.Terms.Contract) })
}

// addListing skips listings of tokens the portal does not know: anyone can list a token of their own making.
func (c Contracts) addListing(b *onchain.Batch, e onchain.ListingEvent, contract eth.Address) {
	if s := c.Tokens[contract]; s == onchain.ERC721 || s == onchain.ERC1155 {
		b.Listings = append(b.Listings, e)
	}
}

func decodeUserOperation(l entry, at onchain.Position, b *onchain.Batch) error {
	if l.Topics[0] != topicUserOperation {
		return nil
	}
	r := read(l, 4, 4)
	r.topicAddress(3) // the paymaster
	op := onchain.UserOperationEvent{Position: at, Hash: r.topic(1), Sender: r.topicAddress(2), Success: r.truth(1)}
	return r.then(func() { b.Ops = append(b.Ops, op) })
}

const wordSize = 32

// reader reads the 32-byte words of a log. It keeps the first error in err; values read after that are meaningless.
type reader struct {
	topics []eth.Hash
	data   []byte
	err    error
}

// read checks that the log has the numbers of topics and data words of its event.
func read(l entry, topics, words int) *reader {
	r := &reader{topics: l.Topics, data: l.Data}
	if len(l.Topics) != topics || len(l.Data) != words*wordSize {
		r.err = malformed("%d topics and %d bytes instead of %d and %d", len(l.Topics), len(l.Data), topics, words*wordSize)
	}
	return r
}

// then runs add if there was no error.
func (r *reader) then(add func()) error {
	if r.err == nil {
		add()
	}
	return r.err
}

func (r *reader) word(i int) (w [wordSize]byte) {
	if r.err == nil {
		copy(w[:], r.data[i*wordSize:])
	}
	return w
}

func (r *reader) topic(i int) (w [wordSize]byte) {
	if r.err == nil {
		w = r.topics[i]
	}
	return w
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = malformed(format, args...)
	}
}

func (r *reader) address(i int) eth.Address      { return r.toAddress(r.word(i)) }
func (r *reader) topicAddress(i int) eth.Address { return r.toAddress(r.topic(i)) }
func (r *reader) number(i int) string            { return toBig(r.word(i)).String() }
func (r *reader) topicNumber(i int) string       { return toBig(r.topic(i)).String() }

func toBig(w [wordSize]byte) *big.Int { return new(big.Int).SetBytes(w[:]) }

func (r *reader) toAddress(w [wordSize]byte) (a eth.Address) {
	const pad = wordSize - len(a)
	if slices.ContainsFunc(w[:pad], func(b byte) bool { return b != 0 }) {
		r.fail("%x is no address", w)
	}
	copy(a[:], w[pad:])
	return a
}

func (r *reader) units(i int) money.Units {
	u, err := money.FromBig(toBig(r.word(i)))
	if err != nil {
		r.fail("%v", err)
	}
	return u
}

// count reads a small number; larger ones are capped at the largest.
func (r *reader) count(i int) int64 {
	if n := toBig(r.word(i)); n.IsInt64() {
		return n.Int64()
	}
	return math.MaxInt64
}

// quantity reads the number offered or sold: at least one, and within the range of count.
func (r *reader) quantity(i int) int64 {
	n := r.count(i)
	if r.err == nil && (n == 0 || n == math.MaxInt64) {
		r.fail("a quantity of %s", r.number(i))
	}
	return n
}

func (r *reader) truth(i int) bool {
	n := r.count(i)
	if n > 1 {
		r.fail("%s is neither true nor false", r.number(i))
	}
	return n == 1
}

func (r *reader) time(i int) time.Time {
	latest := onchain.MaxTime()
	return time.Unix(min(r.count(i), latest.Unix()), 0).UTC()
}
