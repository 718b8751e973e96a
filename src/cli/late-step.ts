import type { LegFunds, NextStep, Party } from '../../machines/swap-verdict.ts';
import { amountText } from '../../machines/swap-verdict.ts';
import type { UnixSeconds } from '../primitives/time.ts';
import { timingText, whenText } from '../replay/explain/facts.ts';
import type { SwapStatus } from '../runtime/operate/status.ts';

/** The step that comes next, in words that hold at any moment, or at `now` where it is known. */
export function stepText(next: NextStep, { role, funds, now }: Pick<SwapStatus, 'role' | 'funds'> & Clock): string {
  const { action, who, until, text } = next;
  const isRescue = who === 'operator' && action.startsWith('spend') && until !== null;
  if (!isRescue) return `${text}${timingText(next, now)}`;
  if (now !== undefined && now > until && funds !== null && (role === 'maker' || role === 'taker')) {
    return lateClaim(role === 'maker' ? funds.takerPayment : funds.makerPayment, { role, until, now });
  }
  // A stored swap may be years old: nobody is told to hurry for a race that may be over.
  return `${text.replace(', so hurry.', ': after that, look first whether it is still there.')}${timingText(next, now)}`;
}

type Clock = { readonly now: UnixSeconds | undefined };

/** A maker that has not shown its secret keeps it, since a claim that loses against the refund gives away both payments. */
function lateClaim(
  leg: LegFunds,
  { role, until, now }: { readonly role: Party; readonly until: UnixSeconds; readonly now: UnixSeconds },
): string {
  const owner = role === 'maker' ? 'taker' : 'maker';
  const look = `Look first whether the ${owner} payment (${amountText(leg)}) is still there: since ${whenText(until, now)} the ${owner} could refund it. Where it did, it cannot be claimed any more.`;
  return role === 'taker'
    ? `${look} Where it did not, spend it with the secret at once.`
    : `${look} Where it did not, claim it only if the secret is public already: a claim that loses against the refund shows the secret, and the maker payment can be lost as well.`;
}
