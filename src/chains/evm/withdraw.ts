import { transferCall } from '../../htlc/token-calls.ts';
import type { Answer } from '../../ports/chain.ts';
import { type DecimalText, fromBaseUnits } from '../../primitives/decimal.ts';
import { fault, ok } from '../accounts/answers.ts';
import { askedToPay } from './ask-ahead.ts';
import { BARE_TRANSFER, gasLimits } from './coin.ts';
import { fundsOf } from './funds.ts';
import { gasToReceiver, MOST_OF_TRANSFER } from './gas.ts';
import { heldWei } from './held-wei.ts';
import { type Parts, WEI_DIGITS, weiText } from './parts.ts';
import { type DayPrices, dayPrices, usualPrice } from './prices.ts';
import { CallReverted, type EvmLook } from './reader.ts';
import { feeOf, type Price } from './transaction.ts';

/** A withdrawal to an address; amounts in base units. */
export type EvmWithdrawal = {
  /** Account of 40 hex digits. */
  readonly to: string;
  /** Null for everything available. */
  readonly amount: bigint | null;
  /** Null for the current price. */
  readonly fee: WithdrawalFee | null;
};

/** Gas is null if the usual limit is enough. */
export type WithdrawalFee = { readonly gas: bigint | null; readonly price: Price; readonly legacy: boolean };

/** A signed transaction that is not sent, with its effect on the account. */
export type EvmWithdrawn = {
  readonly tx_hex: string;
  readonly tx_hash: string;
  /** In coin units, like the change. Fees of a token are not included. */
  readonly spent: DecimalText;
  readonly received: DecimalText;
  readonly gas: bigint;
  /** Wei per unit of gas. */
  readonly price: Price;
  readonly legacy: boolean;
};

/** Through a look that has each answer only once. */
type Asked = { readonly withdrawal: EvmWithdrawal; readonly look: EvmLook };

/**
 * Makes and signs a withdrawal. It leaves what swaps hold, and uses no taken nonce. Its own nonce stays free until it is sent: a nonce
 * that is kept for what nobody sends would hold up every payment and claim behind it.
 */
export async function withdraw(parts: Parts, { withdrawal, look }: Asked): Promise<Answer<EvmWithdrawn>> {
  const [gas] = await Promise.all([
    withdrawal.fee?.gas ?? gasFor(parts, { withdrawal, look }),
    askedToPay(parts, { look, moves: true }),
  ]);
  if (typeof gas !== 'bigint') return gas;
  return parts.account.inTurn(() => leaving(parts, { withdrawal, look, gas }));
}

async function leaving(
  parts: Parts,
  { withdrawal, look, gas }: Asked & { readonly gas: bigint },
): Promise<Answer<EvmWithdrawn>> {
  const { coin, account } = parts;
  const day = await dayPrices(account.prices, look);
  const terms = termsOf(parts, { fee: withdrawal.fee, day });
  if (gas < BARE_TRANSFER) return fault('feeTooLow', `${gas} gas is too little for any transaction`);
  if (day.baseFee > terms.price.most) return fault('feeTooLow', `the base fee is ${day.baseFee} wei`);
  const funds = await fundsOf(parts, { look });
  const cost = gas * terms.price.most;
  const isToken = funds.tokens !== null;
  const held = await heldWei(parts, { look, day });
  const own = funds.tokens ?? funds.wei;
  const kept = coin.token === undefined ? held + cost : account.holds.tokens(coin.token.address);
  const rest = own.free - kept;
  const amount = withdrawal.amount ?? (rest > 0n ? rest : 0n);
  if (amount > rest || amount === 0n) return short(parts, { has: own.free, needs: amount + kept });
  if (isToken && funds.wei.free - held < cost) return feeShort({ has: funds.wei.free, needs: held + cost });
  const [nonce] = (await account.freeNonces(look, 1)) as [number];
  const { to } = withdrawal;
  const call = isToken
    ? { to: coin.token?.address ?? '', value: 0n, data: transferCall(to, amount) }
    : { to, value: amount, data: '' };
  const made = await account.signOnly({ ...call, gas, nonce, price: terms.price }, terms);
  const units = (value: bigint): DecimalText => fromBaseUnits(value, coin.decimals);
  return ok({
    ...{ tx_hex: made.hex, tx_hash: made.id, gas, price: made.price, legacy: terms.legacy },
    spent: units(isToken ? amount : amount + cost),
    received: units(to === account.address ? amount : 0n),
  });
}

/** Gas of a withdrawal without a given limit. */
async function gasFor({ coin, account }: Parts, { withdrawal, look }: Asked): Promise<bigint | Answer<never>> {
  const least = gasLimits(coin).transfer;
  if (coin.token !== undefined) return least;
  const { to, amount } = withdrawal;
  // The amount of "everything free" is unknown before its fee.
  const intent = { from: account.address, to, value: amount ?? 1n, data: '' };
  try {
    const gas = await gasToReceiver(look, { intent, least });
    if (gas !== null) return gas;
  } catch (error) {
    if (!(error instanceof CallReverted)) throw error;
    // A node may also refuse for lack of coins, which is found below.
    if ((await fundsOf({ coin: OWN, account }, { look })).wei.all < intent.value) return least;
    return fault('invalid', `0x${to} refuses it: ${error.message}`);
  }
  return fault(
    'feeTooLow',
    `0x${to} takes more than ${MOST_OF_TRANSFER} gas; set the gas in the fee to pay for it anyway`,
  );
}

const OWN = {};

function termsOf(
  { account }: Parts,
  { fee, day }: { readonly fee: WithdrawalFee | null; readonly day: DayPrices },
): { readonly price: Price; readonly legacy: boolean } {
  if (fee !== null) return { price: fee.price, legacy: fee.legacy };
  const { prices } = account;
  const price = usualPrice(prices, day);
  return { price: day.legacy ? { most: price.most, tip: price.most } : price, legacy: day.legacy };
}

type Short = { readonly has: bigint; readonly needs: bigint };

function short({ coin }: Parts, { has, needs }: Short): Answer<never> {
  const shown = { available: fromBaseUnits(has, coin.decimals), required: fromBaseUnits(needs, coin.decimals) };
  return fault('insufficientFunds', `available ${shown.available}, required at least ${shown.required}`, {
    shortage: shown,
  });
}

function feeShort({ has, needs }: Short): Answer<never> {
  const shown = { available: fromBaseUnits(has, WEI_DIGITS), required: fromBaseUnits(needs, WEI_DIGITS) };
  return fault('insufficientFunds', `available ${shown.available} for gas, required ${shown.required}`, {
    // This distinguishes it from a shortage of the coin itself.
    part: 'spendFee',
    shortage: shown,
  });
}

/**
 * The most that the gas of a withdrawal costs, in units of the coin that pays for it (18 decimals).
 *
 * @example
 * ```ts
 * import { costOf } from 'swapfold/chains/evm';
 *
 * const gwei = 10n ** 9n;
 * costOf({ gas: 21_000n, price: { most: 50n * gwei, tip: 2n * gwei } }); // → '0.00105'
 * ```
 */
export function costOf({ gas, price }: Pick<EvmWithdrawn, 'gas' | 'price'>): DecimalText {
  return weiText(feeOf({ gas, price }));
}
