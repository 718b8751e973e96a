import { TIMEOUT_BLOCKS } from '../../htlc/tendermint-lock.ts';
import type { TendermintMessage } from '../../htlc/tendermint-messages.ts';
import type { Answer } from '../../ports/chain.ts';
import { type DecimalText, fromBaseUnits } from '../../primitives/decimal.ts';
import { fault, ok } from '../accounts/answers.ts';
import { gasLimits } from './coin.ts';
import { fundsOf } from './funds.ts';
import type { Parts } from './parts.ts';
import { feeAt, feeText, leastFee } from './prices.ts';
import type { TendermintLook } from './reader.ts';
import { type Made, madeOf, takenBy } from './transaction.ts';

/** A withdrawal to an address; amounts in base units. */
export type TendermintWithdrawal = {
  /** As the chain writes it. */
  readonly to: string;
  /** Null for everything that is free. */
  readonly amount: bigint | null;
  readonly memo: string;
};

/** A signed, unsent transaction with its effect on the account. */
export type TendermintWithdrawn = {
  readonly tx_hex: string;
  readonly tx_hash: string;
  /** In coin units, as is what comes back. The fee of an asset is not in it. */
  readonly spent: DecimalText;
  readonly received: DecimalText;
  readonly gas: bigint;
  /** In units of the coin that pays it. */
  readonly fee: DecimalText;
};

/** Makes and signs a withdrawal. It leaves what swaps hold, and takes no sequence that something has. Its own stays free until it is sent. */
export async function withdraw(
  parts: Parts,
  { withdrawal, look }: { readonly withdrawal: TendermintWithdrawal; readonly look: TendermintLook },
): Promise<Answer<TendermintWithdrawn>> {
  const { coin, account } = parts;
  const { network } = account;
  const gas = gasLimits(network).transfer;
  const fee = feeAt(network, { gas, urgency: 0 });
  const isAsset = coin.denom !== network.fees.denom;
  const own = await fundsOf(parts, { look, denom: coin.denom });
  const kept = account.holds.of(coin.denom) + (isAsset ? 0n : fee);
  const rest = own.free - kept;
  const amount = withdrawal.amount ?? (rest > 0n ? rest : 0n);
  if (amount > rest || amount === 0n) return short(parts, { has: own.free, needs: amount + kept });
  if (isAsset) {
    const platform = await fundsOf(parts, { look, denom: network.fees.denom });
    const needs = account.holds.of(network.fees.denom) + fee;
    if (platform.free < needs) return feeShort(parts, { has: platform.free, needs });
  }
  const { to, memo } = withdrawal;
  const messages: readonly TendermintMessage[] = [
    { kind: 'send', from: account.address, to, coins: [{ denom: coin.denom, amount }] },
  ];
  const sequence = await account.freeSequence(look);
  const made = await account.signOnly(
    { messages, memo, sequence, timeout: look.head.height + TIMEOUT_BLOCKS, gas, fee },
    look,
  );
  const units = (value: bigint): DecimalText => fromBaseUnits(value, coin.decimals);
  return ok({
    ...{ tx_hex: made.hex, tx_hash: made.id, gas, fee: feeText(network, fee) },
    spent: units(isAsset ? amount : amount + fee),
    received: units(to === account.address ? amount : 0n),
  });
}

type Short = { readonly has: bigint; readonly needs: bigint };

function short({ coin }: Parts, { has, needs }: Short): Answer<never> {
  const shortage = { available: fromBaseUnits(has, coin.decimals), required: fromBaseUnits(needs, coin.decimals) };
  return fault('insufficientFunds', `available ${shortage.available}, required at least ${shortage.required}`, {
    shortage,
  });
}

function feeShort({ account: { network } }: Parts, { has, needs }: Short): Answer<never> {
  const shortage = { available: feeText(network, has), required: feeText(network, needs) };
  const text = `available ${shortage.available} for the fee, required ${shortage.required}`;
  return fault('insufficientFunds', text, { part: 'spendFee', shortage });
}

/** Sequences that what somebody signed may leave out: they are filled at the account's cost. */
const MOST_AHEAD = 16;

type Admitting = { readonly made: Made; readonly look: TendermintLook };

/**
 * Whether what somebody signed may go out: what goes out of this account must leave what swaps have signed and hold. It is marked then, so that no
 * swap takes its sequence. `isNew`: it is given back where no node takes it.
 */
export async function admit(
  parts: Parts,
  { tx_hex, look }: { readonly tx_hex: string; readonly look: TendermintLook },
): Promise<Answer<{ readonly made: Made; readonly isNew: boolean }>> {
  const { account } = parts;
  const made = madeOf(tx_hex);
  if (made === null) return fault('invalid', 'the bytes are not a transaction');
  // What was given back is anybody's again, though it was signed or admitted here once.
  const isMarked = account.holders(made.sequence).some(({ id }) => id === made.id);
  if (made.from !== account.account || isMarked) return ok({ made, isNew: false });
  const { height } = look.head;
  const used = await account.used(look);
  const holder = account.waiting({ used, height }).find(({ sequence }) => sequence === made.sequence);
  if (holder !== undefined) return fault('coinsPromised', takenText(holder));
  const next = await account.freeSequence(look);
  if (made.sequence > next + MOST_AHEAD)
    return fault(
      'nonceGap',
      `sequence ${made.sequence} is too far ahead: the next one is ${next}, and at most ${MOST_AHEAD} may be skipped`,
    );
  const promised = await promisedTo(parts, { made, look, leftOut: Math.max(0, made.sequence - next) });
  if (promised !== null) return promised;
  account.take(made);
  return ok({ made, isNew: true });
}

function takenText({ id, sequence }: Made): string {
  const whose = `transaction ${id}, which is pending or still to be sent: part of a swap, an earlier withdrawal, or one that closes a gap`;
  return `sequence ${sequence} belongs to ${whose}; withdraw again, which takes a sequence of its own`;
}

/** Why it takes what swaps hold of the account, with what fills the sequences that it leaves out; null where it does not. */
async function promisedTo(
  parts: Parts,
  { made, look, leftOut }: Admitting & { readonly leftOut: number },
): Promise<Answer<never> | null> {
  const { holds, network } = parts.account;
  // Only plain transfers certainly take no more than they say.
  if (made.messages.some(({ kind }) => kind !== 'send') && holds.isAny())
    return fault('coinsPromised', 'swaps hold coins of the account, and this is more than a transfer');
  const filling = BigInt(leftOut) * (leastFee(network, gasLimits(network).transfer) + 1n);
  for (const denom of holds.denoms()) {
    const { free } = await fundsOf(parts, { look, denom });
    const taken = takenBy(made, denom) + (denom === network.fees.denom ? filling : 0n);
    if (free - taken < holds.of(denom)) return fault('coinsPromised', `the rest of ${denom} is held for swaps`);
  }
  return null;
}
