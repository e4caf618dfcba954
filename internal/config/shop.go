package config

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"strings"
	"time"

	"pantheon/internal/kit/money"
)

// Shop configures the studio's shop, which sells what the webstore shows.
type Shop struct {
	URL           string        `env:"SHOP_URL" doc:"Address of the WooCommerce shop that sells the webstore's products; the webstore is closed when empty. pantheon dev has a shop of its own under /dev/shop."`
	Key           Secret        `env:"SHOP_KEY" doc:"Consumer key of the shop's REST API, with the right to read and write."`
	Secret        Secret        `env:"SHOP_SECRET" doc:"Consumer secret of that key."`
	WebhookSecret Secret        `env:"SHOP_WEBHOOK_SECRET" doc:"Secret by which the shop signs its webhooks to PUBLIC_URL/api/webhooks/woocommerce. The portal makes the hooks that are missing."`
	CheckoutURL   string        `env:"SHOP_CHECKOUT_URL" doc:"Where players buy a product, with {variation} and {product} in the place of its ids; SHOP_URL/checkout/?add-to-cart={variation}&quantity=1 when empty."`
	ReturnURLs    []string      `env:"SHOP_RETURN_URLS" doc:"Comma-separated addresses to which /getuserinfo may lead players back, each with all pages below it; SHOP_URL when empty."`
	Currency      string        `env:"SHOP_CURRENCY" envDefault:"EUR" doc:"Currency in which the shop sells (ISO 4217). Orders in any other wait for an operator."`
	Name          string        `env:"SHOP_NAME" envDefault:"shop" doc:"Name of the shop in the inputs of draws: lower-case letters, digits and hyphens, a letter first. It must never change."`
	DataKey       Secret        `env:"SHOP_DATA_KEY" doc:"Base64 of 32 random bytes, shared with the shop: it encrypts the player's id on the way there. Derived from TOKEN_SECRET when empty, so that only the portal can read it."`
	PollInterval  time.Duration `env:"SHOP_POLL_INTERVAL" envDefault:"1m" doc:"How often the shop is asked for orders that changed: the longest that a lost webhook delays one."`
	Products      string        `env:"WEBSTORE_FILE" doc:"YAML file of the webstore's products and of what they give; built-in ones when empty. It is read again when it changes."`
	USDCRate      string        `env:"WEBSTORE_USDC_RATE" envDefault:"1" doc:"How much USDC a player pays for one unit of the shop's currency that is owed after a refund. It goes to the treasury, or to the manager wallet where there is none."`
}

// Rate returns WEBSTORE_USDC_RATE in base units of USDC.
func (s Shop) Rate() int64 { return unitsOf(s.USDCRate, money.USDCDecimals) }

var (
	currencyCode = regexp.MustCompile(`^[A-Z]{3}$`)
	shopName     = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
)

// complete sets the unset fields that follow from others.
func (s *Shop) complete() {
	s.URL = strings.TrimRight(s.URL, "/")
	if s.URL == "" {
		return
	}
	if s.CheckoutURL == "" {
		s.CheckoutURL = s.URL + "/checkout/?add-to-cart={variation}&quantity=1"
	}
	if len(s.ReturnURLs) == 0 {
		s.ReturnURLs = []string{s.URL}
	}
}

// faults returns the faults of the shop's variables, by name.
func (s Shop) faults() map[string]string {
	out := map[string]string{}
	if !currencyCode.MatchString(s.Currency) {
		out["SHOP_CURRENCY"] = "must be a code of ISO 4217 such as EUR"
	}
	if len(s.Name) > 32 || !shopName.MatchString(s.Name) {
		out["SHOP_NAME"] = "must be lower-case letters, digits and hyphens, a letter first, 32 characters at most"
	}
	if s.DataKey != "" {
		if key, err := base64.StdEncoding.DecodeString(s.DataKey.Reveal()); err != nil || len(key) != 32 {
			out["SHOP_DATA_KEY"] = "must be base64 of 32 bytes (openssl rand -base64 32)"
		}
	}
	if s.Rate() < 1 {
		out["WEBSTORE_USDC_RATE"] = "must be more than 0, with at most 6 decimals, such as 1 or 1.08"
	}
	if s.PollInterval < time.Second {
		out["SHOP_POLL_INTERVAL"] = "must be at least 1s"
	}
	if s.URL == "" {
		return out
	}
	if !isSecureURL(s.URL) {
		out["SHOP_URL"] = "must be an https:// address, or an http:// one of this machine, without user and query"
		return out // what follows from it would be wrong too
	}
	for name, key := range map[string]Secret{"SHOP_KEY": s.Key, "SHOP_SECRET": s.Secret, "SHOP_WEBHOOK_SECRET": s.WebhookSecret} {
		if !secretKey.MatchString(key.Reveal()) {
			out[name] = "must be set to 8 to 256 characters with SHOP_URL"
		}
	}
	if !strings.Contains(s.CheckoutURL, "{variation}") || !isSecureURL(strings.NewReplacer("{variation}", "1", "{product}", "1").Replace(withoutQuery(s.CheckoutURL))) {
		out["SHOP_CHECKOUT_URL"] = "must be an https:// address with {variation} in it"
	}
	for _, u := range s.ReturnURLs {
		if !isSecureURL(u) {
			out["SHOP_RETURN_URLS"] = "must be https:// addresses without user and query"
		}
	}
	return out
}

func withoutQuery(address string) string {
	path, _, _ := strings.Cut(address, "?")
	return path
}

// isSecureURL reports whether an address is encrypted or of this machine, and has neither user nor query.
func isSecureURL(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && isLocal(u.Hostname())
}
