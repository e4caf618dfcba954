package api_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"pantheon/internal/api"
	"pantheon/internal/collections"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/approval"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/notification"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/securitylog"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/portal/withdrawal"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	marketstore "pantheon/internal/store/market"
	"pantheon/internal/store/notifications"
	"pantheon/internal/store/rewards"
	shopstore "pantheon/internal/store/webstore"
	"pantheon/internal/store/withdrawals"
	"pantheon/internal/testkit"
)

// The credential of a call.
const (
	anybody = ""
	player  = "token"   // with the API token
	reader  = "reader"  // with the API token, or as a visitor while the market is open to them
	session = "session" // with the session authorization, which is the only one that can obtain wallet tokens
	signing = "wallet"  // with the embedded-wallet token
	either  = "either"  // with the API token or the session authorization
)

// route is one call of the API: an honest request, and requests that try to access another player's data.
type route struct {
	who    string
	status int // of the honest call; 0 for 200
	// before sets up what the honest call needs; nil for nothing.
	before func(p *portal, me actor)
	// honest returns the call for the player's own data.
	honest func(me actor) request
	// foreign returns calls that name another player's data; nil if the call names none and depends on the token
	// alone.
	foreign func(me, other actor) []request
}

// callOf is a call for a player's own data.
type callOf func(me actor) request

func get(path string) func(actor) request {
	return func(actor) request { return request{method: http.MethodGet, path: path} }
}

func post(path, body string) callOf {
	return func(me actor) request { return request{method: http.MethodPost, path: path, body: fill(body, me)} }
}

func put(path, body string) func(actor) request {
	return func(me actor) request {
		return request{method: http.MethodPut, path: fill(path, me), body: fill(body, me)}
	}
}

func del(path string) func(actor) request {
	return func(me actor) request { return request{method: http.MethodDelete, path: fill(path, me)} }
}

// saveSearch keeps a search of the player's.
func saveSearch(p *portal, me actor) {
	_, err := notifications.New(p.db).SaveSearch(p.t.Context(), market.SavedSearch{
		ID: "S" + me.id, PlayerID: me.id, Name: "searched by " + me.id, CreatedAt: p.clock.Now(),
	}, 50)
	p.ok(err)
}

// ofWithdrawal is a call on one of the player's withdrawals.
func ofWithdrawal(method, suffix, body string, status int) route {
	call := func(of actor) request {
		return request{method: method, path: "/api/auth/withdrawals/W" + of.id + suffix, body: body}
	}
	return route{who: player, status: status, honest: call, foreign: func(_, other actor) []request { return []request{call(other)} }}
}

// ofApproval is a call on one of the player's approvals.
func ofApproval(suffix, body string, status int) route {
	call := func(of actor) request { return post("/api/auth/approvals/R"+of.id+suffix, body)(of) }
	return route{
		who: player, status: status, honest: call, foreign: func(_, other actor) []request { return []request{call(other)} },
		before: func(p *portal, me actor) {
			_, err := accounts.New(p.db).SaveApproval(p.t.Context(), approval.Record{
				ID: "R" + me.id, Caller: approval.Caller{PlayerID: me.id, SessionID: me.sid}, Act: approval.Act{Kind: approval.Trade, Digest: "d"},
				Way: approval.ByCode, Address: "a@olympus.example", Attempts: 5, CreatedAt: p.clock.Now(), ExpiresAt: p.clock.Now().Add(time.Hour),
			}, nil, 0, p.clock.Now())
			p.ok(err)
		},
	}
}

// addPasskey adds a passkey of the player.
func addPasskey(p *portal, me actor) {
	p.ok(p.db.Write(p.t.Context(), func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.InsertPasskey(ctx, gen.InsertPasskeyParams{
			ID: "K" + me.id, PlayerID: me.id, Name: "made by " + me.id, CreatedAt: column.At(p.clock.Now().Add(-time.Hour)),
			Credential: `{"id": "` + base64.StdEncoding.EncodeToString([]byte(me.id)) + `"}`,
		})
		return err
	}))
}

// ofPasskey is a call on one of the player's passkeys.
func ofPasskey(method, body string, status int) route {
	call := func(of actor) request {
		return request{method: method, path: "/api/auth/passkeys/K" + of.id, body: body}
	}
	return route{
		who: player, status: status, before: addPasskey, honest: call,
		foreign: func(_, other actor) []request { return []request{call(other)} },
	}
}

// fill replaces the placeholders with the player's own values.
func fill(s string, a actor) string {
	return strings.NewReplacer(
		"{player}", a.id, "{listing}", a.listing, "{order}", a.order, "{items}", testkit.Items,
		"{smart}", testkit.WalletOf(a.id).Checksum(), "{embedded}", testkit.OwnerOf(a.id).Checksum(), "{hash}", "0x"+strings.Repeat("ab", 32),
	).Replace(s)
}

const userOperation = `{"chainId":1337042,"userOperation":{"sender":"{smart}","nonce":"0x0","callData":"0x","callGasLimit":"0x1",` +
	`"verificationGasLimit":"0x1","preVerificationGas":"0x1","maxFeePerGas":"0x1","maxPriorityFeePerGas":"0x1","signature":"0x"}}`

