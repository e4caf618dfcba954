// Package knownkeys lists private keys that are public: those of Pantheon's own development world and the default ones
// of Anvil and Hardhat. On a real chain, whatever they hold is stolen within seconds.
package knownkeys

import (
	"encoding/hex"
	"slices"
	"strconv"

	"pantheon/internal/kit/eth"
)

// Development returns the private key of a role of the development world: keccak256("pantheon development " + role).
func Development(role string) [32]byte {
	return eth.Keccak256([]byte("pantheon development " + role))
}

// maxSellers bounds the development world's sellers that are searched.
const maxSellers = 100

// Publisher returns where a private key is published, such as "Anvil and Hardhat"; "" for an unknown key.
func Publisher(key [32]byte) string {
	for _, role := range []string{"deployer", "manager", "claimer", "gas relayer", "paymaster signer", "treasury"} {
		if key == Development(role) {
			return "the development world"
		}
	}
	for n := 1; n <= maxSellers; n++ {
		if key == Development("seller "+strconv.Itoa(n)) {
			return "the development world"
		}
	}
	if slices.Contains(junk(), hex.EncodeToString(key[:])) {
		return "Anvil and Hardhat"
	}
	return ""
}

// junk are the first 20 accounts (m/44'/60'/0'/0/0 to 19, BIP-44) of the mnemonic "test test test test test test test
// test test test test junk", the default accounts of Anvil and Hardhat.
func junk() []string {
	return []string{
		"ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
		"59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
		"5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a",
		"7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6",
		"47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a",
		"8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba",
		"92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e",
		"4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356",
		"dbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97",
		"2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6",
		"f214f2b2cd398c806f84e317254e0f0b801d0643303237d97a22a48e01628897",
		"701b615bbdfb9de65240bc28bd21bbc0d996645a3dd57e7b12bc2bdf6f192c82",
		"a267530f49f8280200edf313ee7af6b827f2a8bce2897751d06a843f644967b1",
		"47c99abed3324a2707c28affff1267e45918ec8c3f20b8aa892e8b065d2942dd",
		"c526ee95bf44d8fc405a158bb884d9d1238d99f0612e9f33d006bb0789009aaa",
		"8166f546bab6da521a8369cab06c5d2b9e46670292d85c875ee9ec20e84ffb61",
		"ea6c44ac03bff858b476bba40716402b03e41b8e97e276d1baec7c37d42484a0",
		"689af8efa8c651a91ad287602527f3af2fe9f6501a7ac4b061667b5a93e037fd",
		"de9be858da4a475276426320d5e9262ecfc3ba460bfac56360bfa6c4c28b4ee0",
		"df57089febbacf7ba0bc227dafbffa9fc08a93fdc68e1e42411a14efcf23656e",
	}
}
