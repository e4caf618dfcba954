// Compiles our Solidity, takes the finished contracts out of their npm packages, and writes one JSON file a contract
// ({name, abi, bytecode, runtime, immutables, source}) to internal/chain/contracts/artifacts, where the Go program embeds them and where
// the Go bindings are generated from; beside them the compiler's inputs, by which block explorers verify the sources. Does nothing when
// neither inputs nor outputs changed.
//
// The artifacts are not committed: the EntryPoint, taken from @account-abstraction/contracts, is under GPL-3.0.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const artifactsDir = join(here, "../internal/chain/contracts/artifacts");
const outDir = join(here, "out");
const stampFile = join(outDir, "stamp.json");

const packages = Object.keys(readJSON(join(here, "package.json")).devDependencies);

/** Contracts that are taken as their packages ship them. */
const finished = {
  EntryPoint: "@account-abstraction/contracts/artifacts/EntryPoint.json",
  MarketplaceV3: "@thirdweb-dev/contracts/abi/MarketplaceV3.json",
  DirectListingsLogic: "@thirdweb-dev/contracts/abi/DirectListingsLogic.json",
};

/**
 * The compilations. Compiler, EVM version and metadata all change the bytecode and so the CREATE2 addresses, which a
 * Go test pins; without metadata a comment does not.
 */
const compilations = [
  {
    // "paris" keeps account and paymaster deployable on chains without PUSH0 and transient storage.
    evmVersion: "paris",
    sources: [
      "src/PantheonAccount.sol",
      "src/PantheonPaymaster.sol",
      "src/SignatureValidator.sol",
      "src/MarketplaceDeployment.sol",
      "solady/src/accounts/ERC4337Factory.sol",
    ],
    contracts: ["PantheonAccount", "PantheonPaymaster", "SignatureValidator", "MarketplaceDeployment", "ERC4337Factory"],
  },
  {
    evmVersion: "cancun",
    sources: [
      "src/Collection721.sol",
      "src/Collection1155.sol",
      "src/Chests.sol",
      "src/Soulbound721.sol",
      "src/Soulbound1155.sol",
      "src/GodToken.sol",
      "src/TestToken.sol",
    ],
    contracts: ["Collection721", "Collection1155", "Chests", "Soulbound721", "Soulbound1155", "GodToken", "TestToken"],
  },
];

/**
 * Deprecations in Solady's sources: the "memory-safe-assembly" NatSpec tag (2424) and virtual modifiers (8429).
 * Any other warning fails the build.
 */
const expectedWarnings = new Set(["2424", "8429"]);

