import type { Deadline, Invariant, Want } from '../definition.ts';
import { type JournalContext, NO_JOURNAL } from '../journal/context.ts';
import { wantsEnough } from '../journal/invariants.ts';
import type { SwapEffect } from '../swap-effects.ts';
import type { LegFunds, SwapVerdict } from '../swap-verdict.ts';

type Journal = Readonly<JournalContext>;
type Says<C, A> = (state: string, context: C, journal: Journal) => A;

/** What a side's machine says, by which its invariants hold it to what its log says. */
type Side<C> = {
  readonly wants: Says<C, readonly Want<SwapEffect>[]>;
  readonly deadlines: Says<C, readonly Deadline[]>;
  readonly verdict: Says<C, SwapVerdict>;
  // By the protocol's names: the neutral ones are part of what is judged.
  /** The secret is public, and the claim is not confirmed yet. */
  readonly mustClaim: (context: C) => boolean;
  readonly claim: SwapEffect;
  readonly refund: SwapEffect;
  /** What may be wanted once the secret is public: the claim, the look for what it needs, and its confirmation. */
  readonly claiming: ReadonlySet<SwapEffect>;
  /** Where a payment that is to be claimed or refunded may be, by the verdict. */
  readonly open: ReadonlySet<LegFunds['status']>;
};

/** What an operator orders, and the end of what a chain has shown to be lost. */
const KEPT: ReadonlySet<SwapEffect> = new Set<SwapEffect>(['recover', 'closeLost']);

/** The rules that hold for both sides, each under the number that a side gives it. */
export function sideInvariants<C>(side: Side<C>) {
  const wanted: Says<C, readonly SwapEffect[]> = (state, context, journal) =>
    side.wants(state, context, journal).map(({ effect }) => effect);
  const open = ({ status }: LegFunds) => side.open.has(status);
  return {
    wantsSomething: (id: string): Invariant<C> => ({
      id,
      text: 'every unfinished state wants something unless it is paused, and the finished state nothing but that its end stays',
      holds: (state, context, journal = NO_JOURNAL) => wantsEnough(state, wanted(state, context, journal), journal),
    }),
    endTimeKnown: (id: string): Invariant<C & { readonly finishedAt: unknown }> => ({
      id,
      text: 'the end time is known if and only if the state is finished',
      holds: (state, { finishedAt }) => (state === 'finished') === (finishedAt !== null),
    }),
    /** `unless`: what allows something else after all. */
    onlyClaim: (id: string, text: string, unless: (journal: Journal) => boolean = () => false): Invariant<C> => ({
      id,
      text,
      holds(state, context, journal = NO_JOURNAL) {
        if (state === 'finished' || !side.mustClaim(context) || unless(journal)) return true;
        return wanted(state, context, journal).every((effect) => side.claiming.has(effect) || KEPT.has(effect));
      },
    }),
    raceIsDeadline: (id: string): Invariant<C & { readonly negotiated: unknown }> => ({
      id,
      text: `while the machine wants a claim, the moment from which the ${payerOf(side.claim)} can refund is a deadline`,
      holds: (state, context, journal = NO_JOURNAL) =>
        context.negotiated === null ||
        !wanted(state, context, journal).includes(side.claim) ||
        side.deadlines(state, context, journal).some(({ kind }) => kind === `${payerOf(side.claim)}RefundValid`),
    }),
    nextIsOpen: (id: string): Invariant<C> => ({
      id,
      text: 'if the next step claims or refunds coins, the verdict does not call their payment settled',
      holds(state, context, journal = NO_JOURNAL) {
        const { next, funds } = side.verdict(state, context, journal);
        if (next?.action === side.claim) return open(funds[`${payerOf(side.claim)}Payment`]);
        return next?.action !== side.refund || open(funds[`${payerOf(side.refund)}Payment`]);
      },
    }),
  };
}

/** Whose payment an effect moves, by its name. */
function payerOf(effect: SwapEffect): 'maker' | 'taker' {
  return effect.includes('Maker') ? 'maker' : 'taker';
}
