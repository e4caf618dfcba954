package config

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"pantheon/internal/kit/money"
)

// Shop configures the studio's shop, which sells what the webstore shows.
type Shop struct {
	// Address of the WooCommerce shop that sells the webstore's products; the webstore is closed when empty. pantheon dev has a shop of
	// its own under /dev/shop.
	URL string `env:"SHOP_URL"`
	// Consumer key of the shop's REST API, with the right to read and write.
	Key Secret `env:"SHOP_KEY"`
	// Consumer secret of that key.
	Secret Secret `env:"SHOP_SECRET"`
	// Secret by which the shop signs its webhooks to PUBLIC_URL/api/webhooks/woocommerce. The portal makes the hooks that are missing.
	WebhookSecret Secret `env:"SHOP_WEBHOOK_SECRET"`
	// Where players buy a product, with {variation} and {product} in the place of its ids;
	// SHOP_URL/checkout/?add-to-cart={variation}&quantity=1 when empty.
	CheckoutURL string `env:"SHOP_CHECKOUT_URL"`
	// Comma-separated addresses to which /getuserinfo may lead players back, each with all pages below it; SHOP_URL when empty.
	ReturnURLs []string `env:"SHOP_RETURN_URLS"`
	// Currency in which the shop sells (ISO 4217). Orders in any other wait for an operator.
	Currency string `env:"SHOP_CURRENCY" envDefault:"EUR"`
	// Name of the shop in draw inputs: lower-case letters, digits and hyphens, starting with a letter. It must never change.
	Name string `env:"SHOP_NAME" envDefault:"shop"`
	// Base64 of 32 random bytes, shared with the shop: it encrypts the player's id on the way there. Derived from TOKEN_SECRET when
	// empty, so that only the portal can read it.
	DataKey Secret `env:"SHOP_DATA_KEY"`
	// How often the shop is asked for orders that changed: the longest that a lost webhook delays one.
	PollInterval time.Duration `env:"SHOP_POLL_INTERVAL" envDefault:"1m" min:"1s"`
	// YAML file of the webstore's products and of what they give; the brand's when empty. It is read again when it changes.
	Products string `env:"WEBSTORE_FILE"`
	// How much USDC a player pays for one unit of the shop's currency that is owed after a refund. It goes to the treasury, or to the
	// manager wallet where there is none.
	USDCRate string `env:"WEBSTORE_USDC_RATE" envDefault:"1"`
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

func (s *Shop) check(f *faults) {
	f.check(currencyCode.MatchString(s.Currency), "SHOP_CURRENCY", "must be a code of ISO 4217 such as EUR")
	f.check(len(s.Name) <= 32 && shopName.MatchString(s.Name),
		"SHOP_NAME", "must be lower-case letters, digits and hyphens, a letter first, 32 characters at most")
	key, err := base64.StdEncoding.DecodeString(s.DataKey.Reveal())
	f.check(s.DataKey == "" || err == nil && len(key) == 32, "SHOP_DATA_KEY", "must be base64 of 32 bytes (openssl rand -base64 32)")
	f.check(s.Rate() >= 1, "WEBSTORE_USDC_RATE", "must be more than 0, with at most 6 decimals, such as 1 or 1.08")
	if s.URL == "" {
		return
	}
	if !isSecureURL(s.URL) {
		f.add("SHOP_URL", "must be an https:// address, or an http:// one of this machine, without user and query")
		return // what follows from it would be wrong too
	}
	for name, key := range map[string]Secret{"SHOP_KEY": s.Key, "SHOP_SECRET": s.Secret, "SHOP_WEBHOOK_SECRET": s.WebhookSecret} {
		f.check(secretKey.MatchString(key.Reveal()), name, "must be set to 8 to 256 characters with SHOP_URL")
	}
	page, _, _ := strings.Cut(s.CheckoutURL, "?")
	page = strings.NewReplacer("{variation}", "1", "{product}", "1").Replace(page)
	f.check(strings.Contains(s.CheckoutURL, "{variation}") && isSecureURL(page),
		"SHOP_CHECKOUT_URL", "must be an https:// address with {variation} in it")
	unsafe := slices.ContainsFunc(s.ReturnURLs, func(u string) bool { return !isSecureURL(u) })
	f.check(!unsafe, "SHOP_RETURN_URLS", "must be https:// addresses without user and query")
}

// isSecureURL reports whether an address is encrypted or of this machine, and has neither user nor query.
func isSecureURL(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && isLocal(u.Hostname())
}
