import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { watcherDefinition } from '../../machines/watcher/definition.ts';
import { isJournalType } from '../../src/events/journal.ts';
import type { StopReason, WatcherEvent } from '../../src/events/watcher.ts';
import { compile } from '../../src/replay/compile.ts';
import { startReplay } from '../../src/replay/session.ts';
import { viewOf } from '../../src/runtime/swap/runner.ts';
import { watcherStateOf } from '../../src/runtime/watcher/runner.ts';
import { runWorld } from '../../src/sim/world/advance.ts';
import {
  conductOf,
  dropMempoolAt,
  faultyNetwork,
  reorgAt,
  type ScenarioChange,
  scenario,
} from '../../src/sim/world/build.ts';
import { createJudge } from '../../src/sim/world/judge.ts';
import { createWorld, type World } from '../../src/sim/world/world.ts';
import { oneIn } from '../support/draws.ts';
import { FOR_EVER } from './live-schedules.ts';
import { variations } from './live-variations.ts';

const machine = compile(watcherDefinition);

/** Longer than a watch goes on. */
const VERY_LONG = 50_000;

function away(party: 'maker' | 'taker', after: string, backAfter: number | null = null): ScenarioChange {
  return conductOf(party, { kind: 'vanish', after, backAfter });
}

function censored(chain: 'maker' | 'taker', purpose: 'payment' | 'claim' | 'refund', until: number): ScenarioChange {
  return faultyNetwork(chain, { kind: 'censor', purposes: [purpose], from: 0, until });
}

/** The taker knows the secret and is gone; or it knows that no claim came, and is gone. */
const claimIsLeft = away('taker', 'TakerPaymentSpent', VERY_LONG);
const refundIsLeft = [away('taker', 'TakerPaymentWaitForSpendFailed', VERY_LONG), away('maker', 'MakerPaymentSent')];

/**
 * For each reason for which a watch stops in a simulated world, the schedules around which it does.
 *
 * A simulated watcher's own node tells the truth and takes what is valid, and a simulated maker's claim always holds the
 * secret. So no run ends with `TakerPaymentRefundFailed` or `UnableToExtractSecret`; nor does a schedule here lead to
 * `MakerPaymentCouldNotBeFound`.
 */
const REASONS: Readonly<Partial<Record<StopReason, readonly ScenarioChange[]>>> = {
  InvalidTakerFee: [reorgAt('taker', { at: 75, depth: 12, drop: true })],
  InvalidTakerPayment: [conductOf('taker', { kind: 'underpay' })],
  TakerPaymentNotConfirmed: [censored('taker', 'payment', 8000)],
  TakerPaymentRefundedByTaker: [away('maker', 'TakerPaymentReceived')],
  MakerPaymentSpentByTaker: [],
  MakerPaymentSpent: [claimIsLeft],
  MakerPaymentSpendFailed: [
    claimIsLeft,
    conductOf('maker', { kind: 'greedy' }),
    censored('maker', 'claim', FOR_EVER),
    ...[15_800, 16_000, 16_200, 16_400, 16_600].map((at) => dropMempoolAt('maker', at)),
  ],
  TakerPaymentRefunded: refundIsLeft,
  Expired: [claimIsLeft, censored('maker', 'claim', FOR_EVER)],
};

/** What became of the payment for which the watch was, where the reason tells of it. */
const SPENT: Readonly<Partial<Record<StopReason, readonly [chain: 'maker' | 'taker', how: 'secret' | 'refund']>>> = {
  TakerPaymentRefundedByTaker: ['taker', 'refund'],
  MakerPaymentSpentByTaker: ['maker', 'secret'],
  MakerPaymentSpent: ['maker', 'secret'],
  TakerPaymentRefunded: ['taker', 'refund'],
};

function truthOf({ chains, nodes }: World, chain: 'maker' | 'taker') {
  const { ownTerms, otherTerms } = viewOf(nodes.taker.runner);
  const terms = chain === 'taker' ? ownTerms : otherTerms;
  return terms === null ? null : (chains[chain].ledger.payment(terms).spend?.how ?? null);
}

/** Holds the watcher's log against replay, the live engine and the chains; tells why the watch stopped. */
function stoppedFor(world: World): StopReason | null {
  const [watching] = world.watcher?.watches.values() ?? [];
  if (watching === undefined) return null;
  const session = startReplay(machine, { ownLog: true });

  for (const { type, at, data } of watching.records) {
    if (!isJournalType(type)) session.push({ type, at, data } as WatcherEvent);
  }
  expect(session.anomalies).toEqual([]);
  const { state, context } = session.position();
  expect({ state, context }).toEqual({
    state: watcherStateOf(watching.runner),
    context: watching.runner.position.context,
  });
  const reason = context.stopped?.reason ?? null;
  const spent = reason === null ? undefined : SPENT[reason];
  if (spent !== undefined) expect(truthOf(world, spent[0])).toBe(spent[1]);
  return reason;
}

it.each(oneIn(3, Object.entries(REASONS)))(
  'watches around a schedule stop soundly, some with %s',
  (reason, changes) => {
    const reached = new Set<string>();
    fc.assert(
      fc.property(variations(), (vary) => {
        const judge = createJudge();
        const planned = scenario(
          { useWatchers: true, watcher: { crashes: [], nodes: { maker: [], taker: [] } } },
          ...changes,
          vary,
        );
        const world = createWorld(planned, { observer: judge.observer });
        runWorld(world);
        expect(judge.conclude(world).violations).toEqual([]);
        reached.add(stoppedFor(world) ?? 'none');
      }),
      { numRuns: 20, seed: 7 },
    );
    expect([...reached]).toContain(reason);
  },
);
