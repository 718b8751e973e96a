import type { LitecoindClient } from '../litecoind.ts';

/** A transaction as Litecoin Core tells it. */
export type CoreTransaction = {
  readonly txid: string;
  readonly vsize: number;
  readonly vin: readonly {
    readonly txid?: string;
    readonly vout?: number;
    readonly scriptSig?: { readonly hex: string };
    readonly txinwitness?: readonly string[];
  }[];
  readonly vout: readonly {
    readonly value: unknown;
    readonly scriptPubKey: { readonly hex: string; readonly type: string };
  }[];
};

export type CoreBlock = {
  readonly height: number;
  readonly hash: string;
  /** Without the reward, which is nobody's. */
  readonly transactions: readonly CoreTransaction[];
};

/** The blocks of the best chain from a height on. */
export async function coreBlocks(node: LitecoindClient, from: number): Promise<readonly CoreBlock[]> {
  const tip = Number(await node.call('getblockcount'));
  const heights = Array.from({ length: Math.max(0, tip - from + 1) }, (_, place) => from + place);
  const hashes = await node.batch(heights.map((height) => ['getblockhash', height]));
  const found = await node.batch(hashes.map((answer) => ['getblock', 'result' in answer ? answer.result : '', 2]));
  return found.map((answer, place) => {
    if (!('result' in answer)) throw new Error(`no block: ${answer.error.message}`);
    const { hash, tx } = answer.result as { hash: string; tx: readonly CoreTransaction[] };
    return { height: heights[place] as number, hash, transactions: tx.slice(1) };
  });
}
