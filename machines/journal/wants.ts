import { onLeg } from '../../src/primitives/pair.ts';
import type { KeptEffect, SwapEffect } from '../swap-effects.ts';
import type { Party } from '../swap-verdict.ts';
import { everAttempted, type JournalContext } from './context.ts';

/** What commits the own coins to something. A pause stops these; what is locked is claimed or refunded all the same. */
const COMMITMENTS: ReadonlySet<SwapEffect> = new Set<SwapEffect>([
  'start',
  'negotiate',
  'sendTakerFee',
  'waitForTakerFee',
  'waitForMakerPayment',
  'sendTakerPayment',
  'sendMakerPayment',
]);

/** What of a swap's public log decides beside the journal, and what its state asks for. */
export type Asked<E extends SwapEffect> = {
  readonly role: Party;
  readonly effects: readonly E[];
  /** Whether the other side can have the own payment: a taker's secret is out. A maker's journal says it. */
  readonly secretIsPublic: boolean;
  readonly refunded: boolean;
  /** How the own payment is taken back, and how that is closed. */
  readonly refund: E;
  readonly close: E;
};

/** What is left to do in an unfinished swap: once the other side's payment went back for good, no claim is wanted any more. */
export function possibleEffects<E extends SwapEffect>(
  asked: Asked<E>,
  journal: Readonly<JournalContext>,
): readonly (E | KeptEffect)[] {
  return isOtherBack(asked.role, journal) ? withoutClaim(asked, journal) : asked.effects;
}

/** The same as an engine wants it now: an operator's order comes first, and a pause stops new commitments. */
export function keptEffects<E extends SwapEffect>(
  asked: Asked<E>,
  journal: Readonly<JournalContext>,
): readonly (E | KeptEffect)[] {
  const wanted = possibleEffects(asked, journal);
  const allowed = journal.paused && !everAttempted(journal, 'payment') ? wanted.filter(isNoCommitment) : wanted;
  return journal.recoverSince === null ? allowed : ['recover', ...allowed];
}

/** What a finished swap asks for: nothing, but that its engine sees to it that the end stays. */
export function guarded(journal: Readonly<JournalContext>): readonly KeptEffect[] {
  return journal.kept ? GUARD : NOTHING;
}

const GUARD: readonly KeptEffect[] = ['guard'];
const NOTHING: readonly KeptEffect[] = [];

/** The chain has shown for good that the other's payment went back: no claim can succeed. */
function isOtherBack(role: Party, { settled }: Readonly<JournalContext>): boolean {
  return onLeg(settled, role === 'maker' ? 'taker' : 'maker')?.how === 'refunded';
}

function withoutClaim<E extends SwapEffect>(
  { role, secretIsPublic, refunded, refund, close }: Asked<E>,
  { settled }: Readonly<JournalContext>,
): readonly (E | KeptEffect)[] {
  // A maker whose payment was taken has had its secret shown, whatever its own log says of its claim.
  if (role === 'maker' ? settled.maker?.how === 'claimed' : secretIsPublic) return ['closeLost'];
  return [refunded ? close : refund];
}

function isNoCommitment(effect: SwapEffect): boolean {
  return !COMMITMENTS.has(effect);
}
