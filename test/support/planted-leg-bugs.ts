import type { MachineEvent } from '../../machines/definition.ts';
import type { PaymentView, PrepareRequest, Quote } from '../../src/ports/chain.ts';
import type { DecimalText } from '../../src/primitives/decimal.ts';
import type { Millis } from '../../src/primitives/time.ts';
import type { Question } from '../../src/runtime/command.ts';
import type { Policy } from '../../src/runtime/policy.ts';
import { type SwapRunner, viewOf } from '../../src/runtime/swap/runner.ts';
import type { SwapFacts } from '../../src/runtime/swap/swap-facts.ts';
import type { SimNode } from '../../src/sim/world/node.ts';
import type { PlantedBug } from './planted-bugs.ts';

// Engines that take one leg for the other, one unit for another, or one too few: what shows only where nothing is symmetric.

const BOTH = ['maker', 'taker'] as const;

type Change<T> = (value: T, runner: SwapRunner) => T;

const sides = new WeakMap<object, SwapFacts>();

/** The engine sees its swap changed. */
function seeing(change: Change<SwapFacts>): PlantedBug['plant'] {
  return (sound) => ({
    ...sound,
    decide: (runner, now, node) => {
      const view = viewOf(runner);
      let wrong = sides.get(view);
      if (wrong === undefined) {
        wrong = change(view, runner);
        sides.set(view, wrong);
        sides.set(wrong, wrong);
      }
      return sound.decide({ ...runner, view: wrong } as SwapRunner<unknown, MachineEvent>, now, node);
    },
  });
}

/** The engine is made of other parts. */
function madeOf(change: (runner: SwapRunner) => Partial<SwapRunner>): PlantedBug['plant'] {
  return (sound) => ({
    ...sound,
    decide: (runner, now, node) =>
      sound.decide({ ...runner, ...change(runner) } as SwapRunner<unknown, MachineEvent>, now, node),
  });
}

const timed = (change: Partial<Policy>) => madeOf(({ policy }) => ({ policy: { ...policy, ...change } }));

/** The engine reads another answer about a payment than the chain gave. */
function reading(
  change: (
    view: PaymentView,
    about: { readonly node: SimNode; readonly own: boolean; readonly question: Question },
  ) => PaymentView,
): PlantedBug['plant'] {
  return (sound) => ({
    ...sound,
    answer: (question, result, node) => {
      if (question.op !== 'payment' || !result.ok) return sound.answer(question, result, node);
      const { ownTerms } = viewOf(node.runner);
      const own = question.query.terms.sender === ownTerms?.sender && question.query.terms.lock === ownTerms.lock;
      return { ok: true, value: change(result.value as PaymentView, { node, own, question }) };
    },
  });
}

/** The engine asks for another transaction than it should. */
function preparing(change: (request: PrepareRequest) => PrepareRequest): PlantedBug['plant'] {
  return (sound) => ({
    ...sound,
    decide: (runner, now, node) => {
      const command = sound.decide(runner, now, node);
      if (command.kind !== 'ask' || command.question.op !== 'prepare') return command;
      return { ...command, question: { op: 'prepare', request: change(command.question.request) } };
    },
  });
}

const deeper = <T extends { readonly confirmations: number }>(one: T | null): T | null =>
  one === null || one.confirmations === 0 ? one : { ...one, confirmations: one.confirmations + 1 };

const throughFloat = (amount: DecimalText): DecimalText => {
  const float = Number(amount) * 3;
  return Number((float / 3).toPrecision(12)).toString() as DecimalText;
};

