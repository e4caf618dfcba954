// The library's curve, which remembers the points that it read and the signatures that it checked: thousands of receipts have few
// rounds. It is the library's own verdict each time.
import { bls12_381 as curve } from "@noble/curves/bls12-381.js";

/** The function, which is called once for each key. */
function once(keyOf, of) {
  const known = new Map();
  return (...args) => {
    const key = keyOf(...args);
    let found = known.get(key);
    if (!found) {
      try {
        found = { value: of(...args) };
      } catch (error) {
        found = { error };
      }
      if (known.size > 10_000) known.clear();
      known.set(key, found);
    }
    if (found.error) throw found.error;
    return found.value;
  };
}

const remembering = (group) => {
  const fromHex = once(
    (hex) => hex,
    (hex) => group.ProjectivePoint.fromHex(hex),
  );
  return { ...group, ProjectivePoint: Object.create(group.ProjectivePoint, { fromHex: { value: fromHex } }) };
};

const hex = (bytes) => Buffer.from(bytes).toString("hex");

export const bls12_381 = {
  ...curve,
  G1: remembering(curve.G1),
  G2: remembering(curve.G2),
  verifyShortSignature: once(
    (signature, message, key, options) => [signature.toHex(true), hex(message), key.toHex(true), options?.DST].join(" "),
    (...args) => curve.verifyShortSignature(...args),
  ),
};
