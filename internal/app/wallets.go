package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/crypto"

	"pantheon/internal/chain/txqueue"
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kms"
)

// portalWallets are the portal's own wallets. The first of each is in use; former ones, which are being replaced, finish what they began.
type portalWallets struct {
	manager, claimer, relayer []txqueue.Wallet
	signer                    []txqueue.Wallet // of the paymaster
	treasury                  []txqueue.Wallet // empty for none
	former                    []eth.Address    // claimers without a key
}

// openWallets opens the wallets of a valid configuration. The keys of those that are in use must be those of their addresses.
func openWallets(ctx context.Context, c config.Config) (w portalWallets, err error) {
	for _, s := range []struct {
		into               *[]txqueue.Wallet
		setting            string
		keys               config.Secret
		address, addressOf string // and its setting; "" for none
	}{
		{&w.manager, "MANAGER_PRIVATE_KEY", c.Wallets.ManagerKey, c.Wallets.Manager, "MANAGER_BACKEND_WALLET"},
		{&w.claimer, "CLAIMER_PRIVATE_KEY", c.Wallets.ClaimerKey, c.Wallets.Claimer, "CLAIMER_BACKEND_WALLET"},
		{&w.relayer, "GAS_RELAYER_PRIVATE_KEY", c.Wallets.GasRelayerKey, c.Wallets.GasRelayer, "GAS_RELAYER_BACKEND_WALLET"},
		{&w.signer, "PAYMASTER_SIGNER_PRIVATE_KEY", c.Wallets.PaymasterKey, "", ""},
		{&w.treasury, "TREASURY_PRIVATE_KEY", c.Treasury.Key, "", ""},
	} {
		for _, key := range s.keys.Keys() {
			one, err := openWallet(ctx, kmsOptions(c), key)
			if err != nil {
				return w, fmt.Errorf("%s: %w", s.setting, err)
			}
			*s.into = append(*s.into, one)
		}
		if s.address == "" || len(*s.into) == 0 {
			continue
		}
		if got, want := (*s.into)[0].Address(), eth.MustAddress(s.address); got != want {
			return w, fmt.Errorf("%s: is the key of %s, and %s is %s", s.setting, got.Checksum(), s.addressOf, want.Checksum())
		}
	}
	w.former, err = c.Wallets.Former()
	return w, err
}

// claimers returns the addresses of all claimer wallets, the present one first, then those with a key.
func (w portalWallets) claimers() (out []eth.Address) {
	for _, a := range append(walletAddresses(w.claimer), w.former...) {
		if !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}

// senders returns the wallets that send transactions, each once.
func (w portalWallets) senders() (out []txqueue.Wallet) {
	for _, wallet := range slices.Concat(w.relayer, w.claimer, w.manager, w.treasury) {
		if !slices.ContainsFunc(out, func(known txqueue.Wallet) bool { return known.Address() == wallet.Address() }) {
			out = append(out, wallet)
		}
	}
	return out
}

// addresses returns the addresses of all wallets, former ones included.
func (w portalWallets) addresses() []eth.Address {
	return append(walletAddresses(slices.Concat(w.manager, w.claimer, w.relayer, w.signer, w.treasury)), w.former...)
}

// inUse returns the wallets that the portal works with now.
func (w portalWallets) inUse() (out []eth.Address) {
	for _, of := range [][]txqueue.Wallet{w.manager, w.claimer, w.treasury} {
		if len(of) > 0 {
			out = append(out, of[0].Address())
		}
	}
	return out
}

func walletAddresses(wallets []txqueue.Wallet) (out []eth.Address) {
	for _, w := range wallets {
		out = append(out, w.Address())
	}
	return out
}

// optionalAddress returns the address of a setting that may be empty; zero then.
func optionalAddress(setting string) eth.Address {
	if setting == "" {
		return eth.Address{}
	}
	return eth.MustAddress(setting)
}

// relayerOf returns the wallet that sends operations on a chain; zero where an external bundler does.
func relayerOf(c config.Config, chain config.Chain) eth.Address {
	if chain.BundlerURL != "" {
		return eth.Address{}
	}
	return eth.MustAddress(c.Wallets.GasRelayer)
}

// openWallet opens the wallet of a key: 64 hex digits, with or without 0x, or the URI of a key at a key management service.
func openWallet(ctx context.Context, o kms.Options, key string) (txqueue.Wallet, error) {
	if kms.IsURI(key) {
		return kms.OpenSigner(ctx, key, o)
	}
	parsed, err := crypto.HexToECDSA(strings.TrimPrefix(key, "0x"))
	if err != nil {
		return nil, errors.New("must be a private key, 64 hex digits")
	}
	return txqueue.NewKeyWallet(parsed), nil
}

// kmsOptions returns the settings of key management services.
func kmsOptions(c config.Config) kms.Options { return kms.Options{GCPEndpoint: c.GCPEndpoint} }

// OpenSecrets opens the secrets that a key management service has sealed. Those that cannot be opened are reported by Validate.
func OpenSecrets(ctx context.Context, c *config.Config) {
	o := kmsOptions(*c)
	c.OpenSecrets(kms.IsSealed, func(text string) (string, error) {
		secret, err := kms.Unseal(ctx, text, o)
		return string(secret), err
	})
}

// SealSecret encrypts a secret with a key of a key management service. The text can stand in the place of the secret.
func SealSecret(ctx context.Context, c config.Config, uri string, secret []byte) (string, error) {
	return kms.Seal(ctx, uri, secret, kmsOptions(c))
}
