package testkit

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/packs"
	"pantheon/internal/portal/projection"
	"pantheon/internal/store"
	cartstore "pantheon/internal/store/cart"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/index"
	"pantheon/internal/store/rewards"
)

// The common values of the seeded listings.
const (
	GameChain onchain.ChainID = 1337042
	// USDC and Items are the addresses of the currency and of the listed collection.
	USDC  = "0x00000000000000000000000000000000000000c0"
	Items = "0x0000000000000000000000000000000000001155"
)

// WalletOf is the smart wallet of a seeded player.
func WalletOf(player string) eth.Address {
	h := eth.Keccak256([]byte("smart wallet of " + player))
	return eth.Address(h[:20])
}

// OwnerOf is the embedded wallet of a seeded player.
func OwnerOf(player string) eth.Address {
	h := eth.Keccak256([]byte("embedded wallet of " + player))
	return eth.Address(h[:20])
}

// AddPlayers adds players with accounts of the built-in platform, unconfirmed email addresses, registered wallets and
// funds in base units of USDC each.
func AddPlayers(t testing.TB, db *store.DB, funds int64, players ...string) {
	t.Helper()
	write(t, db, func(ctx context.Context, tx *store.Tx) error {
		for _, p := range players {
			if err := tx.InsertPlayer(ctx, gen.InsertPlayerParams{ID: p, DisplayName: p, Email: p + "@example.org"}); err != nil {
				return err
			}
			if err := tx.InsertLocalAccount(ctx, gen.InsertLocalAccountParams{
				PlayerID: p, EmailKey: p + "@example.org", PasswordHash: "-",
			}); err != nil {
				return err
			}
			if err := addWallet(ctx, tx, p, funds); err != nil {
				return err
			}
		}
		return nil
	})
}

// AddPlatformPlayer adds a player whose account and email an external game platform keeps, without a wallet.
func AddPlatformPlayer(t testing.TB, db *store.DB, player string) {
	t.Helper()
	write(t, db, func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertPlayer(ctx, gen.InsertPlayerParams{ID: player, DisplayName: player})
	})
}

// AddWallet gives a player who has none a registered pair of wallets, and funds.
func AddWallet(t testing.TB, db *store.DB, player string, funds int64) {
	t.Helper()
	write(t, db, func(ctx context.Context, tx *store.Tx) error { return addWallet(ctx, tx, player, funds) })
}

func addWallet(ctx context.Context, tx *store.Tx, player string, funds int64) error {
	if _, err := tx.InsertWallet(ctx, gen.InsertWalletParams{
		PlayerID: player, OwnerAddress: OwnerOf(player), SmartAddress: WalletOf(player), SealedKey: "sealed",
	}); err != nil {
		return err
	}
	if _, err := tx.MarkWalletStored(ctx, gen.MarkWalletStoredParams{StoredAt: column.At(time.UnixMilli(1)), PlayerID: player}); err != nil {
		return err
	}
	return setFunds(ctx, tx, player, funds)
}

// AddUnreadToken adds a token whose contract could not be asked yet.
func AddUnreadToken(t testing.TB, db *store.DB, contract eth.Address, id string) {
	t.Helper()
	write(t, db, func(ctx context.Context, tx *store.Tx) error {
		if _, err := tx.InsertTokenMetadata(ctx, gen.InsertTokenMetadataParams{
			Contract: contract, TokenID: id, ChainID: GameChain, Standard: onchain.ERC721, Host: "chain 1337042",
			DueAt: column.At(time.UnixMilli(1)),
		}); err != nil {
			return err
		}
		_, err := tx.InsertToken(ctx, gen.InsertTokenParams{Contract: contract, TokenID: id, Name: "#" + id, Attributes: "[]"})
		return err
	})
}

// SetFunds sets the balance of a player's wallet in base units of USDC, as if it had been there for a long time.
func SetFunds(t testing.TB, db *store.DB, player string, funds int64) {
	t.Helper()
	write(t, db, func(ctx context.Context, tx *store.Tx) error { return setFunds(ctx, tx, player, funds) })
}

func setFunds(ctx context.Context, tx *store.Tx, player string, funds int64) error {
	return putHolding(ctx, tx, WalletOf(player), USDC, onchain.ERC20, "0", funds)
}

func putHolding(ctx context.Context, tx *store.Tx, owner eth.Address, contract string, standard onchain.Standard, tokenID string,
	amount int64) error {
	return tx.PutHolding(ctx, gen.PutHoldingParams{
		ChainID: GameChain, Contract: eth.MustAddress(contract), TokenID: tokenID, Owner: owner, Standard: standard,
		Amount: money.FromInt(amount),
	})
}

// SetHolding sets what a wallet has of a token on the game chain, as if it had been there for a long time.
func SetHolding(t testing.TB, db *store.DB, owner eth.Address, contract string, standard onchain.Standard, tokenID string, amount int64) {
	t.Helper()
	write(t, db, func(ctx context.Context, tx *store.Tx) error {
		return putHolding(ctx, tx, owner, contract, standard, tokenID, amount)
	})
}

// SubmitOrder marks an order as submitted by an operation, as the relay does when it accepts one, but without storing
// the operation: the order's holds are not extended. It returns the order's fault.
func SubmitOrder(t testing.TB, db *store.DB, orderID string, op eth.Hash, at time.Time) error {
	t.Helper()
	return cartstore.Orders{DB: db, Chain: GameChain}.ChangeOrder(t.Context(), orderID, at.Add(checkout.SettleTime),
		func(o *checkout.Order) error {
			return o.Accept(op, at)
		})
}

