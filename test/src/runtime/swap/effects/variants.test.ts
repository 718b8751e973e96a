import { describe, expect, it } from 'vitest';
import type { PreparedRecord } from '../../../../../machines/journal/context.ts';
import type { DecimalText } from '../../../../../src/primitives/decimal.ts';
import type { Millis } from '../../../../../src/primitives/time.ts';
import { shownVariant, variantToFollow, variantToSend } from '../../../../../src/runtime/swap/effects/variants.ts';
import { abandoned } from '../../../../../src/sim/incidents/endings.ts';
import { during, momentOf, swapWith } from '../../../../../src/sim/incidents/moments.ts';
import { EPOCH, type Scenario } from '../../../../../src/sim/world/scenario.ts';
import { type RunResult, runScenario } from '../../../../../src/sim/world/simulate.ts';
import type { Observer, World } from '../../../../../src/sim/world/world.ts';
import { after, NOW, preparedOf, type TurnChanges, turnOf } from '../../../../support/turns.ts';

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const PARTIES = ['maker', 'taker'] as const;

function played(scenario: Scenario, meddler: Observer = {}): { readonly result: RunResult; readonly world: World } {
  let seen: World | undefined;
  const watch: Observer = {
    ...meddler,
    settled(world) {
      seen = world;
      meddler.settled?.(world);
    },
  };
  const result = runScenario(scenario, { watch });
  if (seen === undefined) throw new RangeError('nothing happened');
  return { result, world: seen };
}

describe('a refund that does not confirm', () => {
  it.each(PARTIES)('of a %s is replaced by a dearer one while the chain still shows the first', (party) => {
    for (const seed of SEEDS) {
      const { at } = momentOf(abandoned(swapWith(seed), party), { party, broadcast: 'refund' });
      const spike = during({ kind: 'feeSpike', factor: 8 } as const, at + 1, at + 9000);
      const { result, world } = played(abandoned(swapWith(seed, { [party]: { faults: [spike] } }), party));
      const refunds = world.chains[party].ledger.transactions(party).filter(({ purpose }) => purpose === 'refund');
      expect(result.violations).toEqual([]);
      expect(refunds.map(({ status }) => status)).toEqual(['gone', 'confirmed']);
      expect((refunds[1]?.firstSeen ?? 0) - EPOCH - at).toBeLessThan(1200);
    }
  });

  it('is signed with the free nonce when a stranger left a gap before its own', () => {
    for (const seed of SEEDS) {
      const account = { kind: 'account' } as const;
      const { at } = momentOf(abandoned(swapWith(seed, { maker: account }), 'maker'), {
        party: 'maker',
        broadcast: 'refund',
      });
      const censor = during({ kind: 'censor', purposes: ['fee', 'refund'] } as const, 0, at + 300);
      const left = abandoned(swapWith(seed, { maker: { ...account, faults: [censor] } }), 'maker');
      const { result, world } = played(left, strangerBeforeRefund());
      expect(result.violations).toEqual([]);
      expect(result.endings[0]).toMatchObject({ party: 'maker', money: 'refunded', state: 'finished' });
      const refused = world.nodes.maker.records.filter(({ type }) => type === 'BroadcastRefused');
      expect(refused.map(({ data }) => (data as { kind: string }).kind)).toContain('nonceGap');
    }
  });
});

/** Another process of the maker's account sends something before the refund, and the network drops it afterwards. */
function strangerBeforeRefund(): Observer {
  let foreign: string | null = null;
  return {
    settled({ chains, nodes }) {
      const { runner, records } = nodes.maker;
      if (foreign === null && records.some(({ type }) => type === 'MakerPaymentWaitRefundStarted')) {
        const spent = { feeSat: 1000n, burnSat: 0n, urgency: 0, replaces: null };
        const made = chains.maker.wallet({ party: 'maker' }).prepare({ purpose: 'fee', ...spent });
        if (!made.ok) throw new RangeError(made.fault.message);
        foreign = made.value.tx_hash;
        chains.maker.submit(made.value.tx_hex);
      } else if (foreign !== null && runner.journal.prepared.refund.length > 0) chains.maker.drop(foreign);
    },
  };
}

