import type { MachineEvent, Want } from '../../machines/definition.ts';
import type { PaymentView } from '../../src/ports/chain.ts';
import type { Millis } from '../../src/primitives/time.ts';
import type { Command, NewEvent } from '../../src/runtime/command.ts';
import { type SwapRunner, viewOf } from '../../src/runtime/swap/runner.ts';
import type { Behaviour, SimNode } from '../../src/sim/world/node.ts';

// Engines with one fault each. A test shows that the judge notices every one of them.

/** A mistake that an engine could make, as changes to the sound one. */
export type PlantedBug = {
  /** What is wrong, in one sentence. */
  readonly text: string;
  /** Whose engine has it. */
  readonly parties: readonly ('maker' | 'taker')[];
  readonly plant: (sound: Behaviour) => Behaviour;
};

type Decide = Behaviour['decide'];

function withWants(runner: SwapRunner, change: (want: Want, state: string) => Want): SwapRunner {
  const { definition } = runner.kind;
  const wants: typeof definition.wants = (state, context, journal) =>
    definition.wants(state, context, journal).map((want) => ({ ...change(want, state), effect: want.effect }));
  return { ...runner, kind: { ...runner.kind, definition: { ...definition, wants } } } as SwapRunner<
    unknown,
    MachineEvent
  >;
}

const timeless = ({ until: _, wait: __, ...want }: Want): Want => want;

/** Gives up what failed once, as releases of the real node do. */
const giveUp: Decide = (runner, now) => {
  void now;
  const view = viewOf(runner);
  const failed = [...runner.facts.tries].find(([key, tries]) => key.includes(':broadcast:') && tries.count > 0);
  if (failed === undefined) return { kind: 'wait', until: 0 as Millis };
  const error = failed[1].message;
  const end = (...events: NewEvent[]): Command => ({ kind: 'append', events });
  if (view.role === 'taker' && view.state === 'claiming')
    return end({ type: 'MakerPaymentSpendFailed', data: { error } });
  if (view.role === 'taker' && view.state === 'claimFailed') return end({ type: 'Finished', data: null });
  if (view.state === 'refundFailed') return end({ type: 'Finished', data: null });
  const refundFailed = view.role === 'taker' ? 'TakerPaymentRefundFailed' : 'MakerPaymentRefundFailed';
  if (view.state === 'refunding') return end({ type: refundFailed, data: { error } });
  return { kind: 'wait', until: 0 as Millis };
};

const highest = new WeakMap<SimNode, Map<string, PaymentView>>();

/** The view with the most confirmations that was ever seen of a payment. */
function best(node: SimNode, key: string, view: PaymentView): PaymentView {
  const views = highest.get(node) ?? new Map<string, PaymentView>();
  highest.set(node, views);
  const old = views.get(key);
  const weight = ({ funding, spend }: PaymentView) =>
    (funding?.confirmations ?? -1) + 1000 * (spend === null ? 0 : 1 + spend.confirmations);
  if (old !== undefined && weight(old) > weight(view))
    return { ...old, clock: view.clock, height: view.height, refundable: view.refundable };
  views.set(key, view);
  return view;
}

