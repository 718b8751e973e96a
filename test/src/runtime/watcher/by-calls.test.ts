import { describe, expect, it } from 'vitest';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { backoffMillis, DEFAULT_POLICY } from '../../../../src/runtime/policy.ts';
import { actsByCalls, type Calling, pushCall, speedUpCall } from '../../../../src/runtime/watcher/by-calls.ts';
import { appended, asked, event, failed, found, inMillis, PAID } from '../../../support/effect-turns.ts';
import { after, NOW, preparedOf } from '../../../support/turns.ts';
import { makerTerms, type WatcherTurnChanges, watcherTurnOf } from '../../../support/watcher-turns.ts';

const terms = makerTerms();
const SECRET = '5e'.repeat(32);
const CALLING: Calling = {
  purpose: 'claim',
  terms,
  funding: { ...PAID, fee: '0' as DecimalText },
  secret: SECRET,
  opening: [event('DeadlineReached')],
  taken: () => [event('MakerPaymentSpent')],
};
const REQUEST = { purpose: 'claimFor', secret: SECRET, terms, funding: PAID, urgency: 0, replaces: null } as const;
const CALL = { tx_hex: 'ca11', tx_hash: 'ca'.repeat(32), spends: ['me:7'], fee: '0.01' as DecimalText };
const POLICY = { confirmationPoll: 40, bumpAfter: 600, fees: { ...DEFAULT_POLICY.fees, pause: 60 } };

const decided = (changes: WatcherTurnChanges = {}, effect = pushCall, calling = CALLING) => {
  const turn = watcherTurnOf({ policy: POLICY, ...changes });
  const proposal = effect(turn, calling);
  return [proposal, turn.wakeAt - NOW];
};
const asks = (more: object = {}) =>
  asked('maker', { op: 'prepare', request: { ...REQUEST, ...more }, key: 'prepare:claim' });
const sends = asked('maker', {
  op: 'broadcast',
  transaction: CALL,
  key: `broadcast:${CALL.tx_hash}`,
});
const with_ = (changes: Parameters<typeof preparedOf>[0] = {}) => ({
  journal: { prepared: { claim: [preparedOf({ tx: CALL, attemptedAt: NOW, ...changes })] } },
});
const accepted = { acceptedAt: NOW, preparedAt: NOW };

describe('a watcher that is paid for its own call', () => {
  it('acts so if the chain of the payment pays watchers', () => {
    const { traits } = watcherTurnOf().inputs;
    const inputs = { traits: { ...traits, maker: { ...traits.maker, rewards: true } } };
    const turn = watcherTurnOf({ inputs });
    expect([actsByCalls(turn, 'claim'), actsByCalls(turn, 'refund')]).toEqual([true, false]);
  });

  it('makes it on the chain of the payment; an unpaid watcher does so only by policy', () => {
    expect(decided()[0]).toStrictEqual(asks());
    expect(decided({ inputs: { unpaid: true } })[0]).toStrictEqual(asks({ unpaid: true }));
    const refund = { ...CALLING, purpose: 'refund', secret: null } as const;
    const { secret: _, ...plain } = REQUEST;
    expect(decided({}, pushCall, refund)[0]).toStrictEqual(
      asked('taker', { op: 'prepare', request: { ...plain, purpose: 'refundFor' }, key: 'prepare:refund' }),
    );
  });

  it('has it in the log before any node can have it', () => {
    const facts = { prepared: new Map([['claim', CALL] as const]) };
    const record = { purpose: 'claim', tx: CALL, target: PAID.tx_hash, urgency: 0 };
    expect(decided({ facts })[0]).toStrictEqual(
      appended(
        event('DeadlineReached'),
        event('TransactionPrepared', record),
        event('BroadcastAttempted', { purpose: 'claim', tx_hash: CALL.tx_hash }),
      ),
    );
    expect(decided(with_())[0]).toStrictEqual(sends);
  });

  it('reports that a node accepted it', () => {
    const facts = { broadcasts: new Map([[CALL.tx_hash, { ok: true, value: 'sent' } as const]]) };
    const taken = event('BroadcastAccepted', { purpose: 'claim', tx_hash: CALL.tx_hash, how: 'sent' });
    expect(decided({ ...with_(), facts })[0]).toStrictEqual(appended(taken, event('MakerPaymentSpent')));
  });

  it.each([
    ['was included without effect', { status: 'reverted', confirmations: 1 }],
    ['can never be included', { status: 'conflicted', confirmations: 100 }],
  ] as const)('is recorded as void if it %s', (_, view) => {
    const facts = { transactions: found(CALL.tx_hash, view) };
    expect(decided({ ...with_(accepted), facts })[0]).toStrictEqual(
      appended(event('TransactionReverted', { purpose: 'claim', tx_hash: CALL.tx_hash })),
    );
  });

  it('goes out again if no node knows it, and waits for what a block has', () => {
    const unknown = { transactions: found(CALL.tx_hash, { status: 'unknown' }) };
    expect(decided({ ...with_(accepted), facts: unknown })[0]).toStrictEqual(sends);
    const there = { transactions: found(CALL.tx_hash, { status: 'confirmed', confirmations: 1 }) };
    expect(decided({ ...with_(accepted), facts: there })[0]).toBeNull();
    const rivalled = { transactions: found(CALL.tx_hash, { status: 'conflicted', confirmations: 0 }) };
    expect(decided({ ...with_(accepted), facts: rivalled })[0]).toBeNull();
  });

  it('is made again after one without effect, with more gas and after pauses that double', () => {
    const pause = backoffMillis({ first: 40, factor: 2, most: 300 }, 1);
    const void_ = { dead: true, acceptedAt: NOW };
    expect(decided(with_({ ...void_, preparedAt: inMillis(-pause + 1) }))).toEqual([null, 1]);
    expect(decided(with_({ ...void_, preparedAt: inMillis(-pause) }))[0]).toStrictEqual(asks({ urgency: 1 }));
  });

  it('pays more in its place if no block includes it for long, or a node finds it too cheap', () => {
    const facts = { transactions: found(CALL.tx_hash, { status: 'mempool' }) };
    const dearer = asks({ urgency: 1, replaces: CALL });
    const young = { preparedAt: NOW, acceptedAt: inMillis(-599_999) };
    expect(decided({ ...with_({ ...young, preparedAt: inMillis(-600_000) }), facts })).toEqual([null, 1]);
    const old = { preparedAt: inMillis(-700_000), acceptedAt: inMillis(-600_000) };
    expect(decided({ ...with_(old), facts })[0]).toStrictEqual(dearer);
    expect(decided(with_(old), speedUpCall)[0]).toStrictEqual(dearer);
    const cheap = { refused: 'feeTooLow', preparedAt: after(-70), refusedAt: after(-60) };
    expect(decided(with_(cheap))[0]).toStrictEqual(dearer);
    expect(decided(with_({ ...cheap, refusedAt: after(-59) }))[0]).toStrictEqual(sends);
  });

  it('keeps the old one if no dearer one is made', () => {
    const tries = failed('maker:prepare:claim', { kind: 'feeTooLow' });
    const cheap = { refused: 'feeTooLow', preparedAt: after(-70), refusedAt: after(-60) };
    expect(decided({ ...with_(cheap), facts: { tries } })[0]).toStrictEqual(sends);
    expect(decided({ facts: { tries } })[0]).toBeNull();
  });

  it('has none to speed up if none was made', () => {
    expect(decided({}, speedUpCall)[0]).toBeNull();
    expect(decided(with_(), speedUpCall)[0]).toStrictEqual(sends);
  });
});