// routes are all calls of the API, by operation id.
var routes = map[string]route{
	"register": {
		status: 201,
		honest: post("/api/auth/register", `{"email":"new@olympus.example","displayName":"Newcomer","password":"thunder and rain"}`),
	},
	"login":          {honest: post("/api/auth/login", `{"email":"zeus@olympus.example","password":"thunder and rain"}`)},
	"forgotPassword": {honest: post("/api/auth/forgot-password", `{"email":"zeus@olympus.example"}`)},
	"resetPassword":  {status: 400, honest: post("/api/auth/reset-password", `{"token":"none","password":"new thunder"}`)},
	// with a valid link: account_settings_test.go
	"tokenLogin": {honest: func(me actor) request {
		return post("/api/proxy/auth/token/login", `{"context":"`+contextOf(me.id)+`","utmParams":{"utm_source":"game"}}`)(me)
	}},
	"beginX":  {honest: get("/api/auth/twitter/authorize")},
	"finishX": {status: 401, honest: post("/api/auth/twitter/callback", `{"code":"c","state":"s","binding":"b"}`)},
	// with a valid one: external_login_test.go
	"getConfig":                {honest: get("/api/config")},
	"getEvaluatedFeatureFlags": {honest: get("/api/proxy/feature-flag/getEvaluatedFeatureFlags")},
	"report": {
		status: 202, honest: post("/api/monitoring?ddforward=%2Fapi%2Fv2%2Frum%3Fddsource%3Dbrowser", `{"type":"view"}`),
	},
	"evaluateFlags":   {honest: post("/ofrep/v1/evaluate/flags", `{"context":{}}`)},
	"evaluateFlag":    {honest: post("/ofrep/v1/evaluate/flags/purchase", `{"context":{"targetingKey":"A"}}`)},
	"getCollections":  {who: reader, honest: get("/api/marketplace/collections")},
	"getTraits":       {who: reader, honest: get("/api/marketplace/traits?collection=helms")},
	"getSales":        {who: reader, honest: get("/api/marketplace/sales")},
	"getItem":         {who: reader, honest: get("/api/marketplace/items/" + testkit.Items + "/1")},
	"refreshItem":     {who: player, honest: post("/api/marketplace/items/"+testkit.Items+"/1/refresh", "")},
	"getOffers":       {who: reader, honest: get("/api/marketplace/items?item=" + testkit.Items + ":1")},
	"getPriceHistory": {who: reader, honest: get("/api/marketplace/items/" + testkit.Items + "/1/history")},
	"getItemActivity": {who: reader, honest: get("/api/marketplace/items/" + testkit.Items + "/1/activity")},
	"getFees":         {who: reader, honest: get("/api/marketplace/fees?contract=" + testkit.Items + "&tokenId=1")},
	"browseListings":  {who: reader, honest: get("/api/marketplace/listings")},
	"getLiveListings": {who: reader, honest: post("/api/marketplace/liveListings/getLiveListings", `{}`)},
	"getChain":        {honest: get("/api/proxy/chains/1337042")},
	"rpc":             {honest: post("/api/proxy/rpc/1337042", `{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}`)},
	"preRegister":     {status: 201, honest: post("/api/pre-register", `{"email":"new@olympus.example"}`)},
	"writeToSupport": {
		status: 201, honest: post("/api/support", `{"email":"new@olympus.example","topic":"wallet","message":"Where is my seed phrase?"}`),
	},
	"getLeaderboard":      {honest: get("/api/leaderboards/kod")},
	"getNews":             {honest: get("/api/news")},
	"getArksConfig":       {honest: get("/api/arks/config")},
	"getPiggyBanksConfig": {honest: get("/api/piggy-banks/config")},
	"getPowerPacksConfig": {honest: get("/api/power-packs/config")},
	"getPackProducts":     {honest: get("/api/marketplace/getProducts")},
	"getPackOdds":         {honest: get("/api/packs/odds")},
	"getDrawVectors":      {honest: get("/api/packs/vectors")},
	"getPaymentRecords":   {honest: get("/api/packs/records?after=3&limit=500")},
	"getAllOpenings":      {honest: get("/api/packs/openings?kind=general&after=3&limit=500")},
	"getOpening": { // with one: packs_test.go
		status: 404, honest: get("/api/packs/openings/1337042-0x" + strings.Repeat("ab", 32) + "-0-0"),
		foreign: func(actor, actor) []request { return nil }, // openings are public
	},
	"healthz":     {honest: get("/healthz")},
	"readyz":      {honest: get("/readyz")},
	"getStatus":   {honest: get("/api/status")},
	"getMetadata": {honest: get("/metadata/" + testkit.Items + "/1")},
	"getImage":    {honest: get("/metadata/" + testkit.Items + "/1/image.svg")},

	"logout": {who: either, honest: get("/api/auth/logout")},
	"updateProfile": {who: player, honest: func(actor) request {
		return request{method: http.MethodPatch, path: "/api/auth/profile", body: `{"displayName":"Zeus the Second"}`}
	}},
	"changePassword": {who: player, honest: post("/api/auth/password", `{"current":"thunder and rain","password":"new thunder"}`)},
	"addEmail":       {who: player, honest: post("/api/auth/email/add", `{}`)},
	"confirmEmail":   {who: player, status: 400, honest: post("/api/auth/email/confirm", `{"code":"none"}`)},
	// with a valid code: emails_test.go
	"sendDeletionCode": {who: player, honest: post("/api/auth/delete-account/code", "")},
	// With a wrong password; the deletion itself: account_settings_test.go
	"getDeletion":       {who: player, honest: get("/api/auth/delete-account")},
	"keepAccount":       {who: player, status: 404, honest: post("/api/auth/delete-account/cancel", "")},
	"deleteAccount":     {who: player, status: 400, honest: post("/api/auth/delete-account", `{"password":"wrong"}`)},
	"listSessions":      {who: player, honest: get("/api/auth/sessions")},
	"endOtherSessions":  {who: player, honest: post("/api/auth/sessions/end-others", "")},
	"beginPasskeyLogin": {honest: get("/api/auth/login/passkey")},
	"passkeyLogin":      {status: 403, honest: post("/api/auth/login/passkey", `{"response":{}}`)}, // with an answer: passkeys_test.go
	"listPasskeys":      {who: player, honest: get("/api/auth/passkeys")},
	"beginPasskey": {
		who: player, status: 409, honest: post("/api/auth/passkeys/options", `{"commitment":"`+strings.Repeat("a", 43)+`"}`),
	},
	"addPasskey": {
		who: player, status: 403, honest: post("/api/auth/passkeys", `{"secret":"a secret of the page only","response":{}}`),
	},
	"beginPasskeyApproval": {who: player, before: addPasskey, honest: get("/api/auth/passkeys/challenge")},
	"renamePasskey":        ofPasskey(http.MethodPatch, `{"name":"Phone"}`, 200),
	"removePasskey":        ofPasskey(http.MethodDelete, "", 409),
	"endSession": {
		who: player,
		honest: func(me actor) request {
			return request{method: http.MethodDelete, path: "/api/auth/sessions/" + me.sid}
		},
		foreign: func(_, other actor) []request {
			return []request{{method: http.MethodDelete, path: "/api/auth/sessions/" + other.sid}}
		},
	},
	"getProfile":         {who: player, honest: get("/api/auth/profile")},
	"getCurrencies":      {who: player, honest: get("/api/auth/currencies")},
	"getActivity":        {who: player, honest: get("/api/auth/activity")},
	"getAchievements":    {who: player, honest: get("/api/auth/achievements")},
	"listSecurityEvents": {who: player, honest: get("/api/auth/security-events")},
	"getGames":           {who: player, honest: get("/api/auth/games")},
	"getWhitelist":       {who: player, honest: get("/api/auth/whitelist")},
	"protectData":        {who: player, honest: post("/api/auth/protectedData", `{"value":"{player}","action":"encrypt"}`)},
	"getRewards":         {who: player, honest: get("/api/auth/rewards")},
	"getOpenings":        {who: player, honest: get("/api/auth/packs/openings")},
	"getPackBuyer":       {who: player, honest: get("/api/auth/packs/buyer")},
	"confirmAge":         {who: player, honest: post("/api/auth/packs/confirm-age", "")},
	"listImmortals":      {who: player, honest: get("/api/auth/nft/listImmortals")},
	"listArks":           {who: player, honest: get("/api/auth/nft/listArks")},
	"listPowerPacks":     {who: player, honest: get("/api/auth/nft/listPowerPacks")},
	"listGameItems":      {who: player, honest: get("/api/auth/nft/listGameItems")},
	"listPiggyBanks":     {who: player, honest: get("/api/auth/nft/listPiggyBanks")},
	"listPacks":          {who: player, honest: get("/api/auth/nft/listPacks")},
	"listAvatars":        {who: player, honest: get("/api/auth/nft/listAvatars")},
	"listElderGods":      {who: player, honest: get("/api/auth/nft/listElderGods")},
	"listPasses":         {who: player, honest: get("/api/auth/nft/listPasses")},
	"seeGameItems":       {who: player, honest: post("/api/auth/nft/gameItems/seen", "")},
	"getVault":           {who: player, honest: get("/api/auth/vault")},
	"claimVault": {
		who: player, status: 202,
		before: func(p *portal, me actor) {
			testkit.Give(p.t, p.db, testkit.WalletOf(me.id), shelves[collections.ElderGods], "7", 1)
		},
		honest: post("/api/auth/vault/claim", `{"tokenId":"7"}`),
		foreign: func(me, _ actor) []request { // the other's gods; see TestRoutes_NoCallReadsOrChangesAnotherPlayersData
			return []request{
				post("/api/auth/vault/claim", `{"tokenId":"`+othersGod+`"}`)(me),
				post("/api/auth/vault/claim", `{"tokenIds":["`+othersGod+`"]}`)(me),
			}
		},
	},
	"getMoves":         {honest: get("/api/moves")},
	"getMove":          {honest: get("/api/moves/4242")},
	"getSnapshot":      {honest: get("/api/moves/4242/snapshot")},
	"getMovedHoldings": {who: player, honest: get("/api/auth/moves/4242")},
	"claimMoved": {
		who: player, status: 202, before: func(p *portal, me actor) { p.held(testkit.WalletOf(me.id), 1) },
		honest: post("/api/auth/moves/4242/claim", ""),
	},
	"checkAvatarClaim": {
		who: player, honest: post("/api/auth/marketplace/avatar/avatarClaimCheck", `{"walletAddress":"{smart}"}`),
		foreign: func(actor, actor) []request { return nil }, // claims are public on the chain
	},
	"getWebstoreProducts": {honest: get("/api/webstore/getProducts?type=gold-pack")},
	"startWebstoreCheckout": {
		who: player, honest: post("/api/auth/webstore/checkout", `{"productId":200,"variationId":201}`),
	},
	"getWebstoreHandOff": {
		who: player,
		before: func(p *portal, me actor) {
			p.ok(shopstore.New(p.db).AddHandOff(p.t.Context(),
				webstore.HandOff{ID: "H" + me.id, PlayerID: me.id, Variation: 201, At: p.clock.Now()}))
		},
		honest: func(me actor) request { return get("/api/auth/webstore/handoffs/H" + me.id)(me) },
		foreign: func(me, other actor) []request {
			return []request{get("/api/auth/webstore/handoffs/H" + other.id)(me)}
		},
	},
	"getWebstoreOrders":      {who: player, honest: get("/api/auth/webstore/orders")},
	"getWebstoreDebtPayment": {who: player, status: 409, honest: get("/api/auth/webstore/debts/payment")}, // the player owes nothing
	"returnToShop":           {who: player, honest: post("/api/auth/webstore/return", `{"returnUrl":"https://shop.example/cart"}`)},
	"receiveWebhook":         {status: 401, honest: post("/api/webhooks/woocommerce", `{"id":1}`)}, // with a signature: webstore_test.go
	"getMoney":               {who: player, honest: get("/api/auth/money")},
	"getMovements":           {who: player, honest: get("/api/auth/money/movements")},
	"requestTradeApproval": {
		who:    player, // what an approval is good for: trades_test.go in test/e2e
		honest: post("/api/auth/marketplace/trades/approval", `{"chainId":1337042,"calls":[{"to":"`+testkit.Items+`","data":"0x01"}]}`),
	},
	"getWithdrawals": {who: player, honest: get("/api/auth/withdrawals")},
	"createWithdrawal": {
		who: player, status: 201,
		honest: post("/api/auth/withdrawals", `{"to":"0x00000000000000000000000000000000000000d1","assets":[{"chainId":1337042,"contract":"`+
			testkit.USDC+`","amount":"1"}]}`),
	},
	"confirmApproval":    ofApproval("/confirm", `{"code":"00000000"}`, 400), // with the right code: approval_test.go in portal
	"sendApprovalCode":   ofApproval("/code", "", 200),
	"getWithdrawal":      ofWithdrawal(http.MethodGet, "", "", 200),
	"sendWithdrawalCode": ofWithdrawal(http.MethodPost, "/code", "", 200),
	"confirmWithdrawal":  ofWithdrawal(http.MethodPost, "/confirm", `{"code":"00000000"}`, 400),
	// with the right code: withdrawals_test.go in store
	"cancelWithdrawal": ofWithdrawal(http.MethodDelete, "", "", 200),
	"getWithdrawalCalls": {
		who: player, status: 409, // it is not confirmed
		honest: func(me actor) request {
			return get("/api/auth/withdrawals/W" + me.id + "/parts/P" + me.id + "/calls")(me)
		},
		foreign: func(me, other actor) []request {
			return []request{
				get("/api/auth/withdrawals/W" + other.id + "/parts/P" + other.id + "/calls")(me),
				get("/api/auth/withdrawals/W" + me.id + "/parts/P" + other.id + "/calls")(me),
			}
		},
	},
	"keepAccountByLink":      {status: 404, honest: post("/api/account/keep", `{"token":"none"}`)},
	"cancelWithdrawalByLink": {status: 404, honest: post("/api/withdrawals/cancel", `{"token":"none"}`)},
	"notMe":                  {status: 404, honest: post("/api/auth/not-me", `{"token":"none"}`)},
	"getAddressBook":         {who: player, honest: get("/api/auth/address-book")},
	"saveAddress": {
		who: player, honest: put("/api/auth/address-book/0x00000000000000000000000000000000000000d1", `{"label":"Mine"}`),
		foreign: func(actor, actor) []request { return nil }, // anybody may save any address
	},
	"forgetAddress": {
		who: player,
		honest: func(actor) request {
			return request{method: http.MethodDelete, path: "/api/auth/address-book/0x00000000000000000000000000000000000000d1"}
		},
		foreign: func(actor, actor) []request { return nil }, // it is looked for in the caller's own book
	},
	"claimAvatar": {who: player, status: 202, honest: post("/api/auth/marketplace/avatar/claim", "")},
	"challengeWallet": {
		who: player, honest: post("/api/auth/wallet/challenge", `{"address":"0x00000000000000000000000000000000000000d1","chainId":1337042}`),
		foreign: func(actor, actor) []request { return nil }, // anybody may request any address; ownership must be proven
	},
	"verifyWallet": {who: player, status: 400, honest: post("/api/auth/wallet/verify", `{"message":"m","signature":"0x"}`)},
	// with a valid one: external_login_test.go
	"disconnectWallet": {
		who: player, honest: func(actor) request { return request{method: http.MethodDelete, path: "/api/auth/wallet"} },
	},
	"getNotifications":        {who: player, honest: get("/api/auth/notifications?limit=1")},
	"readNotifications":       {who: player, honest: post("/api/auth/notifications/read", `{"notificationId":"MTc2MCBzb2xk"}`)},
	"getNotificationSettings": {who: player, honest: get("/api/auth/notifications/settings")},
	"setNotificationSettings": {who: player, honest: func(me actor) request {
		r := post("/api/auth/notifications/settings", `{"email":false}`)(me)
		r.method = http.MethodPut
		return r
	}},
	"getSavedSearches": {who: player, honest: get("/api/auth/marketplace/searches")},
	"saveSearch": {
		who: player, honest: post("/api/auth/marketplace/searches", `{"name":"swords","filters":{"q":"sword"},"alerts":true}`),
	},
	"changeSearch": {
		who: player, honest: put("/api/auth/marketplace/searches/S{player}", `{"name":"blades","alerts":false}`), before: saveSearch,
		foreign: func(_, other actor) []request {
			return []request{put("/api/auth/marketplace/searches/S{player}", `{"name":"blades","alerts":false}`)(other)}
		},
	},
	"deleteSearch": {
		who: player, honest: del("/api/auth/marketplace/searches/S{player}"), before: saveSearch,
		foreign: func(_, other actor) []request {
			return []request{del("/api/auth/marketplace/searches/S{player}")(other)}
		},
	},
	"getWatchlist": {who: player, honest: get("/api/auth/marketplace/watchlist")},
	"watch": {
		who: player, honest: put("/api/auth/marketplace/watchlist/"+testkit.Items+"/1", ""),
		foreign: func(actor, actor) []request { return nil }, // it is the caller's own list
	},
	"unwatch": {
		who: player, honest: del("/api/auth/marketplace/watchlist/" + testkit.Items + "/1"),
		foreign: func(actor, actor) []request { return nil }, // it is the caller's own list
	},
	"getOwnListings": {who: player, honest: get("/api/auth/marketplace/my-listings")},
	"getOwn": {
		who: player, honest: get("/api/auth/marketplace/own/" + testkit.Items + "/1"),
		foreign: func(actor, actor) []request { return nil }, // it counts the caller's own
	},
	"getCart":   {who: player, honest: get("/api/auth/marketplace/cart")},
	"faucet":    {who: player, honest: post("/api/dev/faucet", "")},
	"bundler":   {who: player, honest: post("/api/proxy/bundler/1337042", `{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`)},
	"paymaster": {who: player, honest: post("/api/proxy/paymaster/1337042", `{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`)},
	"getPubSubAccessToken": {
		who:    player,
		honest: func(me actor) request { return get(fill("/api/auth/pubSubAccessToken?wallet={smart}", me))(me) },
		foreign: func(me, other actor) []request {
			return []request{get(fill("/api/auth/pubSubAccessToken?wallet={smart}", other))(me)}
		},
	},
	"hasSmartWallet": {
		who: player, honest: post("/api/smartWallet/has-smart-wallet", `{"playfabid":"{player}"}`),
		foreign: named("/api/smartWallet/has-smart-wallet", `{"playfabid":"{player}"}`),
	},
	"createSmartWallet": {
		who:     player,
		honest:  post("/api/smartWallet/create-smart-wallet", `{"playfabid":"{player}","embeddedWallet":"{embedded}","smartWallet":"{smart}"}`),
		foreign: named("/api/smartWallet/create-smart-wallet", `{"playfabid":"{player}","embeddedWallet":"{embedded}","smartWallet":"{smart}"}`),
	},
	"addToCart": {
		who: player,
		honest: post("/api/auth/marketplace/cart/addToCart",
			`{"playFabId":"{player}","newItem":{"listingId":"{listing}","assetContractAddress":"{items}"}}`),
		foreign: named("/api/auth/marketplace/cart/addToCart",
			`{"playFabId":"{player}","newItem":{"listingId":"{listing}","assetContractAddress":"{items}"}}`),
	},
	"removeFromCart": {
		who: player,
		honest: post("/api/auth/marketplace/cart/removeFromCart",
			`{"playFabId":"{player}","removedItem":{"listingId":"{listing}","assetContractAddress":"{items}","index":0}}`),
		foreign: func(me, other actor) []request {
			const path, body = "/api/auth/marketplace/cart/removeFromCart",
				`{"playFabId":"{player}","removedItem":{"listingId":"{listing}","assetContractAddress":"{items}","index":0}}`
			inMyName := me
			inMyName.listing = other.listing // the other's unit, requested under the caller's id
			return []request{post(path, body)(other), post(path, body)(inMyName)}
		},
	},
	"emptyCart": {
		who: player, honest: post("/api/auth/marketplace/cart/emptyCart", `{"playFabId":"{player}"}`),
		foreign: named("/api/auth/marketplace/cart/emptyCart", `{"playFabId":"{player}"}`),
	},
	"getCurrentOrder": {who: player, honest: get("/api/auth/marketplace/checkout")},
	"startCheckout": {
		who: player, status: 201, honest: post("/api/auth/marketplace/checkout", `{"playFabId":"{player}"}`),
		foreign: named("/api/auth/marketplace/checkout", `{"playFabId":"{player}"}`),
	},
	"getOrder": {
		who:    player,
		honest: func(me actor) request { return get("/api/auth/marketplace/checkout/" + me.order)(me) },
		foreign: func(me, other actor) []request {
			return []request{get("/api/auth/marketplace/checkout/" + other.order)(me)}
		},
	},
	"cancelOrder": {
		who: player,
		honest: func(me actor) request {
			return request{method: http.MethodDelete, path: "/api/auth/marketplace/checkout/" + me.order}
		},
		foreign: func(me, other actor) []request {
			return []request{{method: http.MethodDelete, path: "/api/auth/marketplace/checkout/" + other.order}}
		},
	},
	"submitOrder": {
		who: player,
		before: func(p *portal, me actor) { // the relay has accepted the operation
			if err := testkit.SubmitOrder(p.t, p.db, me.order, eth.Hash(bytes.Repeat([]byte{0xab}, 32)), p.clock.Now()); err != nil {
				p.t.Fatal(err)
			}
		},
		honest: func(me actor) request {
			return post("/api/auth/marketplace/checkout/"+me.order+"/submitted", `{"userOpHash":"{hash}"}`)(me)
		},
		foreign: func(me, other actor) []request {
			return []request{post("/api/auth/marketplace/checkout/"+other.order+"/submitted", `{"userOpHash":"{hash}"}`)(me)}
		},
	},

	"getEmbeddedToken": {who: session, honest: get("/api/smartWallet/embedded-token")},

	"connectWallet": {who: signing, honest: post("/api/wallet/connect", "")},
	"signMessage":   {who: signing, honest: post("/api/wallet/sign-message", `{"message":"portal.example wants you to sign in"}`)},
	"signTypedData": {who: signing, honest: post("/api/wallet/sign-typed-data", `{"typedData":{"domain":{}}}`)},
	// The operation names the wallet that sends it; the signer checks that it is the player's own, and is tested
	// there.
	"signUserOperation": {who: signing, honest: post("/api/wallet/sign-user-operation", userOperation)},
}