try {
  const inputs = hashInputs();
  if (upToDate(inputs)) {
    console.log("contracts: up to date");
  } else {
    console.log(`contracts: ${build(inputs)} artifacts written`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** Builds everything and answers the number of artifacts. */
function build(inputs) {
  const artifacts = Object.entries(finished).map(([name, path]) => {
    const { abi, bytecode, deployedBytecode } = readJSON(packageFile(path));
    const runtime = deployedBytecode.object ?? deployedBytecode;
    const immutables = deployedBytecode.immutableReferences
      ? places(deployedBytecode.immutableReferences)
      : // An immutable is a PUSH32 of zeros until the constructor sets it.
        [...runtime.matchAll(/7f0{64}/g)].map((push) => [push.index / 2, 32]);
    return { name, abi, bytecode: bytecode.object ?? bytecode, runtime, immutables };
  });
  const solc = createRequire(import.meta.url)("solc");
  const inputFiles = {};
  for (const compilation of compilations) {
    const { input, built } = compile(solc, compilation);
    inputFiles[`${compilation.evmVersion}.input.json`] = JSON.stringify(input);
    artifacts.push(...built);
  }

  for (const file of existsSync(artifactsDir) ? readdirSync(artifactsDir) : []) {
    if (file.endsWith(".json")) rmSync(join(artifactsDir, file));
  }
  mkdirSync(artifactsDir, { recursive: true });
  mkdirSync(outDir, { recursive: true });
  const outputs = {};
  for (const artifact of artifacts) {
    if (!/^0x([0-9a-f]{2})+$/i.test(artifact.bytecode)) {
      throw new Error(`contracts: ${artifact.name} has no linked bytecode`);
    }
    const text = JSON.stringify(artifact);
    writeFileSync(join(artifactsDir, `${artifact.name}.json`), text);
    outputs[`${artifact.name}.json`] = sha256(text);
  }
  for (const [name, text] of Object.entries(inputFiles)) {
    writeFileSync(join(artifactsDir, name), text);
    outputs[name] = sha256(text);
  }
  writeFileSync(stampFile, JSON.stringify({ inputs, outputs }));
  return artifacts.length;
}

function compile(solc, { evmVersion, sources, contracts }) {
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(sources.map((path) => [path, { content: readSource(path) }])),
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion,
      viaIR: false,
      metadata: { bytecodeHash: "none", appendCBOR: false },
      outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode"] } },
    },
  };
  const imported = {};
  const output = JSON.parse(
    solc.compile(JSON.stringify(input), {
      import: (path) => {
        imported[path] = { content: readSource(path) };
        return { contents: imported[path].content };
      },
    }),
  );
  Object.assign(input.sources, imported);
  const complaints = (output.errors ?? []).filter((e) => !expectedWarnings.has(e.errorCode));
  if (complaints.length > 0) {
    throw new Error(complaints.map((e) => e.formattedMessage).join("\n"));
  }
  const compiled = Object.assign({}, ...Object.values(output.contracts));
  const built = contracts.map((name) => ({
    name,
    abi: compiled[name].abi,
    bytecode: `0x${compiled[name].evm.bytecode.object}`,
    runtime: `0x${compiled[name].evm.deployedBytecode.object}`,
    immutables: places(compiled[name].evm.deployedBytecode.immutableReferences),
    source: {
      file: Object.keys(output.contracts).find((file) => name in output.contracts[file]),
      input: `${evmVersion}.input.json`,
      compiler: solc.version().replace(/\.Emscripten.*/, ""),
    },
  }));
  return { input, built };
}

/** The places of the immutables in the runtime code: [start, length] in bytes. */
function places(immutableReferences) {
  return Object.values(immutableReferences)
    .flat()
    .map(({ start, length }) => [start, length]);
}

/** Reads one of our sources ("src/…") or one of a package. */
function readSource(path) {
  return readFileSync(path.startsWith("src/") ? join(here, path) : packageFile(path), "utf8");
}

/** Finds a package's file in this workspace or, hoisted, in the root. */
function packageFile(path) {
  for (const root of [here, dirname(here)]) {
    const file = join(root, "node_modules", path);
    if (existsSync(file)) return file;
  }
  throw new Error(`contracts: ${path} is missing: run npm install`);
}

/** Hashes all that decides the output: this script, our sources and the versions of the packages. */
function hashInputs() {
  const ours = readdirSync(join(here, "src")).sort();
  return sha256(
    JSON.stringify([
      readFileSync(fileURLToPath(import.meta.url), "utf8"),
      ours.map((file) => [file, readFileSync(join(here, "src", file), "utf8")]),
      packages.map((name) => [name, readJSON(packageFile(`${name}/package.json`)).version]),
    ]),
  );
}

function upToDate(inputs) {
  if (!existsSync(stampFile)) return false;
  const stamp = readJSON(stampFile);
  return (
    stamp.inputs === inputs &&
    Object.entries(stamp.outputs).every(([name, hash]) => {
      const file = join(artifactsDir, name);
      return existsSync(file) && sha256(readFileSync(file)) === hash;
    })
  );
}

function readJSON(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

function sha256(data) {
  return createHash("sha256").update(data).digest("hex");
}
