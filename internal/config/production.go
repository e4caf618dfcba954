package config

import (
	"fmt"
	"net/url"
	"strings"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/knownkeys"
)

// prod is the environment with real players and real money.
const prod = "prod"

// productionFaults returns the faults that apply only in production: published development keys, http:// addresses, whose traffic can
// be read and modified, and risks that are not accepted.
func (c *Config) productionFaults() (faults []string) {
	for _, v := range c.variables() {
		if v.kind != "key" && v.kind != "optional key" {
			continue
		}
		for _, text := range Secret(v.value).Keys() {
			key, err := eth.ParseHash(text)
			if err != nil {
				continue // a key management service's, or reported by checkTags
			}
			if publisher := knownkeys.Publisher(key); publisher != "" {
				faults = append(faults, v.Name+": must be a key of your own: anybody can know this one, it is published with "+publisher)
			}
		}
	}
	if scheme, _ := schemeOf(c.PublicURL); scheme == "http" {
		faults = append(faults, "PUBLIC_URL: must be an https:// address where ENVIRONMENT is prod")
	}
	for name, address := range map[string]string{
		"GAME_CHAIN_RPC_URL": insecure(c.GameChain.Endpoints()), "GAME_CHAIN_READ_RPC_URL": insecure(urlsOf(c.GameChain.ReadRPCURL)),
		"GAME_CHAIN_EXPLORER_URL": c.GameChain.ExplorerURL, "GAME_CHAIN_BUNDLER_URL": c.GameChain.BundlerURL.Reveal(),
		"GAME_CHAIN_PAYMASTER_URL": c.GameChain.PaymasterURL.Reveal(), "MAIN_CHAIN_BUNDLER_URL": c.MainChain.BundlerURL.Reveal(),
		"MAIN_CHAIN_PAYMASTER_URL": c.MainChain.PaymasterURL.Reveal(),
		"MAIN_CHAIN_RPC_URL":       insecure(c.MainChain.Endpoints()), "MAIN_CHAIN_READ_RPC_URL": insecure(urlsOf(c.MainChain.ReadRPCURL)),
		"MAIN_CHAIN_EXPLORER_URL": c.MainChain.ExplorerURL, "S3_ENDPOINT": c.S3.Endpoint,
		"AZURE_WEBPUBSUB_CONNECTION_STRING": azureEndpoint(c.AzureURL.Reveal()),
		"OPERATE_URL":                       c.ownConsole(),
	} {
		if isInsecure(address) {
			faults = append(faults, name+": must be an encrypted address (https:// or wss://), or one of this machine, where ENVIRONMENT is prod")
		}
	}
	_, refused := c.Risks()
	for _, r := range refused {
		faults = append(faults, fmt.Sprintf("%s: %s, or ACCEPT_RISKS must have %s", r.Setting, r.Must, r.Name))
	}
	return faults
}

// isInsecure reports whether what is sent to an address can be read on the way.
func isInsecure(address string) bool {
	scheme, host := schemeOf(address)
	return (scheme == "http" || scheme == "ws") && !isLocal(host)
}

// insecure returns the first of the addresses that is insecure; "" for none.
func insecure(addresses []string) string {
	for _, address := range addresses {
		if isInsecure(address) {
			return address
		}
	}
	return ""
}

// schemeOf returns the scheme and the host of a URL, in lower case; "" if it is invalid.
func schemeOf(address string) (scheme, host string) {
	u, err := url.Parse(address)
	if err != nil {
		return "", ""
	}
	return strings.ToLower(u.Scheme), strings.ToLower(u.Hostname())
}

// azureEndpoint returns the Endpoint of a connection string.
func azureEndpoint(connection string) string {
	for part := range strings.SplitSeq(connection, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		if strings.EqualFold(name, "Endpoint") {
			return value
		}
	}
	return ""
}