// othersGod is an Elder God of the player whom the routes' foreign calls name.
const othersGod = "880088"

// named returns the same call with another player's id and values in its body.
func named(path, body string) func(me, other actor) []request {
	return func(_, other actor) []request { return []request{post(path, body)(other)} }
}

// credential returns the player's credential of the given kind.
func (a actor) credential(who string) string {
	return map[string]string{anybody: "", player: a.token, reader: a.token, either: a.token, session: a.session, signing: a.walletToken}[who]
}

func (a actor) authorized(r request, who string) request {
	r.authorization = a.credential(who)
	return r
}

// operations returns the contract's calls by name.
func operations(p *portal) map[string]*huma.Operation {
	out := map[string]*huma.Operation{}
	for _, item := range p.api.OpenAPI().Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete, item.Head, item.Options, item.Trace} {
			if op != nil {
				out[op.OperationID] = op
			}
		}
	}
	return out
}

func TestRoutes_EveryCallOfTheContractIsInTheListOfRoutes(t *testing.T) {
	t.Parallel()
	p := open(t)
	ops := operations(p)
	for _, id := range slices.Sorted(maps.Keys(ops)) {
		op, r := ops[id], routes[id]
		if r.honest == nil {
			t.Errorf("%s (%s %s) is not in the list of routes", id, op.Method, op.Path)
			continue
		}
		who := anybody
		for _, s := range op.Security {
			for scheme := range s {
				who = scheme
			}
		}
		if len(op.Security) == 2 && who == player && len(op.Security[1]) == 0 {
			who = reader // the token may be left out
		}
		if len(op.Security) == 2 && op.Security[0][player] != nil && op.Security[1][session] != nil {
			who = either
		}
		if op.Security == nil || len(op.Security) > 1 && who != reader && who != either || who != r.who {
			t.Errorf("%s asks for %v, the list of routes says %q", id, op.Security, r.who)
		}
		example := r.honest(actor{id: "A", order: "O", listing: "1", sid: "S"})
		if path, _, _ := strings.Cut(example.path, "?"); example.method != op.Method || !fits(op.Path, path) {
			t.Errorf("%s is %s %s, the list of routes makes %s %s", id, op.Method, op.Path, example.method, path)
		}
		if things := namedThings(p, op); len(things) > 0 && r.foreign == nil && r.who != signing {
			t.Errorf("%s names %v, but the list of routes does not say how it would reach into another player's", id, things)
		}
	}
	for id := range routes {
		if ops[id] == nil {
			t.Errorf("the list of routes has %s, which the contract has not", id)
		}
	}
}