export const plantedBugs: Readonly<Record<string, PlantedBug>> = {
  giveUpAfterOneFailure: {
    text: 'gives up after one failed broadcast',
    parties: ['maker', 'taker'],
    plant: (sound) => ({
      ...sound,
      decide: (runner, now, node) => {
        const command = giveUp(runner, now, node);
        return command.kind === 'append' ? command : sound.decide(runner, now, node);
      },
    }),
  },
  refundAfterSecret: {
    text: 'refunds its payment though the secret is known',
    parties: ['taker'],
    plant: (sound) => ({
      ...sound,
      decide: (runner, now, node) => {
        const view = viewOf(runner);
        const kit = runner.journal.prepared.refund.at(-1);
        const key = 'taker:bug';
        if (!view.secretIsPublic || kit === undefined || runner.facts.tries.has(key))
          return sound.decide(runner, now, node);
        return { kind: 'ask', leg: 'taker', key, question: { op: 'broadcast', transaction: kit.tx } };
      },
    }),
  },
  actBeforeAppend: {
    text: 'broadcasts before the log holds the transaction',
    parties: ['maker', 'taker'],
    plant: (sound) => ({
      ...sound,
      beforeAppend: (node, events) => {
        const prepared = events.find(({ type }) => type === 'TransactionPrepared');
        if (prepared === undefined) return;
        const { purpose, tx } = prepared.data as { purpose: string; tx: never };
        const other = node.name === 'maker' ? 'taker' : 'maker';
        node.wallets[purpose === 'claim' ? other : node.name].broadcast(tx);
      },
    }),
  },
  publishBeforeAppend: {
    text: 'tells subscribers of an event before it is durable',
    parties: ['maker', 'taker'],
    plant: (sound) => ({ ...sound, publishFirst: true }),
  },
  forgetDeadlineAfterRestart: {
    text: 'forgets its deadlines when it is restarted',
    parties: ['maker', 'taker'],
    plant: (sound) => ({
      ...sound,
      decide: (runner, now, node) => sound.decide(node.restarts > 0 ? withWants(runner, timeless) : runner, now, node),
    }),
  },
  errorIsFact: {
    text: 'takes an error answer for a fact about the chain',
    parties: ['maker', 'taker'],
    plant: (sound) => ({
      ...sound,
      answer: (question, result, node) => {
        if (result.ok) return result;
        if (question.op === 'transaction') return { ok: true, value: { status: 'conflicted', confirmations: 99 } };
        if (question.op !== 'payment') return sound.answer(question, result, node);
        const clock = Math.floor(node.runner.lastAt / 1000) as never;
        return { ok: true, value: { funding: null, problem: null, spend: null, refundable: false, clock, height: 0 } };
      },
    }),
  },
  payTooLate: {
    text: 'sends the payment with too little time left',
    parties: ['taker'],
    plant: (sound) => ({
      ...sound,
      decide: (runner, now, node) => {
        const late = new Set(['confirmingMakerPayment', 'sendingTakerPayment']);
        return sound.decide(
          withWants(runner, (want, state) => (late.has(state) ? timeless(want) : want)),
          now,
          node,
        );
      },
    }),
  },
  ignoreReorg: {
    text: 'does not notice that a block was replaced',
    parties: ['maker', 'taker'],
    plant: (sound) => ({
      ...sound,
      answer: (question, result, node) => {
        if (question.op !== 'payment' || !result.ok) return sound.answer(question, result, node);
        const key = `${question.query.terms.sender}${question.query.terms.lock}`;
        return { ok: true, value: best(node, key, result.value as PaymentView) };
      },
    }),
  },
  payFeeTwice: {
    text: 'forgets after a crash that the fee was sent',
    parties: ['taker'],
    plant: (sound) => ({
      ...sound,
      load: (records) =>
        records.some(({ type }) => type === 'TakerFeeSent')
          ? records
          : records.filter(({ data }) => (data as { purpose?: string } | null)?.purpose !== 'fee'),
    }),
  },
  wallClock: {
    text: 'takes the wall clock for the clock of the chain',
    parties: ['maker', 'taker'],
    plant: (sound) => ({
      ...sound,
      answer: (question, result, node) => {
        if (question.op !== 'payment' || !result.ok) return sound.answer(question, result, node);
        const view = result.value as PaymentView;
        const { lock } = question.query.terms;
        return { ok: true, value: { ...view, refundable: node.hostClock() > lock } };
      },
    }),
  },
  acceptShortLock: {
    text: 'accepts any lock that the maker names',
    parties: ['taker'],
    plant: (sound) => ({
      ...sound,
      decide: (runner, now, node) => {
        const terms = runner.events.negotiationTerms();
        const message = runner.journal.messages['negotiation'] ?? runner.facts.inbox.get('negotiation');
        const offer = (message as { offer?: { payment_locktime: number; started_at: number } } | undefined)?.offer;
        if (terms === null || offer === undefined) return sound.decide(runner, now, node);
        const lockDuration = Math.max(0, (offer.payment_locktime - offer.started_at) / 2);
        const negotiationTerms = () => ({ ...terms, lockDuration });
        return sound.decide({ ...runner, events: { ...runner.events, negotiationTerms } }, now, node);
      },
    }),
  },
  swapLocks: {
    text: 'confuses the two lock times',
    parties: ['maker', 'taker'],
    plant: (sound) => ({
      ...sound,
      decide: (runner, now, node) => {
        const view = viewOf(runner);
        const { ownTerms, otherTerms } = view;
        if (ownTerms === null || otherTerms === null) return sound.decide(runner, now, node);
        if (ownTerms.lock < otherTerms.lock === (view.role === 'maker')) return sound.decide(runner, now, node);
        runner.view = {
          ...view,
          ownTerms: { ...ownTerms, lock: otherTerms.lock },
          otherTerms: { ...otherTerms, lock: ownTerms.lock },
        };
        return sound.decide(runner, now, node);
      },
    }),
  },
};
