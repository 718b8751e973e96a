import { concatBytes } from '../../src/htlc/byte-writer.ts';
import { p2pkhScript, pushData } from '../../src/htlc/script.ts';
import { signatureHasher } from '../../src/htlc/signature-hash.ts';
import type { DecodedTransaction, TransactionOutput } from '../../src/htlc/transaction.ts';
import type { OutPoint } from '../../src/htlc/transaction-encoding.ts';
import { hash160 } from '../../src/primitives/hash.ts';
import { bytesToHex } from '../../src/primitives/hex.ts';
import type { Coin } from '../../src/smartchain/chain/check-inputs.ts';
import { encodeAddress } from '../../src/smartchain/encoding/address.ts';
import { signDer } from '../../src/smartchain/keys/secp256k1.ts';
import type { Prefixes } from '../../src/smartchain/params.ts';
import { encodeChainTransaction, transactionIdOf } from '../../src/smartchain/transaction.ts';
import type { Litecoind, LitecoindClient } from '../support/litecoind.ts';
import { COIN_VALUE, keyAt, plain, secretAt } from './recipes.ts';

/** Encodings of Litecoin's regression-test chain. It has no shielded addresses: those two prefixes fit nothing. */
export const LITECOIN_REGTEST: Prefixes = { key: 111, script: 58, secret: 239, sprout: [-1, -1], sapling: 'none' };

export const LITECOIN_MAGIC = 'Litecoin Signed Message:\n';

/** At this height all rules of Litecoin's chain are in force: the last one comes at 1,351. */
const START_HEIGHT = 1400;
/** Blocks of the first reward, 50 coins; it is halved after 150 blocks. */
const RICH_BLOCKS = 140;
const OUTPUTS_EACH = 100;

/** The first key owns the coins of the first blocks. */
export const OWNER = 0;
export const OWNER_SCRIPT = p2pkhScript(hash160(keyAt(OWNER)));
export const OWNER_ADDRESS = encodeAddress({ kind: 'key', hash: hash160(keyAt(OWNER)) }, LITECOIN_REGTEST);

/** Another key is paid from then on. */
const MINER_ADDRESS = encodeAddress({ kind: 'key', hash: hash160(keyAt(1)) }, LITECOIN_REGTEST);

/** Mines the blocks that the tests begin with, and answers with the coins of the owner. */
export async function beginChain(node: Litecoind): Promise<readonly OutPoint[]> {
  const rich = (await node.call('generatetoaddress', RICH_BLOCKS, OWNER_ADDRESS)) as string[];
  await node.call('generatetoaddress', START_HEIGHT - RICH_BLOCKS, MINER_ADDRESS);
  const blocks = await node.batch(rich.map((hash) => ['getblock', hash]));
  return blocks.map((answer) => {
    if (!('result' in answer)) throw new Error(`no block: ${answer.error.message}`);
    return { txid: (answer.result as { tx: string[] }).tx[0] as string, vout: 0 };
  });
}

export type Reached = { readonly height: number; readonly medianTime: number };

export async function reachedBy(node: Litecoind): Promise<Reached> {
  const { blocks, mediantime } = (await node.call('getblockchaininfo')) as { blocks: number; mediantime: number };
  return { height: blocks, medianTime: mediantime };
}

export async function mine(node: LitecoindClient, count: number): Promise<readonly string[]> {
  return (await node.call('generatetoaddress', count, MINER_ADDRESS)) as string[];
}

/** A transaction of the owner, edited before it is signed. */
export function ownersSpend(
  coins: readonly OutPoint[],
  outputs: readonly TransactionOutput[],
  edit: (draft: DecodedTransaction) => DecodedTransaction = (draft) => draft,
): Uint8Array {
  const inputs = coins.map((coin) => ({ ...coin, scriptSig: new Uint8Array(0), sequence: 0xffff_ffff }));
  const draft = edit(plain({ inputs, outputs, lockTime: 0 }));
  const hasher = signatureHasher(draft);
  const signed = draft.inputs.map((input, index) => {
    const hash = hasher({ input: index, scriptCode: OWNER_SCRIPT, amount: 0n, hashType: 1 }) as Uint8Array;
    const signature = concatBytes([signDer({ hash, secretKey: secretAt(OWNER) }), Uint8Array.of(1)]);
    return { ...input, scriptSig: concatBytes([pushData(signature), pushData(keyAt(OWNER))]) };
  });
  return encodeChainTransaction({ ...draft, inputs: signed });
}

export type Funded = {
  /** The output of each script, in their order. */
  readonly outPoints: readonly OutPoint[];
  readonly coins: ReadonlyMap<string, Coin>;
};

/** Makes an output of {@link COIN_VALUE} for each script, all in blocks. What nobody can spend is no coin. */
export async function fund(
  node: Litecoind,
  scripts: readonly Uint8Array[],
  from: readonly OutPoint[],
): Promise<Funded> {
  const outPoints: OutPoint[] = [];
  const raws: Uint8Array[] = [];
  for (let start = 0; start < scripts.length; start += OUTPUTS_EACH) {
    const coin = from[raws.length];
    if (coin === undefined) throw new Error('the owner has too few coins');
    const outputs = scripts.slice(start, start + OUTPUTS_EACH).map((script) => ({ value: COIN_VALUE, script }));
    const raw = ownersSpend([coin], outputs);
    const txid = transactionIdOf(raw);
    outPoints.push(...outputs.map((_, vout) => ({ txid, vout })));
    raws.push(raw);
  }
  const answers = await node.batch(raws.map((raw) => ['sendrawtransaction', bytesToHex(raw), 0]));
  for (const answer of answers) if ('error' in answer) throw new Error(`not funded: ${answer.error.message}`);
  for (let waiting = raws.length; waiting > 0; ) {
    await mine(node, 1);
    waiting = ((await node.call('getrawmempool')) as string[]).length;
  }
  const { height } = await reachedBy(node);
  const coins = new Map<string, Coin>();
  for (const [index, script] of scripts.entries()) {
    const { txid, vout } = outPoints[index] as OutPoint;
    if (script[0] === 0x6a || script.length > 10_000) continue;
    coins.set(`${txid}:${vout}`, { output: { value: COIN_VALUE, script }, height, coinbase: false });
  }
  return { outPoints, coins };
}