// fits reports whether a path matches the pattern.
func fits(pattern, path string) bool {
	want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	return slices.EqualFunc(want, got, func(w, g string) bool { return w == g || strings.HasPrefix(w, "{") && g != "" })
}

// namedThings returns the parameters and properties of the call that name a player, an order or a wallet.
func namedThings(p *portal, op *huma.Operation) (found []string) {
	things := []string{"id", "playfabid", "orderid", "wallet", "embeddedwallet", "smartwallet", "sender", "owner", "address", "walletaddress"}
	for _, param := range op.Parameters {
		if slices.Contains(things, strings.ToLower(param.Name)) {
			found = append(found, param.Name)
		}
	}
	if op.RequestBody == nil || op.RequestBody.Content["application/json"] == nil {
		return found
	}
	schema := op.RequestBody.Content["application/json"].Schema
	if schema.Ref != "" {
		schema = p.api.OpenAPI().Components.Schemas.SchemaFromRef(schema.Ref)
	}
	for name := range schema.Properties {
		if slices.Contains(things, strings.ToLower(name)) {
			found = append(found, name)
		}
	}
	return found
}

// These calls are public and no others: a new one must be added here deliberately.
// Spec: ACCESS-1, API-1
func TestRoutes_CallsAnybodyMayMake(t *testing.T) {
	t.Parallel()
	p := open(t)
	var public []string
	for id, op := range operations(p) {
		if len(op.Security) == 0 {
			public = append(public, op.Method+" "+op.Path+" "+id)
		}
	}
	slices.Sort(public)
	want := []string{
		"GET /api/arks/config getArksConfig",
		"GET /api/auth/login/passkey beginPasskeyLogin",
		"GET /api/auth/twitter/authorize beginX",
		"GET /api/config getConfig",
		"GET /api/leaderboards/{board} getLeaderboard",
		"GET /api/marketplace/getProducts getPackProducts",
		"GET /api/moves getMoves",
		"GET /api/moves/{chainId} getMove",
		"GET /api/moves/{chainId}/snapshot getSnapshot",
		"GET /api/news getNews",
		"GET /api/packs/odds getPackOdds",
		"GET /api/packs/openings getAllOpenings",
		"GET /api/packs/openings/{id} getOpening",
		"GET /api/packs/records getPaymentRecords",
		"GET /api/packs/vectors getDrawVectors",
		"GET /api/piggy-banks/config getPiggyBanksConfig",
		"GET /api/power-packs/config getPowerPacksConfig",
		"GET /api/proxy/chains/{chainId} getChain",
		"GET /api/proxy/feature-flag/getEvaluatedFeatureFlags getEvaluatedFeatureFlags",
		"GET /api/status getStatus",
		"GET /api/webstore/getProducts getWebstoreProducts",
		"GET /healthz healthz",
		"GET /metadata/{contract}/{tokenId} getMetadata",
		"GET /metadata/{contract}/{tokenId}/image.svg getImage",
		"GET /readyz readyz",
		"POST /api/account/keep keepAccountByLink",
		"POST /api/auth/forgot-password forgotPassword",
		"POST /api/auth/login login",
		"POST /api/auth/login/passkey passkeyLogin",
		"POST /api/auth/not-me notMe",
		"POST /api/auth/register register",
		"POST /api/auth/reset-password resetPassword",
		"POST /api/auth/twitter/callback finishX",
		"POST /api/monitoring report",
		"POST /api/pre-register preRegister",
		"POST /api/proxy/auth/token/login tokenLogin",
		"POST /api/proxy/rpc/{chainId} rpc",
		"POST /api/support writeToSupport",
		"POST /api/webhooks/woocommerce receiveWebhook",
		"POST /api/withdrawals/cancel cancelWithdrawalByLink",
		"POST /ofrep/v1/evaluate/flags evaluateFlags",
		"POST /ofrep/v1/evaluate/flags/{key} evaluateFlag",
	}
	if !slices.Equal(public, want) {
		t.Errorf("public are\n%s\nwant\n%s", strings.Join(public, "\n"), strings.Join(want, "\n"))
	}
}

