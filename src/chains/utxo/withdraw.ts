import type { TransactionOutput } from '../../htlc/transaction.ts';
import type { Answer, ChainFault } from '../../ports/chain.ts';
import type { DecimalText } from '../../primitives/decimal.ts';
import { sameBytes } from '../../primitives/hex.ts';
import { millisOf } from '../../primitives/time.ts';
import { fault, ok } from './answers.ts';
import { inOrder, MOST_COINS, worthTaking } from './choose-coins.ts';
import { type FeeRate, feeAt, rateAt } from './coin.ts';
import { type Made, madeOf } from './made.ts';
import { coinsText, type Parts } from './parts.ts';
import { dayRate } from './prepare.ts';
import type { Plan } from './purse.ts';
import { type Coin, sizeWith } from './sign-coins.ts';

/** What leaves the wallet for an address; amounts in base units. */
export type UtxoWithdrawal = {
  /** Output script of the address. */
  readonly to: Uint8Array;
  /** Null for all that is free. */
  readonly amount: bigint | null;
  /** Null for what transactions pay at the moment. */
  readonly fee: { readonly kind: 'fixed' | 'perKbyte'; readonly units: bigint } | null;
};

/** A signed transaction that is not sent, with what it does to the wallet, in coin units. */
export type UtxoWithdrawn = {
  readonly tx_hex: string;
  readonly tx_hash: string;
  readonly spent: DecimalText;
  readonly received: DecimalText;
  readonly fee: DecimalText;
};

/** How long the coins of a withdrawal are kept from others while nobody sends it, in milliseconds. */
const KEPT_FOR = 600_000;

/**
 * Makes and signs a withdrawal. It takes no coin that a signed transaction of a swap takes, and leaves what swaps will still need. What it takes
 * is kept from swaps for ten minutes.
 */
export async function withdraw(parts: Parts, { to, amount, fee }: UtxoWithdrawal): Promise<Answer<UtxoWithdrawn>> {
  const { purse, coin } = parts;
  if (amount !== null && amount < coin.dust) return fault('invalid', `less than ${coinsText(parts, coin.dust)}`);
  const rate = fee?.kind === 'perKbyte' ? fee.units : rateAt(coin.fees, { rate: await dayRate(parts), urgency: 0 });
  const priced = { to, rate, fixed: fee?.kind === 'fixed' ? fee.units : null };
  const plan = amount === null ? planAll(parts, priced) : planSome(parts, { ...priced, amount });
  if ('kind' in plan) return { ok: false, fault: plan };
  if (plan.fee < feeAt(coin.fees.floor, sizeWith(plan.coins.length, plan.outputs, coin))) {
    return fault('feeTooLow', 'nodes relay no transaction with so low a fee');
  }
  const made = await purse.sign(plan);
  purse.take(made);
  keepForAWhile(parts, made);
  const own = plan.outputs.filter(({ script }) => sameBytes(script, purse.script));
  return ok({
    tx_hex: made.hex,
    tx_hash: made.txid,
    spent: coinsText(parts, sum(plan.coins)),
    received: coinsText(parts, sum(own)),
    fee: coinsText(parts, plan.fee),
  });
}

/** What nobody has sent by then is free again. */
export function keepForAWhile({ clock, reader, purse }: Parts, made: Made): void {
  clock.wakeAt(millisOf(clock.now() + KEPT_FOR), () => {
    if (reader.index.get(made.txid) === undefined) purse.giveBack(made);
  });
}

type Priced = { readonly to: Uint8Array; readonly rate: FeeRate; readonly fixed: bigint | null };

/** All free coins, but for what swaps will still take, which comes back as change. */
function planAll({ purse, coin, ...parts }: Parts, { to, rate, fixed }: Priced): Plan | ChainFault {
  const coins = worthTaking(purse.free(), { rate, coin }).slice(0, MOST_COINS);
  const held = purse.heldByOthers('');
  const kept = held > 0n && held < coin.dust ? coin.dust : held;
  const change = kept > 0n ? [{ value: kept, script: purse.script }] : [];
  const fee = fixed ?? feeAt(rate, sizeWith(coins.length, [{ value: 0n, script: to }, ...change], coin));
  const value = sum(coins) - kept - fee;
  if (value < coin.dust) return short({ ...parts, coin, purse }, coin.dust + fee + kept);
  return { coins, outputs: [{ value, script: to }, ...change], fee };
}

function planSome(parts: Parts, { to, rate, fixed, amount }: Priced & { readonly amount: bigint }): Plan | ChainFault {
  const { purse, coin } = parts;
  const free = purse.free();
  const paid: TransactionOutput = { value: amount, script: to };
  const held = purse.heldByOthers('');
  const coins: Coin[] = [];
  const withChange = [paid, { value: 0n, script: purse.script }];
  const feeOf = (inputs: number): bigint => fixed ?? feeAt(rate, sizeWith(inputs, withChange, coin));
  const confirmed = new Set(purse.confirmed().map(pointOf));
  const [first, then] = [true, false].map((is) => {
    const some = free.filter((one) => confirmed.has(pointOf(one)) === is);
    return inOrder(some, { outputs: [paid], rate, change: purse.script }, coin);
  });
  for (const next of [...(first ?? []), ...(then ?? [])].slice(0, MOST_COINS)) {
    coins.push(next);
    if (sum(coins) < amount) continue;
    const fee = feeOf(coins.length);
    const left = sum(coins) - amount - fee;
    if (left < 0n) continue;
    // What is too little for an output goes to the miner.
    const change = left >= coin.dust ? [{ value: left, script: purse.script }] : [];
    const whole = change.length > 0 ? fee : fee + left;
    if (sum(free) - amount - whole < held) break;
    return { coins, outputs: [paid, ...change], fee: whole };
  }
  return short(parts, amount + feeOf(Math.max(1, coins.length)) + held);
}

function pointOf({ txid, vout }: Coin): string {
  return `${txid}:${vout}`;
}

function short(parts: Parts, units: bigint): ChainFault {
  const available = coinsText(parts, sum(parts.purse.free()));
  const required = coinsText(parts, units);
  const signed = parts.purse.signedFor();
  const why = signed > 0n ? `; ${coinsText(parts, signed)} are in transactions that were signed and not yet sent` : '';
  const message = `available ${available}, required at least ${required}${why}`;
  return { kind: 'insufficientFunds', message, shortage: { available, required } };
}

/** Why a transaction must not be sent: it takes what another one that was signed here takes. Null where nothing is in its way. */
export function inTheWay({ purse }: Pick<Parts, 'purse'>, hex: string): string | null {
  const made = madeOf(hex);
  if (made === null) return null;
  return purse.takersBeside(made)[0]?.txid ?? null;
}

function sum(values: readonly { readonly value: bigint }[]): bigint {
  return values.reduce((total, { value }) => total + value, 0n);
}