export const plantedLegBugs: Readonly<Record<string, PlantedBug>> = {
  ownConfirmationsForTheOther: {
    text: 'waits for the confirmations of the own payment where those of the other count',
    parties: BOTH,
    plant: seeing((view) => ({ ...view, otherConfirmations: view.ownConfirmations })),
  },
  oneConfirmationLess: {
    text: 'waits for one confirmation less than agreed',
    parties: BOTH,
    plant: seeing((view) => ({ ...view, otherConfirmations: view.otherConfirmations - 1 })),
  },
  notarisationIgnored: {
    text: 'does not wait for the notarisation',
    parties: BOTH,
    plant: seeing((view) => ({ ...view, otherRequiresNota: false })),
  },
  notarisationOfTheOtherLeg: {
    text: 'asks for the notarisation of the other leg',
    parties: BOTH,
    plant: seeing((view, { journal }) => ({
      ...view,
      otherRequiresNota:
        (view.own === 'maker'
          ? journal.request?.maker_payment_requires_nota
          : journal.request?.taker_payment_requires_nota) ?? false,
    })),
  },
  finalityOfTheOtherLeg: {
    text: 'takes the finality of the other chain',
    parties: BOTH,
    plant: madeOf(({ inputs }) => {
      const { maker, taker } = inputs.traits;
      const traits = {
        maker: { ...maker, finality: taker.finality },
        taker: { ...taker, finality: maker.finality },
      };
      return { inputs: { ...inputs, request: inputs.request, traits } as SwapRunner['inputs'] };
    }),
  },
  finalityOffByOne: {
    text: 'calls final what lacks one confirmation',
    parties: BOTH,
    plant: reading((view) => ({ ...view, spend: deeper(view.spend) })),
  },
  refundFinalTooEarly: {
    text: 'calls a refund final that is in one block',
    parties: BOTH,
    plant: reading((view, { own }) =>
      own && view.spend?.how === 'refund' && view.spend.confirmations > 0
        ? { ...view, spend: { ...view.spend, confirmations: 99 } }
        : view,
    ),
  },
  amountThroughFloat: {
    text: 'pays an amount that went through a float',
    parties: BOTH,
    plant: preparing((request) =>
      'terms' in request
        ? { ...request, terms: { ...request.terms, amount: throughFloat(request.terms.amount) } }
        : request,
    ),
  },
  feeInTheWrongUnit: {
    text: 'counts the trading fee in units of eight decimals',
    parties: ['taker'],
    plant: (sound) => ({
      ...sound,
      decide: (runner, now, node) => {
        const command = sound.decide(runner, now, node);
        if (command.kind !== 'ask' || command.question.op !== 'prepare') return command;
        const { request } = command.question;
        if (request.purpose !== 'fee') return command;
        const { decimals } = node.wallets.taker.traits;
        const step = 10n ** BigInt(Math.max(0, decimals - 8));
        const feeSat = (request.feeSat / step) * step;
        return { ...command, question: { op: 'prepare', request: { ...request, feeSat } } };
      },
    }),
  },
  makerRefundsBesideItsClaim: {
    text: 'a maker takes its payment back although its claim is on its way',
    parties: ['maker'],
    plant: (sound) => ({
      ...sound,
      decide: (runner, now, node) => {
        const view = viewOf(runner);
        const { claim, refund } = runner.journal.prepared;
        const kit = refund.at(-1);
        const due = claim.some(({ attemptedAt }) => attemptedAt !== null) && kit !== undefined;
        const lock = (view.ownTerms?.lock ?? 0) * 1000;
        if (!due || now < lock + 600_000 || runner.facts.tries.has('maker:bug')) {
          const command = sound.decide(runner, now, node);
          if (!due || now >= lock + 600_000) return command;
          if (command.kind === 'done') return { kind: 'wait', until: (lock + 600_001) as Millis };
          return command;
        }
        return { kind: 'ask', leg: 'maker', key: 'maker:bug', question: { op: 'broadcast', transaction: kit.tx } };
      },
    }),
  },
  makerGivesUpItsClaim: {
    text: 'a maker gives its claim up after the first refusal',
    parties: ['maker'],
    plant: (sound) => ({
      ...sound,
      decide: (runner, now, node) => {
        const view = viewOf(runner);
        const failed = [...runner.facts.tries].find(([key, tries]) => key.includes(':broadcast:') && tries.count > 0);
        if (view.state !== 'claiming' || failed === undefined) return sound.decide(runner, now, node);
        return { kind: 'append', events: runner.events.claimFailed('refused') };
      },
    }),
  },
  revealsTooLate: {
    text: 'a maker shows its secret a quarter of an hour too late',
    parties: ['maker'],
    plant: madeOf(({ kind }) => {
      const { definition } = kind;
      const later = (at: Millis) => (at + 900_000) as Millis;
      const wants: typeof definition.wants = (state, context, journal) =>
        definition.wants(state, context, journal).map((want) => ({
          ...want,
          ...(want.effect === 'spendTakerPayment' && want.until !== undefined && { until: later(want.until) }),
          ...(want.revealBy !== undefined && { revealBy: later(want.revealBy) }),
        }));
      return { kind: { ...kind, definition: { ...definition, wants } } };
    }),
  },
  paysAgainstWhatIsSpent: {
    text: 'does not see that the other payment is spent before it pays',
    parties: ['taker'],
    plant: reading((view, { node, own }) =>
      own || viewOf(node.runner).ownPayment !== null ? view : { ...view, spend: null },
    ),
  },
  clockOfTheOtherChain: {
    text: 'takes the clock of the other chain for that of the own payment',
    parties: BOTH,
    plant: reading((view, { node, own, question }) => {
      if (!own || question.op !== 'payment') return view;
      const other = node.wallets[node.name === 'maker' ? 'taker' : 'maker'].quote();
      return other.ok ? { ...view, refundable: (other.value as Quote).clock > question.query.terms.lock } : view;
    }),
  },
  neverRaisesAFee: {
    text: 'never pays more than the first price',
    parties: BOTH,
    plant: (sound) => ({
      ...timed({ bumpAfter: 1e9 })(sound),
      answer: (question, result, node) => {
        if (result.ok || question.op !== 'broadcast' || result.fault.kind !== 'feeTooLow')
          return sound.answer(question, result, node);
        return { ok: false, fault: { ...result.fault, kind: 'unavailable' } };
      },
    }),
  },
  paysAnyPrice: {
    text: 'offers the highest fee from the first try on',
    parties: BOTH,
    plant: (sound) => ({
      ...sound,
      // The wallet signs another transaction than it was asked for.
      answer: (question, result, node) => {
        if (question.op !== 'prepare' || !result.ok) return sound.answer(question, result, node);
        const { request } = question;
        if (!('urgency' in request) || request.purpose === 'payment') return result;
        const own = node.name;
        const leg = request.purpose === 'claim' ? (own === 'maker' ? 'taker' : 'maker') : own;
        return node.wallets[leg].prepare({ ...request, urgency: 16 });
      },
    }),
  },
  waitsForNewsAlone: {
    text: 'never looks again by itself',
    parties: BOTH,
    plant: timed({ confirmationPoll: 1e6, spendPoll: 1e6, refundPoll: 1e6 }),
  },
  actsOnStaleLooks: {
    text: 'takes a look of an hour ago for a fresh one',
    parties: BOTH,
    plant: timed({ freshness: 3600 }),
  },
  pausedForGood: {
    text: 'does not hear that its operator takes a pause back',
    parties: BOTH,
    plant: (sound) => ({
      ...sound,
      decide: (runner, now, node) => {
        const isPaused = node.records.some(({ type, data }) => {
          return type === 'OperatorActed' && (data as { readonly action: string }).action === 'pause';
        });
        const { journal } = runner;
        return sound.decide(isPaused ? { ...runner, journal: { ...journal, paused: true } } : runner, now, node);
      },
    }),
  },
  wrongSecretHash: {
    text: 'believes any spend to be the one that shows the secret',
    parties: ['taker'],
    plant: reading((view, { own }) =>
      own && view.spend?.how === 'refund' && view.spend.tx !== null
        ? { ...view, spend: { ...view.spend, how: 'secret', secret: '11'.repeat(32) } }
        : view,
    ),
  },
  refundsWhatTheOtherTook: {
    text: 'calls its payment refunded although the other side took it',
    parties: ['maker'],
    plant: reading((view, { own }) =>
      own && view.spend?.how === 'secret' ? { ...view, spend: { ...view.spend, how: 'refund', secret: null } } : view,
    ),
  },
  claimCalledFinalInTheMempool: {
    text: 'calls its claim final while it waits for a block',
    parties: BOTH,
    plant: reading((view, { own }) =>
      !own && view.spend?.how === 'secret' ? { ...view, spend: { ...view.spend, confirmations: 99 } } : view,
    ),
  },
  refundsWithoutAWord: {
    text: 'sends the refund that was signed beside the payment without a word in the log',
    parties: ['taker'],
    plant: (sound) => ({
      ...sound,
      decide: (runner, now, node) => {
        const command = sound.decide(runner, now, node);
        if (command.kind !== 'append') return command;
        const [first, ...rest] = command.events;
        const attempt = first?.type === 'BroadcastAttempted' && rest.length === 0 ? first.data : null;
        const { purpose, tx_hash } = (attempt ?? {}) as { readonly purpose?: string; readonly tx_hash?: string };
        const kit = runner.journal.prepared.refund.find(({ tx }) => tx.tx_hash === tx_hash);
        if (purpose !== 'refund' || kit === undefined) return command;
        return { kind: 'ask', leg: 'taker', key: 'taker:bug', question: { op: 'broadcast', transaction: kit.tx } };
      },
    }),
  },
};
