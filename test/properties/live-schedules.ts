import { withCrash } from '../../src/sim/incidents/moments.ts';
import { runWorld } from '../../src/sim/world/advance.ts';
import {
  conductOf,
  crashAt,
  dropMempoolAt,
  faultyNetwork,
  lyingNode,
  outage,
  type ScenarioChange,
  scenario,
} from '../../src/sim/world/build.ts';
import type { Scenario } from '../../src/sim/world/scenario.ts';
import { createWorld, type Observer } from '../../src/sim/world/world.ts';
import { thirdPartyWatcher } from '../support/third-party-watcher.ts';

// For every way to the end that the engine goes live, a schedule that makes it go there. Moments are seconds from the start
// of a swap in which the taker's lock ends at 7800, the maker's at 15 600, and a maker tells its secret until 6240.

/** A scenario, and who looks on and may act beside both parties. */
export type Schedule = { readonly scenario: Scenario; readonly observer?: Observer };

const asItIs: ScenarioChange = (given) => given;

const TAKER_LOCK = 7800;
/** Later than any run ends. */
export const FOR_EVER = 1_000_000;
/** Enough for both locks to pass and for the last refund to become final. */
const AFTER_BOTH_LOCKS = 20_000;

/** The party stops once its log holds the event; it comes back after so many seconds, or never. */
function away(party: 'maker' | 'taker', after: string, backAfter: number | null = null): ScenarioChange {
  return conductOf(party, { kind: 'vanish', after, backAfter });
}

function censored(chain: 'maker' | 'taker', purpose: 'payment' | 'claim', until: number): ScenarioChange {
  return faultyNetwork(chain, { kind: 'censor', purposes: [purpose], from: 0, until });
}

const greedyMaker = conductOf('maker', { kind: 'greedy' });
const greedyTaker = conductOf('taker', { kind: 'greedy' });

/** Schedules of a taker's early ends, by the event before the last. */
const TAKER_EARLY: Readonly<Record<string, readonly ScenarioChange[]>> = {
  'created StartFailed': [outage('taker', { from: 0, until: 300 })],
  'negotiating NegotiateFailed': [away('maker', 'Started')],
  'sendingTakerFee TakerFeeSendFailed': [outage('taker', { chain: 'taker', from: 1, until: 4000 })],
  'waitingForMakerPayment MakerPaymentValidateFailed': [away('maker', 'TakerFeeValidated')],
  'confirmingMakerPayment MakerPaymentValidateFailed': [conductOf('maker', { kind: 'underpay' })],
  'confirmingMakerPayment MakerPaymentWaitConfirmFailed': [censored('maker', 'payment', 9000)],
  'sendingTakerPayment TakerPaymentTransactionFailed': [outage('taker', { chain: 'taker', from: 10, until: 4000 })],
};

/** Where a taker stands when it learns that the maker took its payment. */
type Stage = 'waiting' | 'waitingForRefund' | 'refunding';

/** Until when the taker's node hides the maker's spend, so that the taker learns of it in that state. */
const HIDDEN_UNTIL: Readonly<Record<Stage, number>> = {
  waiting: 0,
  waitingForRefund: TAKER_LOCK + 1500,
  refunding: TAKER_LOCK + 1500,
};

/** The event with which a taker enters the stage. */
const ENTERED: Readonly<Record<Stage, string>> = {
  waiting: 'TakerPaymentSent',
  waitingForRefund: 'TakerPaymentWaitRefundStarted',
  refunding: 'TakerPaymentRefundStarted',
};

function hidden(until: number): readonly ScenarioChange[] {
  return until === 0 ? [] : [lyingNode('taker', { chain: 'taker', says: 'spendHidden', from: 0, until })];
}

/** What the taker saw in the mempool is forgotten and never mined, and the maker takes back what the taker claimed. */
function claimUndone(after: string, stage: Stage): readonly ScenarioChange[] {
  const until = stage === 'waiting' ? TAKER_LOCK - 50 : HIDDEN_UNTIL[stage];
  const undone = [greedyMaker, censored('maker', 'claim', FOR_EVER), dropMempoolAt('maker', 12_000)];
  return [
    ...undone,
    away('taker', after, AFTER_BOTH_LOCKS),
    ...hidden(after.endsWith('Watcher') ? until : HIDDEN_UNTIL[stage]),
  ];
}

/** Changes for each end of a claim. */
const CLAIM_ENDS: Readonly<Record<string, (stage: Stage) => readonly ScenarioChange[]>> = {
  'MakerPaymentSpent MakerPaymentSpendConfirmed': (stage) => hidden(HIDDEN_UNTIL[stage]),
  'MakerPaymentSpent MakerPaymentSpendConfirmFailed': (stage) => claimUndone('MakerPaymentSpent', stage),
  'MakerPaymentSpentByWatcher MakerPaymentSpendConfirmed': (stage) =>
    stage === 'waiting' ? hidden(TAKER_LOCK - 500) : hidden(HIDDEN_UNTIL[stage]),
  'MakerPaymentSpentByWatcher MakerPaymentSpendConfirmFailed': (stage) =>
    claimUndone('MakerPaymentSpentByWatcher', stage),
  'TakerPaymentSpent MakerPaymentSpendFailed': (stage) => [
    greedyMaker,
    away('taker', ENTERED[stage], AFTER_BOTH_LOCKS),
    ...hidden(stage === 'waiting' ? 0 : AFTER_BOTH_LOCKS),
  ],
};

/** The schedule that makes a taker go this way; `vary` changes it before what it names by number is counted. */
export function takerSchedule(
  events: readonly string[],
  states: readonly string[],
  vary: ScenarioChange = asItIs,
): Schedule {
  const { scenario: made, observer } = plainTakerSchedule(events, states);
  const varied = vary(made);
  // Some schedules have the taker away in that moment already.
  const stays = stageOf(events) === 'waitingForRefund' && !events.includes('MakerPaymentSpendFailed');
  const scenario = stays ? awayBeforeRefund(varied) : varied;
  return observer === undefined ? { scenario } : { scenario, observer };
}