// limitOf has the rate limit of each call, by its setting; "" for none, with the reason. Those that are not named have LIMIT_READS.
var limitOf = map[string]string{
	"register": "LIMIT_LOGINS", "login": "LIMIT_LOGINS", "forgotPassword": "LIMIT_LOGINS", "resetPassword": "LIMIT_LOGINS",
	"tokenLogin": "LIMIT_LOGINS", "passkeyLogin": "LIMIT_LOGINS", "beginPasskey": "LIMIT_LOGINS", "addPasskey": "LIMIT_LOGINS",
	"renamePasskey": "LIMIT_LOGINS", "removePasskey": "LIMIT_LOGINS",
	"beginX": "LIMIT_LOGINS", "finishX": "LIMIT_LOGINS", "cancelWithdrawalByLink": "LIMIT_LOGINS", "notMe": "LIMIT_LOGINS",
	"updateProfile":  "LIMIT_LOGINS",
	"changePassword": "LIMIT_LOGINS", "sendDeletionCode": "LIMIT_LOGINS", "deleteAccount": "LIMIT_LOGINS", "addEmail": "LIMIT_LOGINS",
	"getDeletion": "LIMIT_LOGINS", "keepAccount": "LIMIT_LOGINS", "keepAccountByLink": "LIMIT_LOGINS",
	"confirmEmail": "LIMIT_LOGINS", "challengeWallet": "LIMIT_LOGINS", "verifyWallet": "LIMIT_LOGINS", "disconnectWallet": "LIMIT_LOGINS",
	"faucet":          "LIMIT_LOGINS",
	"confirmApproval": "LIMIT_LOGINS", "sendApprovalCode": "LIMIT_LOGINS", "requestTradeApproval": "LIMIT_LOGINS",
	"preRegister": "LIMIT_CONTACTS", "writeToSupport": "LIMIT_CONTACTS", "report": "LIMIT_MONITORING",
	"addToCart": "LIMIT_CART_CHANGES", "removeFromCart": "LIMIT_CART_CHANGES", "emptyCart": "LIMIT_CART_CHANGES",
	"startCheckout": "LIMIT_CART_CHANGES",
	"cancelOrder":   "LIMIT_CART_CHANGES", "submitOrder": "LIMIT_CART_CHANGES", "claimVault": "LIMIT_CART_CHANGES",
	"claimAvatar":       "LIMIT_CART_CHANGES",
	"claimMoved":        "LIMIT_CART_CHANGES",
	"readNotifications": "LIMIT_CART_CHANGES", "setNotificationSettings": "LIMIT_CART_CHANGES", "saveSearch": "LIMIT_CART_CHANGES",
	"changeSearch": "LIMIT_CART_CHANGES", "deleteSearch": "LIMIT_CART_CHANGES", "getWatchlist": "LIMIT_CART_CHANGES",
	"watch":   "LIMIT_CART_CHANGES",
	"unwatch": "LIMIT_CART_CHANGES", "startWebstoreCheckout": "LIMIT_CART_CHANGES", "returnToShop": "LIMIT_CART_CHANGES",
	"createWithdrawal":   "LIMIT_CART_CHANGES",
	"sendWithdrawalCode": "LIMIT_CART_CHANGES", "confirmWithdrawal": "LIMIT_CART_CHANGES",
	"saveAddress": "LIMIT_CART_CHANGES", "forgetAddress": "LIMIT_CART_CHANGES",
	"bundler": "LIMIT_SIGNATURES", "paymaster": "LIMIT_SIGNATURES", "connectWallet": "LIMIT_SIGNATURES", "signMessage": "LIMIT_SIGNATURES",
	"signTypedData": "LIMIT_SIGNATURES", "signUserOperation": "LIMIT_SIGNATURES",
	"rpc": "LIMIT_CHAIN_READS", "getLeaderboard": "LIMIT_CHAIN_READS", "getFees": "LIMIT_CHAIN_READS",
	"getWebstoreProducts": "LIMIT_CHAIN_READS",
	"getMetadata":         "LIMIT_ART", "getImage": "LIMIT_ART",

	"getConfig": "", "getChain": "", "getEvaluatedFeatureFlags": "", "getStatus": "", "evaluateFlags": "", "evaluateFlag": "", // from memory
	"getArksConfig": "", "getPiggyBanksConfig": "", "getPowerPacksConfig": "",
	"healthz": "", "readyz": "", // for probes
	"receiveWebhook": "", // signed; a shop disables a webhook that is refused
}