// ConfirmEmail marks a player's address as confirmed.
func ConfirmEmail(t testing.TB, db *store.DB, player string) {
	t.Helper()
	write(t, db, func(ctx context.Context, tx *store.Tx) error {
		return tx.ConfirmPlayerEmail(ctx, gen.ConfirmPlayerEmailParams{ID: player, At: column.At(time.UnixMilli(1))})
	})
}

// Offer is a listing for the test market. Zero fields mean one unit of token 1 at the price of 1 USDC, by an arbitrary
// seller, without a time limit.
type Offer struct {
	Number     string // the marketplace's own listing number
	TokenID    string
	Seller     eth.Address
	Quantity   int64
	Price      int64 // base units
	Start, End time.Time
	CreatedAt  time.Time
	Status     market.Status
	Reserved   bool
	Invalid    bool

	Name, Collection, Rarity string
	RarityRank               int64
	Words                    string
	Traits                   [][2]string
}

// List creates or changes a listing and returns its id.
func List(t testing.TB, db *store.DB, o Offer) string {
	t.Helper()
	row := gen.Listing{
		ID: market.Key(GameChain, o.Number), ChainID: GameChain, ListingID: o.Number, Contract: eth.MustAddress(Items),
		TokenID: or(o.TokenID, "1"), Seller: o.Seller, Quantity: or(o.Quantity, 1), Currency: eth.MustAddress(USDC),
		PriceRank: or(o.Price, 1_000_000), Valid: true, StartAt: column.At(o.Start), EndAt: column.At(time.UnixMilli(math.MaxInt64)),
		Reserved: column.Flag(o.Reserved), Status: string(or(o.Status, market.Active)), CreatedAt: column.At(o.CreatedAt),
		UpdatedAt: column.At(o.CreatedAt),
	}
	row.Price = money.FromInt(row.PriceRank)
	if !o.End.IsZero() {
		row.EndAt = column.At(o.End)
	}
	if o.Invalid || o.Reserved || row.Status != string(market.Active) {
		row.Valid = false
	}
	write(t, db, func(ctx context.Context, tx *store.Tx) error {
		return index.AddListing(ctx, tx, row, gen.InsertTokenParams{
			Contract: eth.MustAddress(Items), TokenID: row.TokenID, Collection: or(o.Collection, "game-items"),
			Name: or(o.Name, "Item "+row.TokenID), Kind: "sword", Rarity: or(o.Rarity, "rare"), RarityRank: o.RarityRank, Attributes: "[]",
			Words: strings.Join(market.SearchWords(o.Words), " "),
		}, o.Traits...)
	})
	return row.ID
}

func or[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}

func write(t testing.TB, db *store.DB, fn func(context.Context, *store.Tx) error) {
	t.Helper()
	if err := db.Write(t.Context(), fn); err != nil {
		t.Fatal("testkit:", err)
	}
}

// DrainOutbox empties the outbox and returns the payloads of its rows of the topic, oldest first.
func DrainOutbox(t testing.TB, db *store.DB, topic announce.Topic) (payloads []string) {
	t.Helper()
	for {
		rows, err := (store.Outbox{DB: db}).Announcements(t.Context(), 500)
		if err != nil {
			t.Fatal("testkit:", err)
		}
		if len(rows) == 0 {
			return payloads
		}
		ids := make([]string, len(rows))
		for i, r := range rows {
			ids[i] = r.ID
			if r.Topic == topic {
				payloads = append(payloads, r.Payload)
			}
		}
		if err := (store.Outbox{DB: db}).Announced(t.Context(), ids...); err != nil {
			t.Fatal("testkit:", err)
		}
	}
}

// Give adds copies of a contract's token to a wallet, and describes the token if it has no description.
func Give(t testing.TB, db *store.DB, owner, contract eth.Address, tokenID string, amount int64) {
	t.Helper()
	write(t, db, func(ctx context.Context, tx *store.Tx) error {
		if err := index.AddToken(ctx, tx, gen.InsertTokenParams{
			Contract: contract, TokenID: tokenID, Collection: "things", Name: "Thing " + tokenID, Kind: "thing", Rarity: "rare", Attributes: "[]",
		}); err != nil {
			return err
		}
		return tx.PutHolding(ctx, gen.PutHoldingParams{
			ChainID: GameChain, Contract: contract, TokenID: tokenID, Owner: owner, Standard: onchain.ERC1155,
			Amount: money.FromInt(amount),
		})
	})
}

// AddPurchaseOpening adds the opening of a purchase in a transaction of its own, by an empty table of the edition; see store.Tx. Its
// record is anchored at once in a final block of the same second, from which the round follows; not for round 0.
func AddPurchaseOpening(
	ctx context.Context, db *store.DB, p draw.Purchase, of projection.Pack, at time.Time, round uint64,
) (added bool, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		added, err = rewards.AddPurchaseOpening(ctx, tx, p, draw.Table{Kind: of.Kind, Edition: of.Edition}, at)
		return err
	})
	if !added || err != nil || round == 0 {
		return added, err
	}
	head, err := rewards.New(db).HeadRecord(ctx)
	if err != nil {
		return added, err
	}
	anchor := packs.RecordAnchor{Number: head.Number, Hash: head.Hash, Begun: at}
	if err := rewards.New(db).BeginRecordAnchor(ctx, anchor); err != nil {
		return added, err
	}
	anchor.Fixed = packs.Fixed{
		Chain: GameChain, By: draw.ByWallet, Address: eth.MustAddress("0x9090909090909090909090909090909090909090"),
		Tx: eth.Hash{0xa1, 31: byte(head.Number)}, Block: 1000 + head.Number, At: draw.WholeSeconds(at),
	}
	anchor.BlockHash, anchor.Final = eth.Hash{0xb1, 31: byte(head.Number)}, true
	return added, rewards.New(db).MoveRecordAnchor(ctx, anchor, round)
}
