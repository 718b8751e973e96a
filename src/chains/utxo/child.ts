import type { FaultKind, PrepareRequest } from '../../ports/chain.ts';
import { type FeeRate, type FeeRule, feeAt, feeWithin, rateOf } from './coin.ts';
import { madeOf } from './made.ts';
import type { Parts } from './parts.ts';
import type { Plan } from './purse.ts';
import type { Seen } from './reader.ts';
import { type Coin, sizeWith } from './sign-coins.ts';
import { type Package, packageOf } from './waiting.ts';

/** Why nothing was made. */
type Refused = { readonly kind: FaultKind; readonly message: string };

type Wanted = Pick<Extract<PrepareRequest, { purpose: 'child' }>, 'parent' | 'replaces'> & {
  /** Of the child together with all that waits below it. */
  readonly rate: FeeRate;
  /** Of the child alone, in base units; null for no bound. */
  readonly maxFee: bigint | null;
};

/** A height from which on there is no block: what waits is looked for. */
const NOTHING_OLDER = Number.MAX_SAFE_INTEGER;

/** What spends the own output at the end of the line of what waits, to the own address. */
export async function planChild(parts: Parts, { parent, replaces, rate, maxFee }: Wanted): Promise<Plan | Refused> {
  const { coin, purse, reader } = parts;
  if (madeOf(parent.tx_hex)?.txid !== parent.tx_hash)
    return refused('invalid', 'the bytes are not those of the parent');
  await reader.find(parent.tx_hash, NOTHING_OLDER);
  const seen = reader.index.get(parent.tx_hash);
  if (seen === undefined) return refused('parentsUnknown', `${parent.tx_hash} is not in the mempool`);
  if (seen.height !== null) return refused('inputsSpent', `${parent.tx_hash} is in a block`);
  const end = lineEnd(parts, seen);
  if (end === null) return refused('unsupported', `the own wallet holds no output of ${parent.tx_hash}`);
  const holders = purse.holdersOf(end.coin);
  // What takes the place of one takes that of all that were in its place before.
  if (holders.length > 0 && !holders.some(({ txid }) => txid === replaces?.tx_hash))
    return refused('coinsPromised', `${holders[0]?.txid} already spends the output`);
  const output = { value: end.coin.value, script: purse.script };
  const below = await packageOf(parts, end.seen);
  const size = sizeWith(1, [output], coin);
  const left = end.coin.value - coin.dust;
  const fee = childFee(coin.fees, { rate, size, below, maxFee: maxFee === null || maxFee > left ? left : maxFee });
  if (fee !== null) return { coins: [end.coin], outputs: [{ ...output, value: end.coin.value - fee }], fee };
  const isPoor = left < 0n || (maxFee !== null && left < maxFee);
  return isPoor
    ? refused('insufficientFunds', 'the output does not cover the fee of a child')
    : refused('feeTooLow', 'no fee within the bound suffices');
}

/** Where something of what waits takes the own output already, that is the child, and it goes on from there; null where none is left. */
function lineEnd({ purse, reader }: Parts, from: Seen): { readonly seen: Seen; readonly coin: Coin } | null {
  let seen = from;
  for (;;) {
    const coin = purse.largestOf(seen);
    if (coin === null) return null;
    const [taker] = reader.index.takers(coin.txid, coin.vout);
    if (taker === undefined) return { seen, coin };
    seen = taker;
  }
}

type Child = {
  readonly rate: FeeRate;
  /** Virtual bytes of the child. */
  readonly size: number;
  readonly below: Package;
  readonly maxFee: bigint | null;
};

/**
 * What a child pays so that it pays this rate together with what waits below it: what that pays already is not paid again. Always by a step more than
 * that pays, and within the ceiling for all together. Null where the bound or the ceiling leaves no such step.
 */
export function childFee({ floor, ceiling }: FeeRule, { rate, size, below, maxFee }: Child): bigint | null {
  const step = rateOf(below.fee, below.size) + floor;
  if (step > ceiling) return null;
  const together = (at: FeeRate): bigint => feeAt(at, below.size + size) - below.fee;
  const relayed = feeAt(floor, size);
  const least = together(step) > relayed ? together(step) : relayed;
  return feeWithin(together(rate > ceiling ? ceiling : rate), { least, maxFee });
}

function refused(kind: FaultKind, message: string): Refused {
  return { kind, message };
}