// Spec: API-5
func TestRoutes_EveryCallThatCostsHasARateLimit(t *testing.T) {
	t.Parallel()
	p := open(t, func(o *api.Options) {
		o.Limits = api.Limits{
			LoginsPerMinute: 1001, ContactsPerMinute: 1002, ReportsPerMinute: 1003, CartPerMinute: 1004, SigningPerMinute: 1005,
			ChainReadsPerMinute: 1006, ArtPerMinute: 1007, ReadsPerMinute: 1008, SearchesPerMinute: 1009,
		}
	})
	settings := map[string]string{
		"": "", "1001": "LIMIT_LOGINS", "1002": "LIMIT_CONTACTS", "1003": "LIMIT_MONITORING", "1004": "LIMIT_CART_CHANGES",
		"1005": "LIMIT_SIGNATURES",
		"1006": "LIMIT_CHAIN_READS", "1007": "LIMIT_ART", "1008": "LIMIT_READS", "1009": "LIMIT_SEARCHES",
	}
	me := p.admit("zeus", "1")
	for id, op := range operations(p) {
		if id == "logout" || id == "endSession" { // they end the session
			continue
		}
		want, named := limitOf[id]
		if !named {
			want = "LIMIT_READS"
		}
		r := routes[id]
		a := p.send(me.authorized(r.honest(me), r.who))
		_, policy, _ := strings.Cut(a.header.Get("RateLimit-Policy"), ";q=")
		quota, _, _ := strings.Cut(policy, ";")
		if got := settings[quota]; got != want {
			t.Errorf("%s is limited by %q (%s), want %q", id, got, quota, want)
		}
		refusal := op.Responses["429"]
		if want != "" && (refusal == nil || refusal.Headers["RateLimit"] == nil || refusal.Headers["RateLimit-Policy"] == nil ||
			refusal.Headers["Retry-After"] == nil) {
			t.Errorf("%s: the contract does not say that it is limited", id)
		}
		if want == "" && refusal != nil {
			t.Errorf("%s: the contract says that it is limited", id)
		}
	}
	search := p.send(request{method: http.MethodGet, path: "/api/marketplace/listings?q=sword"})
	if policy := search.header.Get("RateLimit-Policy"); policy != `"network";q=1009;w=60` {
		t.Errorf("searches are limited by %s", policy)
	}
}

// Spec: API-5
func TestRoutes_SearchesOfOneClientAreRefusedBeforeTheyCost(t *testing.T) {
	t.Parallel()
	p := open(t, func(o *api.Options) { o.Limits.ReadsPerMinute, o.Limits.SearchesPerMinute = 240, 120 })
	zeus, hera := p.register("zeus"), p.register("hera")
	search := func(by actor, i int) answer {
		return p.send(request{method: http.MethodGet, path: fmt.Sprintf("/api/marketplace/listings?q=sword%d", i), authorization: by.token})
	}
	answered := 0
	var last answer
	for i := range 400 {
		if last = search(zeus, i); last.status == http.StatusOK {
			answered++
		}
	}
	if answered > 121 { // one more if a minute begins meanwhile
		t.Errorf("%d of 400 searches are answered", answered)
	}
	p.mustBeProblem("the last", last, http.StatusTooManyRequests)
	if last.header.Get("Retry-After") == "" || last.header.Get("RateLimit-Policy") != `"player";q=120;w=60` ||
		!strings.HasPrefix(last.header.Get("RateLimit"), `"player";r=0;t=`) {
		t.Errorf("the refusal has %v", last.header)
	}
	if a := search(hera, 0); a.status != http.StatusOK {
		t.Errorf("another player of the network: %d %s", a.status, a.text)
	}
	// The pages that are looked at between searches still load.
	p.mustSucceed(request{method: http.MethodGet, path: "/api/marketplace/listings", authorization: zeus.token}, 200)
	p.mustSucceed(request{method: http.MethodGet, path: "/api/marketplace/collections", authorization: zeus.token}, 200)
}

// Spec: API-5
func TestRoutes_PlayersOfOneNetworkTogetherReadFiveTimesAsMuch(t *testing.T) {
	t.Parallel()
	p := open(t, func(o *api.Options) { o.Limits.ReadsPerMinute = 10 })
	answered := 0
	for i := range 8 {
		by := p.register(fmt.Sprintf("player%d", i))
		for range 10 {
			if a := p.send(request{
				method: http.MethodGet, path: "/api/marketplace/items/" + testkit.Items + "/1/history", authorization: by.token,
			}); a.status == http.StatusOK {
				answered++
			}
		}
	}
	if answered < 45 || answered > 55 {
		t.Errorf("%d reads are answered, want 50", answered)
	}
}

// Spec: ACCESS-9
func TestMarket_IsForPlayersOnlyWhileItIsClosedToVisitors(t *testing.T) {
	t.Parallel()
	closed := open(t, closedMarket(t))
	zeus := closed.admit("zeus", "1")
	opened := open(t)
	opened.admit("zeus", "1")
	for id, r := range routes {
		if r.who != reader {
			continue
		}
		closed.mustBeProblem(id, closed.send(r.honest(zeus)), http.StatusUnauthorized)
		head := r.honest(zeus)
		if head.method == http.MethodGet {
			head.method = http.MethodHead
			if a := closed.send(head); a.status != http.StatusUnauthorized {
				t.Errorf("%s by HEAD: %d", id, a.status)
			}
		}
		closed.mustSucceed(zeus.authorized(r.honest(zeus), player), 200)
		opened.mustSucceed(r.honest(zeus), 200)
	}
	// What visitors may see of packs and tokens in any case.
	for _, path := range []string{
		"/api/packs/odds", "/api/marketplace/getProducts", "/metadata/" + testkit.Items + "/1", "/metadata/" + testkit.Items + "/1/image.svg",
	} {
		closed.mustSucceed(request{method: http.MethodGet, path: path}, 200)
	}
}

