import { machineOfRole } from '../../events/catalog.ts';
import type { LegFees } from '../../htlc/locked-amount.ts';
import type { Logger } from '../../ports/logger.ts';
import { type DecimalText, toBigNumber } from '../../primitives/decimal.ts';
import { shortReason } from '../errors.ts';
import type { HeldLedger } from '../held.ts';
import type { RuntimeChain } from './gate.ts';

type Told = {
  readonly gates: { readonly get: (coin: string) => { readonly chain: Pick<RuntimeChain, 'hold'> } | undefined };
  readonly locks: Pick<HeldLedger, 'of' | 'feesOf' | 'streams'>;
  readonly logger: Pick<Logger, 'error'>;
};

/**
 * Tells a wallet what a swap will still take from it, for both sides if both are on this node. It reports the fees on
 * its chain separately, because another coin, which need not be active, may pay them.
 */
export function tellHold({ gates, locks, logger }: Told, stream: string, coin: string): void {
  const chain = gates.get(coin)?.chain;
  if (chain?.hold === undefined) return;
  const swap = stream.slice(stream.indexOf('/') + 1);
  const streams = Object.values(machineOfRole).map((machine) => `${machine}/${swap}`);
  const paid = streams.map((one) => locks.feesOf(one, coin)).filter((fees) => fees !== null);
  try {
    chain.hold({ swap, amount: sumOf(streams.map((one) => locks.of(one, coin))), ...feesTold(paid) });
  } catch (error) {
    logger.error('hold failed', { stream, coin, reason: shortReason(error) });
  }
}

function feesTold(paid: readonly LegFees[]) {
  if (paid.length === 0) return {};
  return { fees: sumOf(paid.map(({ amount }) => amount)), ends: paid.flatMap(({ ends }) => ends) };
}

function sumOf(amounts: readonly DecimalText[]): DecimalText {
  const sum = amounts.reduce((before, amount) => before.plus(toBigNumber(amount)), toBigNumber('0' as DecimalText));
  return sum.toFixed() as DecimalText;
}

/** The same for every running swap, to a newly opened wallet. */
export function tellHolds(loop: Told, coin: string): void {
  const { locks } = loop;
  for (const stream of locks.streams())
    if (locks.of(stream, coin) !== '0' || locks.feesOf(stream, coin) !== null) tellHold(loop, stream, coin);
}
