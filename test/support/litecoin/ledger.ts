import { hash160, p2wpkhScript, toBaseUnits } from '../../../src/htlc/index.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';
import { type LitecoinTestChain, signerOf } from './chain.ts';
import { type CoreTransaction, coreBlocks } from './core-blocks.ts';

// What happened, as the node itself tells it. Nothing here asks the engine or its adapter.

export type LedgerSpend = {
  readonly txid: string;
  readonly how: 'claim' | 'refund';
  /** In base units, and for each virtual byte. */
  readonly fee: bigint;
  readonly rate: number;
  /** Output script that got the coins, in hex. */
  readonly to: string;
};

export type LedgerPayment = {
  readonly txid: string;
  readonly value: bigint;
  readonly spend: LedgerSpend | null;
};

export type LedgerView = { readonly payments: readonly LedgerPayment[]; readonly fees: readonly string[] };

/** Pays to the HASH160 of the key of KDF's trading fees. */
const FEE_SCRIPT = '76a914ca1e04745e8ca0c60d8c5881531d51bec470743f88ac';
const HASH_TYPES = new Set(['scripthash', 'witness_v0_scripthash']);

/** Payments, their spends and trading fees in the blocks from a height on. */
export async function ledgerSince(chain: LitecoinTestChain, height: number): Promise<LedgerView> {
  const all = (await blocksOf(chain)).slice(height + 1).flatMap((block) => block ?? []);
  const payments = all.filter(({ vout }) => HASH_TYPES.has(vout[0]?.scriptPubKey.type ?? '') && isNamed(vout[1]));
  return {
    payments: payments.map((payment) => paymentIn(all, payment)),
    fees: all.filter(({ vout }) => vout[0]?.scriptPubKey.hex === FEE_SCRIPT).map(({ txid }) => txid),
  };
}

const read = new WeakMap<LitecoinTestChain, (readonly CoreTransaction[])[]>();

/** Has the blocks from a height on read again: another branch has taken their place. */
export function forgetFrom(chain: LitecoinTestChain, height: number): void {
  const blocks = read.get(chain);
  if (blocks !== undefined) blocks.length = Math.min(blocks.length, height);
}

/** Transactions by height, above the birth. Each block is read once, until it is forgotten. */
async function blocksOf(chain: LitecoinTestChain): Promise<readonly (readonly CoreTransaction[])[]> {
  const { node, birth } = chain;
  const blocks = read.get(chain) ?? [];
  read.set(chain, blocks);
  for (const { height, transactions } of await coreBlocks(node, Math.max(birth, blocks.length)))
    blocks[height] = transactions;
  return blocks;
}

/** The data output of a payment holds 20 bytes. */
function isNamed(output: CoreTransaction['vout'][number] | undefined): boolean {
  return output?.scriptPubKey.hex.startsWith('6a14') ?? false;
}

function paymentIn(all: readonly CoreTransaction[], { txid, vout }: CoreTransaction): LedgerPayment {
  const value = toBaseUnits(String(vout[0]?.value) as never);
  const taker = all.find(({ vin }) => vin.some((input) => input.txid === txid && input.vout === 0));
  return { txid, value, spend: taker === undefined ? null : spendIn(taker, value) };
}

/** `20` and 32 bytes is the secret in a script; an item of 32 bytes is it in a witness. */
function spendIn({ txid, vin, vout, vsize }: CoreTransaction, value: bigint): LedgerSpend {
  const [input] = vin;
  const items = input?.txinwitness ?? [];
  const inScript = /^(?:47|48).{142,144}20[0-9a-f]{64}00/.test(input?.scriptSig?.hex ?? '');
  const shows = items.length > 0 ? items.some((item) => item.length === 64) : inScript;
  const fee = value - toBaseUnits(String(vout[0]?.value) as never);
  const to = vout[0]?.scriptPubKey.hex ?? '';
  return { txid, how: shows ? 'claim' : 'refund', fee, rate: Number(fee) / vsize, to };
}

/** What a wallet has in blocks, in base units. */
export async function balanceOf({ node }: LitecoinTestChain, name: string): Promise<bigint> {
  const answer = await node.call('scantxoutset', 'start', [`raw(${scriptOf(name)})`]);
  return toBaseUnits(String((answer as { total_amount: unknown }).total_amount) as never);
}

/** The output script of a wallet, in hex. */
export function scriptOf(name: string): string {
  return bytesToHex(p2wpkhScript(hash160(signerOf(name).key)));
}

export async function heightOf({ node }: LitecoinTestChain): Promise<number> {
  return Number(await node.call('getblockcount'));
}
