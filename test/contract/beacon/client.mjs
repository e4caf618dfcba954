// Reads the beacon that BEACON describes with drand's own client, which verifies every round: what that expects of a beacon, the
// development beacon must do.
import assert from "node:assert/strict";
import {
  fetchBeacon,
  fetchBeaconByTime,
  HttpCachingChain,
  HttpChainClient,
  MultiBeaconNode,
  roundAt,
  roundTime,
  watch,
} from "drand-client";

const { url, forged, publicKey, chainHash, round1 } = JSON.parse(process.env.BEACON);
const clientOf = (address, { params = { chainHash, publicKey }, noCache = false } = {}) => {
  const options = { disableBeaconVerification: false, noCache, chainVerificationParams: params };
  return new HttpChainClient(new HttpCachingChain(address, options), options);
};

// What a relay serves.
const relay = new MultiBeaconNode(url);
assert.deepEqual(
  (await relay.chains()).map(({ baseUrl }) => baseUrl),
  [`${url}/${chainHash}`],
);
const health = await relay.health();
assert.equal(health.status, 200);
assert.ok(health.current >= 3600 && health.current === health.expected, JSON.stringify(health));

// The rounds, verified, with the chain's hash in the address and without.
for (const client of [clientOf(`${url}/${chainHash}`), clientOf(url), clientOf(url, { noCache: true })]) {
  const info = await client.chain().info();
  assert.equal(info.schemeID, "bls-unchained-g1-rfc9380");
  assert.deepEqual(info.metadata, { beaconID: "pantheon-dev" });
  const first = await fetchBeacon(client, 1);
  assert.equal(first.randomness, round1);
  const before = roundAt(Date.now(), info);
  for (const newest of [await fetchBeacon(client), await client.latest()]) {
    assert.ok(newest.round >= before && newest.round <= roundAt(Date.now(), info), `${newest.round}, ${before}`);
  }
  assert.equal((await fetchBeaconByTime(client, roundTime(info, 7))).round, 7);
  await assert.rejects(fetchBeacon(client, roundAt(Date.now(), info) + 1000), /got 425/);
}

// Rounds as they are published.
const stop = new AbortController();
let last;
for await (const { round } of watch(clientOf(`${url}/${chainHash}`), stop)) {
  if (last !== undefined) {
    assert.equal(round, last + 1);
    stop.abort();
  }
  last = round;
}

// Another chain than was asked for, and rounds that are not the beacon's.
const other = { chainHash: "00".repeat(32), publicKey };
await assert.rejects(fetchBeacon(clientOf(url, { params: other }), 1), /did not match the verification params/);
await assert.rejects(
  fetchBeacon(clientOf(url, { params: { chainHash, publicKey: "00".repeat(96) } }), 1),
  /did not match the verification params/,
);
assert.equal(Object.keys(forged).length, 3);
for (const [what, address] of Object.entries(forged)) {
  await clientOf(address).chain().info();
  await assert.rejects(fetchBeacon(clientOf(address), 2), (error) => !/response/.test(error.message), what);
}
