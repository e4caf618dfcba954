// Drives the shop at SHOP_URL with WooCommerce's own client: what that expects of a shop, the shop must do.
import assert from "node:assert/strict";
import woocommerce from "@woocommerce/woocommerce-rest-api";

const Client = woocommerce.default;
const options = { url: process.env.SHOP_URL, consumerKey: "key", consumerSecret: "secret", version: "wc/v3" };
const shop = new Client(options);
const refusal = async (call) => {
  const { response } = await call.then(
    () => assert.fail("it is not refused"),
    (error) => error,
  );
  return { status: response.status, code: response.data.code, retryAfter: response.headers["retry-after"] };
};

// Orders
const all = await shop.get("orders", { per_page: 2, orderby: "modified", order: "asc" });
assert.equal(all.data.length, 2);
assert.equal(all.headers["x-wp-total"], "3");
assert.equal(all.headers["x-wp-totalpages"], "2");
assert.deepEqual(
  all.data.map(({ id }) => id),
  [...all.data.map(({ id }) => id)].sort(),
);
const rest = await shop.get("orders", { per_page: 2, page: 2, orderby: "modified", order: "asc" });
assert.equal(rest.data.length, 1);
const { data: order } = await shop.get(`orders/${process.env.ORDER}`);
assert.equal(order.status, "processing");
assert.equal(order.currency, "EUR");
assert.equal(typeof order.total, "string");
assert.equal(order.line_items[0].variation_id, 201);
assert.equal(order.line_items[0].quantity, 2);
assert.equal(order.meta_data[0].key, "_pantheon_reference");
assert.equal(order.refunds.length, 1);
const { data: refunds } = await shop.get(`orders/${order.id}/refunds`);
assert.equal(refunds[0].line_items[0].quantity, -1);
assert.equal(refunds[0].line_items[0].meta_data[0].key, "_refunded_item_id");
assert.equal(refunds[0].line_items[0].meta_data[0].value, String(order.line_items[0].id));
const after = await shop.get("orders", { modified_after: "2100-01-01T00:00:00", dates_are_gmt: true });
assert.deepEqual(after.data, []);
const processing = await shop.get("orders", { status: "processing" });
assert.deepEqual(
  processing.data.map(({ id }) => id),
  [order.id],
);
assert.deepEqual(await refusal(shop.get("orders/999999")), {
  status: 404,
  code: "woocommerce_rest_shop_order_invalid_id",
  retryAfter: undefined,
});
assert.equal((await refusal(new Client({ ...options, consumerSecret: "wrong" }).get("orders"))).status, 401);

// Products
const { data: product } = await shop.get("products/200");
assert.equal(product.type, "variable");
assert.deepEqual(product.variations, [201, 202, 203]);
const { data: variations } = await shop.get("products/200/variations", { per_page: 100 });
assert.deepEqual(variations.map(({ id, price, purchasable, stock_status }) => ({ id, price, purchasable, stock_status }))[0], {
  id: 201,
  price: "2.99",
  purchasable: true,
  stock_status: "instock",
});
assert.equal((await refusal(shop.get("products/9"))).code, "woocommerce_rest_product_invalid_id");

// Webhooks
const made = await shop.post("webhooks", {
  name: "Test",
  topic: "order.updated",
  delivery_url: process.env.HOOK_URL,
  secret: "webhook secret",
});
assert.equal(made.status, 201);
assert.equal(made.data.status, "active");
assert.equal(made.data.secret, undefined, "the secret is not told");
const paused = await shop.put(`webhooks/${made.data.id}`, { status: "paused" });
assert.equal(paused.data.status, "paused");
const hooks = await shop.get("webhooks");
assert.deepEqual(
  hooks.data.map(({ id, status, topic }) => ({ id, status, topic })),
  [{ id: made.data.id, status: "paused", topic: "order.updated" }],
);
