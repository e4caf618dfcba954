// Deploys contracts that are not the portal's on a development chain, and mints 2,000 tokens: 1,200 engines (ERC-721) and 800 kinds of
// wagons (ERC-1155). Prints the addresses as JSON, by setting. RPC_URL is the chain's URL, STUDIO_KEY the private key of a funded wallet,
// GATEWAY_CID the IPFS directory of the engines' metadata, WAGONS_URI the URI of the wagons' metadata.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createPublicClient, createWalletClient, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";

const { RPC_URL, STUDIO_KEY, GATEWAY_CID, WAGONS_URI } = process.env;
const require = createRequire(import.meta.url);
const solc = require("solc");

/** Compiles a contract of ./contracts. */
function compile(name) {
  const read = (path) => ({
    contents: readFileSync(path.startsWith("@") ? require.resolve(path) : join(import.meta.dirname, "contracts", path), "utf8"),
  });
  const source = `${name}.sol`;
  const output = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: "Solidity",
        sources: { [source]: { content: read(source).contents } },
        settings: { optimizer: { enabled: true }, outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } } },
      }),
      { import: read },
    ),
  );
  const faults = (output.errors ?? []).filter(({ severity }) => severity === "error");
  if (faults.length) throw new Error(faults.map(({ formattedMessage }) => formattedMessage).join("\n"));
  const { abi, evm } = output.contracts[source][name];
  return { abi, bytecode: `0x${evm.bytecode.object}` };
}

const account = privateKeyToAccount(STUDIO_KEY);
const node = createPublicClient({ transport: http(RPC_URL), pollingInterval: 100 });
const wallet = createWalletClient({ account, transport: http(RPC_URL) });

async function mined(hash) {
  const receipt = await node.waitForTransactionReceipt({ hash });
  if (receipt.status !== "success") throw new Error(`${hash} was reverted`);
  return receipt;
}

async function deploy(name, ...args) {
  const { abi, bytecode } = compile(name);
  const { contractAddress } = await mined(await wallet.deployContract({ abi, bytecode, args, chain: null }));
  const mint = (...more) => wallet.writeContract({ address: contractAddress, abi, functionName: "mint", args: more, chain: null });
  return { address: contractAddress, mint };
}

const engines = await deploy("Engines", `ipfs://${GATEWAY_CID}/`);
const wagons = await deploy("Wagons", WAGONS_URI);
for (let first = 1n; first <= 1200n; first += 200n) await mined(await engines.mint(account.address, first, 200n));
for (let first = 1n; first <= 800n; first += 200n) await mined(await wagons.mint(account.address, first, 200n, 5n));
console.log(JSON.stringify({ ENGINES_ADDRESS: engines.address, WAGONS_ADDRESS: wagons.address }));
