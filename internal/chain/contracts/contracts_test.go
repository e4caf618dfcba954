package contracts_test

import (
	"encoding/hex"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/crypto"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/kit/eth"
)

// Selectors and topics that other parts of the portal and other marketplaces' tools rely on.
func TestContracts_MarketplaceSpeaksTheKnownSelectors(t *testing.T) {
	t.Parallel()
	const params = "(address,uint256,uint256,address,uint256,uint128,uint128,bool)"
	const listing = "(uint256,uint256,uint256,uint256,uint128,uint128,address,address,address,uint8,uint8,bool)"
	built, err := contracts.Artifact("DirectListingsLogic")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct{ selector, signature string }{
		"createListing":  {"746415b5", "createListing(" + params + ")"},
		"updateListing":  {"07b67758", "updateListing(uint256," + params + ")"},
		"cancelListing":  {"305a67a8", "cancelListing(uint256)"},
		"buyFromListing": {"704232dc", "buyFromListing(uint256,address,uint256,address,uint256)"},
	} {
		method := built.ABI.Methods[name]
		if got := hex.EncodeToString(method.ID); got != want.selector || method.Sig != want.signature {
			t.Errorf("%s is %s %s, want %s %s", name, got, method.Sig, want.selector, want.signature)
		}
	}
	for name, want := range map[string]string{
		"NewListing":       "NewListing(address,uint256,address," + listing + ")",
		"UpdatedListing":   "UpdatedListing(address,uint256,address," + listing + ")",
		"CancelledListing": "CancelledListing(address,uint256)",
		"NewSale":          "NewSale(address,uint256,address,uint256,address,uint256,uint256)",
	} {
		event := built.ABI.Events[name]
		if event.Sig != want || event.ID != crypto.Keccak256Hash([]byte(want)) {
			t.Errorf("%s is %s, want %s", name, event.Sig, want)
		}
	}
}

func TestContracts_MissingArtifactSaysWhatToDo(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Nowhere", "../contracts", "README"} {
		if _, err := contracts.Artifact(name); err == nil || !strings.Contains(err.Error(), "run make contracts") {
			t.Errorf("the artifact %q: %v", name, err)
		}
	}
}

func TestContracts_WrongConstructorArgumentsAreRefused(t *testing.T) {
	t.Parallel()
	if _, err := contracts.Deploy("TestToken", "only a name"); err == nil {
		t.Error("a token without a symbol has creation code")
	}
}

func TestContracts_MintsTakeNumbersOf256Bits(t *testing.T) {
	t.Parallel()
	to, one := devnet.WalletOf(devnet.Claimer).Address, big.NewInt(1)
	largest := new(big.Int).Sub(new(big.Int).Lsh(one, 256), one)
	for name, n := range map[string]*big.Int{"nil": nil, "negative": big.NewInt(-1), "too large": new(big.Int).Add(largest, one)} {
		for call, err := range map[string]error{
			"Mint20":           second(contracts.Mint20(to, n)),
			"Mint721":          second(contracts.Mint721(to, n)),
			"Mint1155, id":     second(contracts.Mint1155(to, n, one)),
			"Mint1155, amount": second(contracts.Mint1155(to, one, n)),
		} {
			if err == nil {
				t.Errorf("%s packed a number that is %s", call, name)
			}
		}
	}
	data, err := contracts.Mint721(to, largest)
	if err != nil || len(data) != 4+2*32 || hex.EncodeToString(data[36:]) != strings.Repeat("ff", 32) {
		t.Errorf("Mint721 of the largest id: %x, %v", data, err)
	}
}

func second(_ []byte, err error) error { return err }

func TestContracts_Create2AddressesFollowEIP1014(t *testing.T) {
	t.Parallel()
	// The examples of the EIP.
	for _, c := range []struct{ deployer, salt, code, want string }{
		{"0x0000000000000000000000000000000000000000", "0x" + strings.Repeat("00", 32), "00", "0x4D1A2e2bB4F88F0250f26Ffff098B0b30B26BF38"},
		{"0xdeadbeef00000000000000000000000000000000", "0x" + strings.Repeat("00", 32), "00", "0xB928f69Bb1D91Cd65274e3c79d8986362984fDA3"},
		{
			"0x00000000000000000000000000000000deadbeef", "0x" + strings.Repeat("00", 28) + "cafebabe", "deadbeef",
			"0x60f3f640a8508fC6a86d45DF051962668E1e8AC7",
		},
		{"0x0000000000000000000000000000000000000000", "0x" + strings.Repeat("00", 32), "", "0xE33C0C7F7df4809055C3ebA6c09CFe4BaF1BD9e0"},
	} {
		salt, err := eth.ParseHash(c.salt)
		if err != nil {
			t.Fatal(err)
		}
		code, err := hex.DecodeString(c.code)
		if err != nil {
			t.Fatal(err)
		}
		if got := contracts.Create2Address(eth.MustAddress(c.deployer), salt, code); got.Checksum() != c.want {
			t.Errorf("CREATE2(%s, %s, %s) = %s, want %s", c.deployer, c.salt, c.code, got.Checksum(), c.want)
		}
	}
}
