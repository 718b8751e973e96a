import { onLeg } from '../../src/primitives/pair.ts';
import type { ClosingEffect, KeptEffect, SwapEffect } from '../swap-effects.ts';
import type { Party } from '../swap-verdict.ts';
import { everAttempted, type JournalContext } from './context.ts';

/** Wants that commit this side's coins. A pause stops these; locked coins are still claimed or refunded. */
const COMMITMENTS: ReadonlySet<SwapEffect> = new Set<SwapEffect>([
  'start',
  'negotiate',
  'sendTakerFee',
  'waitForTakerFee',
  'waitForMakerPayment',
  'sendTakerPayment',
  'sendMakerPayment',
]);

/** What decides, besides the journal, from a swap's public log, and what its state asks for. */
export type Asked<E extends SwapEffect> = {
  readonly role: Party;
  readonly effects: readonly E[];
  /**
   * Whether the other side can have this side's payment: for a taker, the secret is public. For a maker, the journal
   * says it.
   */
  readonly secretIsPublic: boolean;
  readonly refunded: boolean;
  /** How this side's payment is refunded, and how that is closed. */
  readonly refund: E;
  readonly close: ClosingEffect;
};

/** What a side wants, with what every swap may want. */
export type Wanted<E extends SwapEffect> = E | ClosingEffect | KeptEffect;

/** What is left to do in an unfinished swap: once the other side's payment is refunded for good, no claim is wanted. */
export function possibleEffects<E extends SwapEffect>(
  asked: Asked<E>,
  journal: Readonly<JournalContext>,
): readonly Wanted<E>[] {
  return isOtherBack(asked.role, journal) ? withoutClaim(asked, journal) : asked.effects;
}

/** What an engine wants now: an operator's order comes first, and a pause stops new commitments. */
export function keptEffects<E extends SwapEffect>(
  asked: Asked<E>,
  journal: Readonly<JournalContext>,
): readonly Wanted<E>[] {
  const wanted = possibleEffects(asked, journal);
  const allowed = journal.paused && !everAttempted(journal, 'payment') ? wanted.filter(isNoCommitment) : wanted;
  return journal.recoverSince === null ? allowed : ['recover', ...allowed];
}

/** What a finished swap asks for: only that its engine makes sure the end stays. */
export function guarded(journal: Readonly<JournalContext>): readonly KeptEffect[] {
  return journal.kept ? GUARD : NOTHING;
}

const GUARD: readonly KeptEffect[] = ['guard'];
const NOTHING: readonly KeptEffect[] = [];

/** The chain has shown for good that the other side's payment was refunded: no claim can succeed. */
function isOtherBack(role: Party, { settled }: Readonly<JournalContext>): boolean {
  return onLeg(settled, role === 'maker' ? 'taker' : 'maker')?.how === 'refunded';
}

function withoutClaim<E extends SwapEffect>(
  { role, secretIsPublic, refunded, refund, close }: Asked<E>,
  { settled }: Readonly<JournalContext>,
): readonly Wanted<E>[] {
  // If a maker's payment was claimed, its secret is public, whatever its own log says about its claim.
  if (role === 'maker' ? settled.maker?.how === 'claimed' : secretIsPublic) return ['closeLost'];
  return [refunded ? close : refund];
}

function isNoCommitment(effect: SwapEffect): boolean {
  return !COMMITMENTS.has(effect);
}
