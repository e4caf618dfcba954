package config_test

import (
	"maps"
	"strings"
	"testing"
)

func TestConfig_ShopOfTheWebstore(t *testing.T) {
	t.Parallel()
	shop := map[string]string{
		"SHOP_URL": "https://shop.example/", "SHOP_KEY": "ck_12345678", "SHOP_SECRET": "cs_12345678", "SHOP_WEBHOOK_SECRET": "whsec_12345678",
	}
	env := complete()
	maps.Copy(env, shop)
	c, faults := load(t, env)
	if faults != nil || c.Shop.URL != "https://shop.example" ||
		c.Shop.CheckoutURL != "https://shop.example/checkout/?add-to-cart={variation}&quantity=1" ||
		len(c.Shop.ReturnURLs) != 1 || c.Shop.ReturnURLs[0] != "https://shop.example" {
		t.Errorf("%q, %+v", faults, c.Shop)
	}
	for _, c := range []struct{ name, value string }{
		{"SHOP_URL", "http://shop.example"}, {"SHOP_URL", "https://user@shop.example"}, {"SHOP_URL", "https://shop.example/?a=b"},
		{"SHOP_KEY", ""}, {"SHOP_SECRET", "short"}, {"SHOP_WEBHOOK_SECRET", ""}, {"SHOP_CURRENCY", "eur"}, {"SHOP_CURRENCY", "EURO"},
		{"SHOP_NAME", "Shop"}, {"SHOP_NAME", "7shop"}, {"SHOP_NAME", strings.Repeat("s", 33)}, {"SHOP_DATA_KEY", "c2hvcnQ="},
		{"SHOP_CHECKOUT_URL", "https://shop.example/checkout"}, {"SHOP_CHECKOUT_URL", "http://shop.example/{variation}"},
		{"SHOP_RETURN_URLS", "http://shop.example"}, {"SHOP_RETURN_URLS", "shop.example"}, {"SHOP_POLL_INTERVAL", "10ms"},
		{"WEBSTORE_USDC_RATE", "0"}, {"WEBSTORE_USDC_RATE", "-1"}, {"WEBSTORE_USDC_RATE", "1.0000001"}, {"WEBSTORE_USDC_RATE", "one"},
	} {
		env := complete()
		maps.Copy(env, shop)
		env[c.name] = c.value
		_, faults := load(t, env)
		if len(faults) != 1 || !strings.HasPrefix(faults[0], c.name+": must ") {
			t.Errorf("%s=%q: %q", c.name, c.value, faults)
		}
	}
}