// Spec: PAY-6, API-1, RUN-9
func TestRoutes_EveryCallWorksForThePlayerItself(t *testing.T) {
	t.Parallel()
	shared := open(t)
	reader := shared.admit("zeus", "1")
	for id, r := range routes {
		p, me := shared, reader
		if call := r.honest(me); call.method != http.MethodGet || id == "logout" {
			p = open(t) // a call that changes something gets its own portal
			me = p.admit("zeus", "1")
		}
		want := r.status
		if want == 0 {
			want = http.StatusOK
		}
		if r.before != nil {
			r.before(p, me)
		}
		a := p.send(me.authorized(r.honest(me), r.who))
		if a.status != want {
			t.Errorf("%s: %d %s, want %d", id, a.status, a.text, want)
		}
		if p.log.Len() > 0 {
			t.Errorf("%s logged: %s", id, p.log)
		}
		if strings.Contains(a.text, "$schema") {
			t.Errorf("%s: the answer carries a $schema", id)
		}
	}
}

// Spec: ACCESS-1, API-1
func TestRoutes_NoCallOfAPlayerWorksWithoutTheRightCredential(t *testing.T) {
	t.Parallel()
	p := open(t, closedMarket(t))
	me := p.admit("zeus", "1")
	early := p.register("early")
	revoked := p.register("hera")
	p.mustSucceed(request{method: "GET", path: "/api/auth/logout", authorization: revoked.token}, 200)
	p.clock.Advance(24 * time.Hour)
	// The credentials of me and early have expired by now; present's are valid.
	present := p.register("iris")
	for id, r := range routes {
		if r.who == anybody {
			continue
		}
		fresh := present.credential(r.who)
		cases := map[string]string{
			"without a token":         "",
			"with Bearer alone":       "Bearer ",
			"with a malformed token":  "not.a.token",
			"with a cut token":        fresh[:len(fresh)-3],
			"with Basic":              "Basic " + strings.TrimPrefix(fresh, "Bearer "),
			"with two tokens":         fresh + ", " + fresh,
			"with an expired token":   early.credential(r.who),
			"with a revoked token":    revoked.credential(r.who),
			"with a token for a hub":  "eyJhbGciOiJIUzI1NiJ9.eyJhdWQiOiJodWIifQ.AAAA",
			"with the player's id":    present.id,
			"with the id as a Bearer": "Bearer " + present.id,
		}
		for _, other := range []string{player, session, signing} {
			if other != r.who && (other != player || r.who != reader) && (other == signing || r.who != either) {
				cases["with the credential for "+other] = present.credential(other)
				cases["with the bare credential for "+other] = strings.TrimPrefix(present.credential(other), "Bearer ")
				cases["with the Bearer credential for "+other] = "Bearer " + strings.TrimPrefix(present.credential(other), "Bearer ")
			}
		}
		for what, authorization := range cases {
			call := r.honest(me)
			call.authorization = authorization
			a := p.send(call)
			what = fmt.Sprintf("%s %s", id, what)
			p.mustBeProblem(what, a, http.StatusUnauthorized)
			if a.header.Get("WWW-Authenticate") != "Bearer" {
				t.Errorf("%s: no WWW-Authenticate", what)
			}
			if secret := strings.TrimPrefix(authorization, "Bearer "); len(secret) > 15 && strings.Contains(a.text, secret) {
				t.Errorf("%s: the answer repeats the credential", what)
			}
		}
	}
}

// A browser may have lost its token, but not what buys wallet tokens.
// Spec: SESSION-17, ACCOUNT-6
func TestLogout_EndsTheSessionByTheSessionAuthorizationAlone(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus, hera := p.register("zeus"), p.register("hera")
	logout := request{method: "GET", path: "/api/auth/logout", authorization: zeus.session}
	p.mustSucceed(logout, 200)
	for _, who := range []string{player, session, signing} {
		call := map[string]callOf{
			player: get("/api/auth/profile"), session: get("/api/smartWallet/embedded-token"), signing: post("/api/wallet/connect", ""),
		}[who]
		p.mustBeProblem(who, p.send(zeus.authorized(call(zeus), who)), http.StatusUnauthorized)
		p.mustSucceed(hera.authorized(call(hera), who), 200)
	}
	p.mustBeProblem("again", p.send(logout), http.StatusUnauthorized)
}

// Calls that name another player's cart, order, wallet or profile are refused, and change nothing.
// Spec: ACCOUNT-18, ACCESS-2, PAY-4
func TestRoutes_NoCallReadsOrChangesAnotherPlayersData(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus, hera := p.admit("zeus", "1"), p.admit("hera", "2")
	testkit.Give(t, p.db, testkit.WalletOf(hera.id), shelves[collections.ElderGods], othersGod, 1)
	state := func(a actor) (all string) {
		for _, path := range []string{
			"/api/auth/marketplace/cart", "/api/auth/marketplace/checkout", "/api/auth/profile", "/api/auth/vault", "/api/auth/withdrawals",
		} {
			all += p.mustSucceed(request{method: "GET", path: path, authorization: a.token}, 200).text
		}
		return all
	}
	zeusBefore, heraBefore := state(zeus), state(hera)
	for id, r := range routes {
		if r.foreign == nil {
			continue
		}
		for i, call := range r.foreign(zeus, hera) {
			a := p.send(zeus.authorized(call, r.who))
			if a.status != http.StatusForbidden && a.status != http.StatusNotFound {
				t.Errorf("%s, way %d: %d %s", id, i, a.status, a.text)
			}
			p.mustBeProblem(id, a, a.status)
			for what, secret := range map[string]string{"email": "hera@", "order": `"calls"`, "url": "wss://"} {
				if strings.Contains(a.text, secret) {
					t.Errorf("%s, way %d: the refusal tells the other's %s: %s", id, i, what, a.text)
				}
			}
		}
	}
	if got := state(hera); got != heraBefore {
		t.Errorf("the other player's things changed:\n%s\nwere\n%s", got, heraBefore)
	}
	if got := state(zeus); got != zeusBefore {
		t.Errorf("the player's own things changed:\n%s\nwere\n%s", got, zeusBefore)
	}
}

// tokenLists are the calls that list a player's tokens, and the kinds they list.
var tokenLists = map[string]collections.Kind{
	"listImmortals": collections.Immortals, "listArks": collections.Arks, "listPowerPacks": collections.PowerPacks,
	"listGameItems":  collections.GameItems,
	"listPiggyBanks": collections.PiggyBanks, "listPacks": collections.Packs, "listAvatars": collections.Avatars,
	"listElderGods": collections.ElderGods,
	"listPasses":    collections.Passes,
}