/** A variant named by one letter, dearer than those with an earlier one. */
const named = (name: string, changes: Parameters<typeof preparedOf>[0] = {}): PreparedRecord =>
  preparedOf({ ...changes, tx: { tx_hash: name.repeat(64), fee: `0.000${name.charCodeAt(0)}` as DecimalText } });
const hashOf = (name: string) => name.repeat(64);
const nameOf = (record: PreparedRecord | 'wait' | null) =>
  record === null || record === 'wait' ? record : record.tx.tx_hash.charAt(0);

const refusedAt = (seconds: number, refused = 'feeTooLow') => ({ refused, refusedAt: after(seconds) });
const takenAt = (seconds: number) => ({ acceptedAt: after(seconds) });
const answered = (name: string): TurnChanges => ({
  facts: { broadcasts: new Map([[hashOf(name), { ok: true, value: 'sent' } as const]]) },
});
const triedUntil = (name: string, milliseconds: number, kind = 'feeTooLow'): TurnChanges => ({
  facts: {
    tries: new Map([
      [
        `maker:broadcast:${hashOf(name)}`,
        { count: 1, next: (NOW + milliseconds) as Millis, kind, message: 'too low' } as never,
      ],
    ]),
  },
});
const LIMITS = { bumpAfter: 600, fees: { retryCheaper: 300 } as never };

describe('the variant that the network has although a node refused one', () => {
  const seen = (name: string, status: string, { age = 0, confirmations = 0 } = {}) =>
    [hashOf(name), { value: { status, confirmations } as never, at: after(-age) }] as const;
  const shown = (variants: readonly PreparedRecord[], transactions: readonly ReturnType<typeof seen>[]) => {
    const turn = turnOf({
      policy: { confirmationPoll: 15, dropAfter: 90 },
      facts: { transactions: new Map(transactions) },
    });
    return { turn, look: shownVariant(turn, 'maker', variants) };
  };

  it('is looked for behind refusals over which another one may stand, and behind no others', () => {
    for (const refused of ['feeTooLow', 'noReplacement', 'inputsSpent', 'nonceUsed'])
      expect(shown([named('a'), named('b', { refused })], []).look).toHaveProperty(
        'pending.question.hash',
        hashOf('a'),
      );
    for (const refused of [null, 'nonceGap', 'unavailable', 'parentsUnknown'])
      expect(shown([named('a'), named('b', { refused })], []).look).toEqual({ value: null });
  });

  it('is the first that a look of at most the poll shows in the mempool or in a block', () => {
    const variants = [named('a'), named('b', { attemptedAt: null }), named('c', { refused: 'feeTooLow' })];
    for (const [status, confirmations] of [
      ['mempool', 0],
      ['confirmed', 2],
    ] as const) {
      const { look } = shown(variants, [seen('a', 'unknown'), seen('b', status), seen('c', status, { confirmations })]);
      expect(look).toEqual({ value: { record: variants[2], confirmations } });
    }
    for (const status of ['unknown', 'conflicted', 'reverted'])
      expect(shown(variants, [seen('a', status), seen('c', status)]).look).toEqual({ value: null });
    const recent = shown(variants, [seen('a', 'mempool', { age: 15 })]);
    expect([recent.look, recent.turn.wakeAt]).toEqual([{ value: { record: variants[0], confirmations: 0 } }, NOW + 1]);
    expect(shown(variants, [seen('a', 'mempool', { age: 15.001 })]).look).toMatchObject({
      pending: { kind: 'ask', leg: 'maker', question: { op: 'transaction', hash: hashOf('a') } },
    });
  });
});

