import { createConfig } from "ponder";
import { parseAbi } from "viem";

const { RPC_URL, CHAIN_ID, CONTRACT, LAST_BLOCK, DATA } = process.env;

/** Indexes one collection from the first block to the last, in Ponder's default database. */
export default createConfig({
  database: { kind: "pglite", directory: DATA as string },
  chains: { game: { id: Number(CHAIN_ID), rpc: RPC_URL as string } },
  contracts: {
    Collection: {
      chain: "game",
      abi: parseAbi(["event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)"]),
      address: CONTRACT as `0x${string}`,
      startBlock: 0,
      endBlock: Number(LAST_BLOCK),
    },
  },
});