// enrich gives a player data of every kind, and returns, for each call that reads without naming a player, a text
// that only this player's response contains.
func (p *portal) enrich(a actor) map[string]string {
	p.t.Helper()
	const copies, balance, rewarded, list = 87_654_321, 976_543_210, 54_545_454, "those-with-everything"
	wallet, received := testkit.WalletOf(a.id), opening.Add(-1234567*time.Second)
	tells := map[string]string{
		"getProfile": a.id, "getCurrencies": strconv.Itoa(balance), "getActivity": strconv.Itoa(rewarded), "getRewards": strconv.Itoa(rewarded),
		"getOpenings": "opening of " + a.id, "getAchievements": received.Format(time.RFC3339),
		"getGames": strconv.Itoa(copies), "getWhitelist": list, "listSessions": a.sid, "getCart": a.listing, "getCurrentOrder": a.order,
	}
	for call, kind := range tokenLists {
		h := eth.Keccak256([]byte(call))
		tells[call] = strconv.FormatUint(binary.BigEndian.Uint64(h[:]), 10)
		testkit.Give(p.t, p.db, wallet, shelves[kind], tells[call], copies)
	}
	tells["getVault"] = tells["listElderGods"]
	addPasskey(p, a)
	tells["listPasskeys"], tells["beginPasskeyApproval"] = "made by "+a.id, base64.RawURLEncoding.EncodeToString([]byte(a.id))
	tells["listSecurityEvents"] = "browser of " + a.id
	p.ok(p.db.Write(p.t.Context(), func(ctx context.Context, tx *store.Tx) error {
		e := securitylog.Of(securitylog.SessionOpened, a.id, opening)
		e.Detail = tells["listSecurityEvents"]
		return tx.LogSecurity(ctx, e)
	}))
	p.held(wallet, copies)
	tells["getMovedHoldings"] = wallet.Checksum()
	due := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC).UnixMilli()
	p.ok(p.db.Write(p.t.Context(), func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.RequestDeletion(ctx, gen.RequestDeletionParams{PlayerID: a.id, At: column.At(opening), Due: column.At(time.UnixMilli(due))})
		return err
	}))
	tells["getDeletion"] = "2030-01-02T03:04:05Z"
	tells["getOwnListings"] = "77770001"
	testkit.List(p.t, p.db, testkit.Offer{Number: tells["getOwnListings"], Seller: wallet, Status: market.Cancelled})
	tells["getNotifications"], tells["getNotificationSettings"] = "66660002", `"email":true`
	p.ok(notifications.New(p.db).SetSettings(p.t.Context(), a.id, notification.Settings{Email: true}))
	saveSearch(p, a)
	tells["getSavedSearches"] = "searched by " + a.id
	p.ok(market.NewSaved(notifications.New(p.db), market.NewService(marketstore.New(p.db), p.clock),
		p.clock).Watch(p.t.Context(), a.id, eth.MustAddress(testkit.Items), "1"))
	tells["getWatchlist"] = `"since"`
	tells["getMoney"], tells["getWithdrawals"] = wallet.Checksum(), "W"+a.id
	p.ok(withdrawals.New(p.db).SaveAddress(p.t.Context(), a.id, withdrawal.SavedAddress{Address: items, Label: "exchange of " + a.id}, 50))
	tells["getAddressBook"], tells["getMovements"] = "exchange of "+a.id, "0.976543"
	tells["getWebstoreOrders"] = "order of " + a.id
	p.ok(shopstore.New(p.db).SettleOrder(p.t.Context(), webstore.Hint{OrderID: 1}, time.Time{},
		func(ctx context.Context, tx webstore.Tx) error {
			return tx.PutOrder(ctx, webstore.Order{
				ID: 1, Number: tells["getWebstoreOrders"], PlayerID: a.id, Status: webstore.Completed, PaidAt: received,
			})
		}))
	tells["getWebstoreDebtPayment"] = "4321.987654"
	owed := reward.Content{Kind: reward.KindTransfer, Detail: `{"contract":"` + testkit.USDC + `","standard":"erc20","amount":"4321987654"}`}
	p.ok(p.db.Write(p.t.Context(), func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertShopDebt(ctx, gen.InsertShopDebtParams{
			Source: "shop/1/1/1", PlayerID: a.id, Kind: owed.Kind, Detail: owed.Detail, Amount: 4_321_987_654, State: "open",
		})
	}))
	confirmed, err := rewards.New(p.db).ConfirmAge(p.t.Context(), a.id, received.Add(time.Hour))
	p.ok(err)
	tells["getPackBuyer"] = confirmed.Format(time.RFC3339)
	_, err = testkit.Operator(p.db, p.clock).PutOnList(p.t.Context(), "id:"+a.id, list, time.Time{}, testkit.By("asked"))
	p.ok(err)
	p.ok(p.db.Write(p.t.Context(), func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.InsertReward(ctx, gen.InsertRewardParams{
			Source: "gift", PlayerID: sql.NullString{String: a.id, Valid: true}, Origin: "gift", Detail: "{}", State: "done", At: column.At(opening),
		})
		_, other := tx.InsertReward(ctx, gen.InsertRewardParams{
			Source: "opening of " + a.id, PlayerID: sql.NullString{String: a.id, Valid: true}, Origin: "pack", Detail: "{}", State: "pending",
		})
		err = errors.Join(err, other)
		grant := reward.Currency{Code: "nt", Amount: rewarded}.Content()
		err = errors.Join(err, tx.InsertRewardGrant(ctx, gen.InsertRewardGrantParams{
			Source: "gift", Kind: grant.Kind, Detail: grant.Detail, At: column.At(opening),
		}))
		_, moved := tx.Queries.MoveGrant(ctx, gen.MoveGrantParams{
			ToState: "done", UpdatedAt: column.At(opening), Source: "gift", FromState: "pending",
		})
		_, notified := tx.InsertNotification(ctx, gen.InsertNotificationParams{
			PlayerID: a.id, Key: "sold", Kind: "sold", ListingID: tells["getNotifications"], Contract: items, TokenID: "1", Quantity: 1,
			Amount: money.FromInt(5), CreatedAt: column.At(opening),
		})
		return errors.Join(err, moved, notified,
			tx.CreditCurrency(ctx, gen.CreditCurrencyParams{PlayerID: a.id, Code: "gt", Amount: balance}),
			tx.InsertTransfer(ctx, gen.InsertTransferParams{
				ChainID: testkit.GameChain, Time: column.At(received), Contract: shelves[collections.ElderGods], Standard: onchain.ERC1155,
				TokenID: tells["listElderGods"], FromAddress: items, ToAddress: wallet, Amount: money.FromInt(1),
			}),
			tx.InsertTransfer(ctx, gen.InsertTransferParams{
				ChainID: testkit.GameChain, BlockNumber: 1, Time: column.At(received), Contract: eth.MustAddress(testkit.USDC), Standard: onchain.ERC20,
				TokenID: "0", FromAddress: items, ToAddress: wallet, Amount: money.FromInt(976543), TxHash: eth.Hash{1},
			}))
	}))
	return tells
}

// A call that names no player returns the data of the token's player only.
// Spec: ACCESS-2, SELL-8
func TestRoutes_CallAnswersForThePlayerOfItsToken(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus, hera := p.admit("zeus", "1"), p.admit("hera", "88880002")
	tells := p.enrich(hera)
	secrets := append(slices.Collect(maps.Values(tells)), "hera@", testkit.WalletOf(hera.id).String(), testkit.WalletOf(hera.id).Checksum())
	for id, r := range routes {
		if r.who != player || r.foreign != nil || id == "logout" {
			continue
		}
		call := r.honest(zeus)
		a := p.send(zeus.authorized(call, r.who))
		for _, others := range secrets {
			if strings.Contains(a.text, others) {
				t.Errorf("%s tells the other player's %s: %s", id, others, a.text)
			}
		}
		if call.method != http.MethodGet {
			continue
		}
		own := p.mustSucceed(hera.authorized(r.honest(hera), r.who), 200)
		if tells[id] == "" || !strings.Contains(own.text, tells[id]) {
			t.Errorf("%s does not tell the player's own %q: %s", id, tells[id], own.text)
		}
	}
	for _, id := range []string{"bundler", "paymaster"} {
		if a := p.send(zeus.authorized(routes[id].honest(zeus), player)); !strings.Contains(a.text, zeus.id) {
			t.Errorf("%s works for somebody else: %s", id, a.text)
		}
	}
}