describe('the variant that goes out while the chain shows none', () => {
  const sent = (variants: readonly PreparedRecord[], changes: TurnChanges = {}) =>
    nameOf(variantToSend(turnOf({ policy: LIMITS, ...changes }), 'maker', variants));

  it('is the cheapest that a node accepted a short while ago, or that none has refused recently, else the dearest', () => {
    expect(sent([])).toBeNull();
    expect(sent([named('a'), named('b')])).toBe('b');
    expect(sent([named('a', takenAt(-600)), named('b')])).toBe('a');
    expect(sent([named('a', takenAt(-600.001)), named('b', takenAt(-1)), named('c')])).toBe('b');
    expect(sent([named('a', refusedAt(-300)), named('b')])).toBe('b');
    expect(sent([named('a', refusedAt(-300.001)), named('b')])).toBe('a');
    expect(sent([named('a', refusedAt(-9000, 'nonceGap')), named('b')])).toBe('b');
  });

  it('is none that a node just refused again for its fee; a node without an answer refused nothing', () => {
    const variants = [named('a', refusedAt(-301)), named('b')];
    expect(sent(variants, triedUntil('a', 1))).toBe('b');
    expect(sent(variants, triedUntil('a', 0))).toBe('a');
    expect(sent(variants, triedUntil('a', 1, 'unavailable'))).toBe('a');
    expect(sent(variants, triedUntil('b', 1))).toBe('a');
  });

  it('is the one whose answer is still to be recorded, before all others', () => {
    const variants = [named('a', takenAt(-1)), named('b', { refused: 'noReplacement' }), named('c')];
    expect(sent(variants)).toBe('c');
    expect(sent(variants, answered('b'))).toBe('b');
  });
});

describe('the variant to follow while the chain shows one of them unconfirmed', () => {
  const followed = (variants: readonly PreparedRecord[], shown: string | null, changes: TurnChanges = {}) =>
    nameOf(
      variantToFollow(turnOf({ policy: LIMITS, ...changes }), 'maker', {
        variants,
        shown: shown === null ? undefined : hashOf(shown),
      }),
    );

  it('is the dearest if that one or none is shown, and first the one whose answer is still to be recorded', () => {
    const variants = [named('a', takenAt(-9000)), named('b', takenAt(-60)), named('c', takenAt(-1))];
    for (const shown of ['c', 'x', null]) expect(followed(variants, shown)).toBe('c');
    for (const shown of ['a', 'c', 'x']) expect(followed(variants, shown, answered('b'))).toBe('b');
    expect(followed([], 'a')).toBeNull();
  });

  it('is a dearer one that was signed and that no node has judged yet', () => {
    const signed = [named('a', takenAt(-5)), named('b', refusedAt(-5)), named('c'), named('d')];
    expect(followed(signed, 'a')).toBe('c');
    expect(followed([...signed.slice(0, 2), named('d', takenAt(-1))], 'a')).toBe('wait');
  });

  it('is the shown one for its time since a node accepted it, or since its signing if no node is known to have done so', () => {
    const dearer = named('b', refusedAt(-1));
    const since = (at: Partial<PreparedRecord>, changes: TurnChanges = {}) =>
      followed([named('a', at), dearer], 'a', changes);
    for (const [seconds, expected] of [
      [600, 'wait'],
      [600.001, 'b'],
    ] as const) {
      // Signed, sent and taken are three moments.
      const [long, longer] = [after(-9000), after(-8000)];
      expect(since({ preparedAt: long, attemptedAt: longer, ...takenAt(-seconds) })).toBe(expected);
      expect(since({ preparedAt: after(-seconds), attemptedAt: after(-1), acceptedAt: null })).toBe(expected);
      // An operator that has it tried again gives it its time anew.
      expect(since(takenAt(-9000), { journal: { retryAt: after(-seconds) } })).toBe(expected);
      expect(since(takenAt(-seconds), { journal: { retryAt: after(-9000) } })).toBe(expected);
    }
  });

  it('is then the next dearer one that is accepted, or worth a try, or the last', () => {
    const shown = named('a', takenAt(-9000));
    expect(followed([shown, named('b', takenAt(-9000)), named('c', takenAt(-1))], 'a')).toBe('b');
    expect(followed([shown, named('b', refusedAt(-300)), named('c', refusedAt(-1))], 'a')).toBe('c');
    expect(followed([shown, named('b', refusedAt(-301)), named('c', refusedAt(-1))], 'a')).toBe('b');
    expect(followed([shown, named('b', refusedAt(-301)), named('c', takenAt(-1))], 'a', triedUntil('b', 1))).toBe('c');
  });
});