/** The refund begins with the wait for it, unless the taker is away in between; the node hides nothing any more when it is back. */
function awayBeforeRefund(given: Scenario): Scenario {
  const begun = { party: 'taker', record: 'TakerPaymentWaitRefundStarted' } as const;
  return withCrash(given, begun, { when: 'after', downFor: 1600 });
}

function stageOf(events: readonly string[]): Stage | null {
  if (!events.includes('TakerPaymentSpent')) return null;
  if (events.includes('TakerPaymentRefundStarted')) return 'refunding';
  return events.includes('TakerPaymentWaitRefundStarted') ? 'waitingForRefund' : 'waiting';
}

function plainTakerSchedule(events: readonly string[], states: readonly string[]): Schedule {
  const early = TAKER_EARLY[`${states.at(-3)} ${events.at(-2)}`];
  if (early !== undefined && !events.includes('TakerPaymentSent')) return { scenario: scenario(...early) };
  const useWatchers = events.includes('WatcherMessageSent');
  const stage = stageOf(events);
  if (stage === null) return refundSchedule(events, useWatchers);
  const changes = CLAIM_ENDS[events.slice(-3, -1).join(' ')]?.(stage) ?? [];
  const made = scenario({ useWatchers }, ...changes);
  return events.includes('MakerPaymentSpentByWatcher')
    ? { scenario: made, observer: thirdPartyWatcher('claim') }
    : { scenario: made };
}

function refundSchedule(events: readonly string[], useWatchers: boolean): Schedule {
  const changes = [away('maker', 'TakerPaymentReceived')];
  if (!events.includes('TakerPaymentRefundedByWatcher')) return { scenario: scenario({ useWatchers }, ...changes) };
  const made = scenario({ useWatchers }, ...changes, away('taker', 'TakerPaymentRefundStarted', 3000));
  return { scenario: made, observer: thirdPartyWatcher('refund') };
}

/** A maker's claim is seen by the taker and never mined; the taker takes its payment back at its lock. */
const claimLost = [censored('taker', 'claim', FOR_EVER), dropMempoolAt('taker', 7000)];
/** The taker learns no secret from that claim. */
const takerBlind = lyingNode('taker', { chain: 'taker', says: 'spendHidden', from: 0, until: 7500 });

/** Once the taker has paid, the maker's node tells the end of the taker's lock for a while: too late to tell the secret. */
const tooLate = lyingNode('maker', { chain: 'taker', says: 'refundable', from: 70, until: 4000 });
const refundSeemsDue = lyingNode('maker', { chain: 'maker', says: 'refundable', from: 200, until: 3000 });

/** Schedules of a maker, by what happened and by its last two events before the end. */
const MAKER: readonly (readonly [has: readonly string[], ...changes: ScenarioChange[]])[] = [
  [['StartFailed'], outage('maker', { from: 0, until: 300 })],
  [['NegotiateFailed'], away('taker', 'Started')],
  [['TakerFeeValidateFailed'], away('taker', 'Negotiated')],
  [['MakerPaymentTransactionFailed'], outage('maker', { chain: 'maker', from: 1, until: 9000 })],
  [['MakerPaymentWaitConfirmFailed'], censored('maker', 'payment', 4000)],
  [['TakerPaymentReceived', 'TakerPaymentValidateFailed'], conductOf('taker', { kind: 'underpay' })],
  [['TakerPaymentValidateFailed'], away('taker', 'MakerPaymentReceived')],
  [['TakerPaymentWaitConfirmFailed'], censored('taker', 'payment', 9000)],
  [['TakerPaymentSpendFailed', 'MakerPaymentRefundStarted', 'TakerPaymentSpent'], tooLate, refundSeemsDue],
  [['TakerPaymentSpendFailed', 'TakerPaymentSpent'], tooLate],
  [['TakerPaymentSpendFailed', 'MakerPaymentRefunded'], away('maker', 'TakerPaymentValidatedAndConfirmed', 6500)],
  [
    ['TakerPaymentSpendConfirmFailed', 'MakerPaymentRefunded'],
    ...claimLost,
    takerBlind,
    away('maker', 'TakerPaymentSpent', 12_000),
  ],
  [['TakerPaymentSpendConfirmFailed'], ...claimLost, greedyTaker, away('maker', 'TakerPaymentSpent', AFTER_BOTH_LOCKS)],
];

/** The schedule that makes a maker go this way; `vary` as for a taker. */
export function makerSchedule(events: readonly string[], vary: ScenarioChange = asItIs): Schedule {
  if (events.includes('TakerPaymentSpendFailed') && events.includes('MakerPaymentRefundFailed'))
    return unstoredClaim(vary);
  const found = MAKER.find(([has]) => has.every((type) => events.includes(type)));
  const [, ...changes] = found ?? [[]];
  return { scenario: vary(scenario(...changes)) };
}

/** The maker dies when its claim is out and its log does not say so; the taker takes both payments meanwhile. */
function unstoredClaim(vary: ScenarioChange): Schedule {
  const calm = vary(scenario(...claimLost, greedyTaker));
  let at = 0;
  const world = createWorld(calm, {
    observer: {
      answered(_, { name, commands }, { command }) {
        if (name === 'maker' && command.leg === 'taker' && command.question.op === 'broadcast' && at === 0)
          at = commands;
      },
    },
  });
  runWorld(world);
  return { scenario: crashAt('maker', { at, when: 'after', downFor: AFTER_BOTH_LOCKS })(calm) };
}
