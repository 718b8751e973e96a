import type { LegFunds, NextStep, Party } from '../../machines/swap-verdict.ts';
import { amountText } from '../../machines/swap-verdict.ts';
import type { UnixSeconds } from '../primitives/time.ts';
import { timingText, whenText } from '../replay/explain/facts.ts';
import type { SwapStatus } from '../runtime/operate/status.ts';

type Standing = Pick<SwapStatus, 'role' | 'funds'> & { readonly now: UnixSeconds | undefined };

/** The step that comes next, in words for the moment `now` where it is known; the words of the machine hold at any moment. */
export function stepAt(next: NextStep, standing: Standing): NextStep {
  const late = lateText(next, standing);
  return late === null ? next : { ...next, text: late };
}

/** The same as a text, with how far away the step is. */
export function stepText(next: NextStep, standing: Standing): string {
  return lateText(next, standing) ?? `${next.text}${timingText(next, standing.now)}`;
}

/** A claim that a person must make, once the other side can have taken its payment back; null for any other step. */
function lateText({ action, who, until }: NextStep, { role, funds, now }: Standing): string | null {
  if (who !== 'operator' || !action.startsWith('spend') || until === null) return null;
  if (now === undefined || now <= until || funds === null || (role !== 'maker' && role !== 'taker')) return null;
  return lateClaim(role === 'maker' ? funds.takerPayment : funds.makerPayment, { role, until, now });
}

/** A maker that has not shown its secret keeps it, since a claim that loses against the refund gives away both payments. */
function lateClaim(
  leg: LegFunds,
  { role, until, now }: { readonly role: Party; readonly until: UnixSeconds; readonly now: UnixSeconds },
): string {
  const owner = role === 'maker' ? 'taker' : 'maker';
  const look = `Check first whether the ${owner} payment (${amountText(leg)}) is still there: since ${whenText(until, now)} the ${owner} could refund it. Where it did, it cannot be claimed any more.`;
  return role === 'taker'
    ? `${look} Where it did not, spend it with the secret at once.`
    : `${look} Where it did not, claim it only if the secret is public already: a claim that loses against the refund shows the secret, and the maker payment can be lost as well.`;
}
