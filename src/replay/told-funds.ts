import type { LegFunds, Party, SwapFunds } from '../../machines/swap-verdict.ts';
import type { SwapLog } from '../events/saved-swap.ts';
import { type AuditedSwap, auditedSwap } from './audit/swap-view.ts';
import { amountOf } from './explain/amounts.ts';
import { feeOf } from './explain/facts.ts';
import { impossibleAmount } from './explain/impossible-amount.ts';
import { withAmounts } from './explain/with-amounts.ts';

/** Where both payments are, in amounts for people. */
export type ToldFunds = {
  readonly funds: SwapFunds;
  /** Gives the amounts of a sentence the same digits. */
  readonly exact: (sentence: string) => string;
  /** One sentence for each amount that no chain can hold. */
  readonly impossible: readonly string[];
};

/** Decimals that no chain lacks: an amount with no more has no digit too many. */
const FEWEST_DECIMALS = 8;

/** Amounts as an explanation states them: with no more digits than each chain has, as far as the log's transactions show which chain that is. */
export function toldFunds(funds: SwapFunds, log: SwapLog): ToldFunds {
  const { makerPayment, takerPayment } = funds;
  if (!isLong(makerPayment) && !isLong(takerPayment)) return { funds, exact: (sentence) => sentence, impossible: [] };
  const view = auditedSwap(log);
  const told = {
    makerPayment: toldLeg('maker', makerPayment, view),
    takerPayment: toldLeg('taker', takerPayment, view),
  };
  const exact = withAmounts([
    { written: makerPayment, told: told.makerPayment },
    { written: takerPayment, told: told.takerPayment },
  ]);
  const impossible = (['maker', 'taker'] as const).map((owner) => impossibleAmount(owner, log));
  return { funds: told, exact, impossible: impossible.filter((sentence) => sentence !== null) };
}

function isLong({ amount }: LegFunds): boolean {
  return amount !== null && (/\.(\d+)$/.exec(amount)?.[1]?.length ?? 0) > FEWEST_DECIMALS;
}

function toldLeg(owner: Party, leg: LegFunds, view: AuditedSwap): LegFunds {
  return leg.amount === null ? leg : { ...leg, amount: amountOf(leg.amount, view.payments[owner], feeOf(owner, view)) };
}
