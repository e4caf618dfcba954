package config

import (
	"cmp"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

// Chain configures a chain's endpoint and how far its head is trusted.
type Chain struct {
	// EIP-155 chain id; by default 42170 (game, prod), 421614 (game, else) and 137 (main).
	ID uint64 `env:"ID"`
	// Name shown to players.
	Name string `env:"NAME"`
	// JSON-RPC endpoint. There may be several, separated by commas, the preferred ones first: the first that answers, keeps up with the
	// majority and has its blocks is used.
	RPCURL Secret `env:"RPC_URL"`
	// JSON-RPC endpoint, or several, that answers browsers' reads; the one above when empty, over connections of their own. It must not
	// lag behind it.
	ReadRPCURL Secret `env:"READ_RPC_URL"`
	// Block explorer's address, for links to transactions.
	ExplorerURL string `env:"EXPLORER_URL"`
	// How many blocks behind the head the indexer stays. By default 5 (prod) and 0 (else, and on the chains of Arbitrum, Optimism and
	// Base, whose newest blocks are not replaced).
	Confirmations string `env:"CONFIRMATIONS"`
	// How far a block's timestamp can lag behind the clock; the round that decides an opened pack is later by as much. 0 if timestamps
	// do not lag. The delayed inbox of Arbitrum's chains is detected and needs no setting.
	TimeMargin time.Duration `env:"TIME_MARGIN"`
	// When a burn is final, so that its reward is given: finalized for the blocks that the endpoint calls finalized, or how many blocks
	// must follow. By default finalized (prod) and 0 (else).
	Finality string `env:"FINALITY"`
	// First block to index: the one before the oldest of the contracts.
	StartBlock uint64 `env:"START_BLOCK"`
	// First block whose burns are rewarded: on a chain with a history of burns, the block at which the portal takes over. Burns before
	// it never earn anything. START_BLOCK when 0. It can be raised later, and not lowered.
	RewardsFrom uint64 `env:"REWARDS_FROM"`
	// How often a new head is looked for.
	PollInterval time.Duration `env:"POLL_INTERVAL" envDefault:"1s" min:"1ms"`
	// How old the newest block may be: an endpoint whose newest is older counts as failed. 0 for any age, on a chain that makes blocks for
	// transactions only.
	MaxHeadAge time.Duration `env:"MAX_HEAD_AGE" envDefault:"10m"`
	// The least tip (priority fee) per unit of gas that is offered, in gwei, whatever the endpoint suggests. 0, and 30 on chain 137,
	// when empty.
	LeastTip string `env:"LEAST_TIP"`
	// What the portal pays for players' gas in a day (UTC), in the chain's own currency; half of it is kept for players who bought
	// before. 0.1, and 50 on chain 137, when empty.
	GasBudget string `env:"GAS_BUDGET"`
	// The same for all players of one network (/24 of IPv4, /56 of IPv6); a tenth of GAS_BUDGET when empty.
	GasPerNetwork string `env:"GAS_PER_NETWORK"`
	// The same for one player; a fiftieth of GAS_BUDGET when empty.
	GasPerPlayer string `env:"GAS_PER_PLAYER"`
	// JSON-RPC endpoint of an ERC-4337 bundler (EntryPoint v0.7) that sends the players' operations in place of the built-in relay. The
	// chain then needs no gas relayer, and the paymaster must have no relayers.
	BundlerURL Secret `env:"BUNDLER_URL"`
	// JSON-RPC endpoint of an ERC-7677 paymaster service that pays for players' gas in place of PAYMASTER_ADDRESS. The portal's policy and
	// budgets apply all the same.
	PaymasterURL Secret `env:"PAYMASTER_URL"`
	// The paymaster contract of PAYMASTER_URL on this chain: answers that name another are refused.
	PaymasterAddress string `env:"PAYMASTER_ADDRESS" kind:"optional address"`
	// The context that PAYMASTER_URL expects, a JSON object such as {"policyId":"…"}; {} when empty.
	PaymasterContext Secret `env:"PAYMASTER_CONTEXT"`
}

// ChainID returns the chain's id.
func (c Chain) ChainID() onchain.ChainID { return onchain.ChainID(c.ID) }

// Paymaster returns the paymaster of the chain, that of PAYMASTER_URL or the portal's own.
func (c *Config) Paymaster(chain Chain) string {
	if chain.PaymasterURL != "" {
		return chain.PaymasterAddress
	}
	return c.Contracts.Paymaster
}

// Endpoints returns the URLs of the chain's endpoints; "" for none.
func (c Chain) Endpoints() []string { return urlsOf(c.RPCURL) }

// ReadEndpoints returns the URLs of the endpoints that answer browsers' reads.
func (c Chain) ReadEndpoints() []string { return urlsOf(cmp.Or(c.ReadRPCURL, c.RPCURL)) }

func urlsOf(setting Secret) []string {
	urls := strings.Split(setting.Reveal(), ",")
	for i, u := range urls {
		urls[i] = strings.TrimSpace(u)
	}
	return urls
}

// Depth returns how many blocks behind the head the indexer stays; 0 for a setting that Validate reports.
func (c Chain) Depth() uint64 {
	n, _ := strconv.ParseUint(c.Confirmations, 10, 32)
	return n
}

// Tip returns the least tip per unit of gas, in wei.
func (c Chain) Tip() (money.Units, error) {
	const gwei = 9 // decimals
	return money.ParseDecimal(c.LeastTip, gwei)
}

// Gas returns the daily gas budgets in wei: in total, for one network and for one player. It fails on
// settings that Validate reports.
func (c Chain) Gas() (total, network, player money.Units, err error) {
	const decimals = 18
	if total, err = money.ParseDecimal(c.GasBudget, decimals); err != nil {
		return total, network, player, err
	}
	network, player = total.Div(10), total.Div(50)
	if c.GasPerNetwork != "" {
		if network, err = money.ParseDecimal(c.GasPerNetwork, decimals); err != nil {
			return total, network, player, err
		}
	}
	if c.GasPerPlayer != "" {
		player, err = money.ParseDecimal(c.GasPerPlayer, decimals)
	}
	return total, network, player, err
}

// sequenced are the chains of which one sequencer orders the transactions, so that blocks are not replaced: Optimism, Base,
// and Arbitrum One, Nova and Sepolia.
var sequenced = []uint64{10, 8453, 42161, 42170, 421614}

// completeChains sets the unset fields that depend on the environment and the chain.
func (c *Config) completeChains() {
	if c.GameChain.ID == 0 {
		c.GameChain.ID = 421614
		if c.Environment == prod {
			c.GameChain.ID = 42170
		}
	}
	c.MainChain.ID = cmp.Or(c.MainChain.ID, 137)
	c.GameChain.Name, c.MainChain.Name = cmp.Or(c.GameChain.Name, "Game chain"), cmp.Or(c.MainChain.Name, "Main chain")
	for _, chain := range []*Chain{&c.GameChain, &c.MainChain} {
		budget, tip, confirmations, final := "0.1", "0", "0", "0"
		if chain.ID == 137 { // its currency has little value
			budget, tip = "50", "30"
		}
		if c.Environment == prod {
			final = "finalized"
			if !slices.Contains(sequenced, chain.ID) {
				confirmations = "5"
			}
		}
		chain.GasBudget, chain.LeastTip = cmp.Or(chain.GasBudget, budget), cmp.Or(chain.LeastTip, tip)
		chain.Confirmations, chain.Finality = cmp.Or(chain.Confirmations, confirmations), cmp.Or(chain.Finality, final)
	}
}

var finality = regexp.MustCompile(`^(finalized|[0-9]{1,6})$`)

// check adds what is wrong with the variables that begin with the prefix.
func (c *Chain) check(f *faults, prefix string) {
	const endpoint = "must be an http(s):// or ws(s):// endpoint"
	for _, address := range c.Endpoints() {
		f.check(isURL(address, "http", "https", "ws", "wss", "inproc"), prefix+"RPC_URL", endpoint)
	}
	for _, address := range urlsOf(c.ReadRPCURL) {
		f.check(c.ReadRPCURL == "" || isURL(address, "http", "https", "ws", "wss"), prefix+"READ_RPC_URL", endpoint)
	}
	const service = "must be an http(s):// or ws(s):// address"
	f.check(c.BundlerURL == "" || isURL(c.BundlerURL.Reveal(), "http", "https", "ws", "wss"), prefix+"BUNDLER_URL", service)
	f.check(c.PaymasterURL == "" || isURL(c.PaymasterURL.Reveal(), "http", "https", "ws", "wss"), prefix+"PAYMASTER_URL", service)
	f.check(c.PaymasterURL == "" || c.PaymasterAddress != "", prefix+"PAYMASTER_ADDRESS", "must be set where PAYMASTER_URL is")
	var object map[string]any
	f.check(c.PaymasterContext == "" || json.Unmarshal([]byte(c.PaymasterContext.Reveal()), &object) == nil && object != nil,
		prefix+"PAYMASTER_CONTEXT", "must be a JSON object")
	f.check(c.ExplorerURL == "" || isURL(c.ExplorerURL, "http", "https"), prefix+"EXPLORER_URL", "must be an http:// or https:// address")
	for name, amount := range map[string]string{
		"GAS_BUDGET": c.GasBudget, "GAS_PER_NETWORK": c.GasPerNetwork, "GAS_PER_PLAYER": c.GasPerPlayer,
	} {
		_, err := money.ParseDecimal(amount, 18)
		f.check(err == nil || amount == "" && name != "GAS_BUDGET", prefix+name, "must be an amount such as 0.1")
	}
	_, err := c.Tip()
	f.check(err == nil, prefix+"LEAST_TIP", "must be an amount of gwei such as 30")
	_, err = strconv.ParseUint(c.Confirmations, 10, 32)
	f.check(err == nil, prefix+"CONFIRMATIONS", "must be a number of blocks")
	f.check(c.TimeMargin >= 0 && c.TimeMargin <= 7*24*time.Hour && c.TimeMargin%time.Second == 0,
		prefix+"TIME_MARGIN", "must be whole seconds, from 0s to 168h")
	f.check(finality.MatchString(c.Finality), prefix+"FINALITY", "must be finalized or a number of blocks")
	f.check((c.RewardsFrom == 0 || c.RewardsFrom >= c.StartBlock) && c.RewardsFrom <= math.MaxInt64,
		prefix+"REWARDS_FROM", "must be the number of a block, not before START_BLOCK")
}

// Reads limits the cost of browsers' reads for a chain's endpoint.
type Reads struct {
	// Browsers' reads that may be under way to a chain's endpoint at the same time; a batch counts once.
	AtOnce int `env:"CHAIN_READS_AT_ONCE" envDefault:"16" min:"1"`
	// How long a read waits for its turn before it is refused (503).
	Wait time.Duration `env:"CHAIN_READS_WAIT" envDefault:"2s"`
	// Gas that one eth_call of a browser may use.
	CallGas uint64 `env:"CHAIN_READS_GAS" envDefault:"5000000" min:"100000"`
	// How many of the newest blocks browsers may read by number.
	Blocks uint64 `env:"CHAIN_READS_BLOCKS" envDefault:"128" min:"1"`
}

func (r *Reads) check(f *faults) {
	f.check(r.Wait >= time.Millisecond && r.Wait <= 10*time.Second, "CHAIN_READS_WAIT", "must be from 1ms to 10s")
}
