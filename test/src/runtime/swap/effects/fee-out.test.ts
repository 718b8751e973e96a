import { describe, expect, it } from 'vitest';
import type { TransactionView } from '../../../../../src/ports/chain.ts';
import { guard } from '../../../../../src/runtime/swap/effects/finished.ts';
import {
  appended,
  asked,
  broadcastOf,
  decided,
  event,
  found,
  requested,
  SAID,
} from '../../../../support/effect-turns.ts';
import { after, preparedOf, type TurnChanges, turnOf } from '../../../../support/turns.ts';

const HASH = 'fe'.repeat(32);
const FEE = { tx_hex: '0fee', tx_hash: HASH };
const TX = { ...FEE, spends: ['input:3'], fee: '0.0002' as never };
const sent = (changes: object = {}) => ({
  prepared: { fee: [preparedOf({ tx: TX, acceptedAt: after(-50), ...changes })] },
});
const DONE = { kind: 'done' };

/** A taker's swap that ended before it paid, with what became of its fee. */
const over = (changes: TurnChanges = {}) =>
  decided(
    guard,
    turnOf({
      policy: { refundPoll: 40, guardFor: 1000 },
      events: SAID,
      ...changes,
      journal: { request: requested(), ...sent(), ...changes.journal } as never,
      swap: { state: 'finished', lastEventAt: after(-30), ...changes.swap },
    }),
  );
const shown = (view: Partial<TransactionView>) => ({ facts: { transactions: found(HASH, view) } });

describe('the fee of a swap that is over', () => {
  it('is looked for on the own chain, and left alone once a final block holds it or its replacement', () => {
    expect(over()[0]).toEqual(asked('taker', { op: 'transaction', hash: HASH, key: `transaction:${HASH}` }));
    for (const status of ['confirmed', 'conflicted', 'reverted'] as const) {
      const traits = { maker: { finality: 2 }, taker: { finality: 6 } };
      expect(over({ ...shown({ status, confirmations: 6 }), traits })[0]).toEqual(DONE);
      for (const confirmations of [0, 1, 5])
        expect(over({ ...shown({ status, confirmations }), traits })).toEqual([null, 40_000]);
    }
    expect(over(shown({ status: 'mempool' }))).toEqual([null, 40_000]);
  });

  it('is broadcast again if the chain does not know it; a node’s final refusal is recorded, and the fee is left alone', () => {
    expect(over(shown({}))[0]).toEqual(broadcastOf('taker', FEE, { spends: TX.spends, fee: TX.fee }));
    const refusal = { ok: false, fault: { kind: 'inputsSpent', message: 'spent' } } as const;
    const broadcasts = new Map([[HASH, refusal]]) as never;
    expect(over({ facts: { ...shown({}).facts, broadcasts } })[0]).toEqual(
      appended(event('BroadcastRefused', { purpose: 'fee', tx_hash: HASH, kind: 'inputsSpent', message: 'spent' })),
    );
    for (const refused of ['inputsSpent', 'nonceUsed', 'invalid'])
      expect(over({ ...shown({}), journal: sent({ refused }) as never })[0]).toEqual(DONE);
    expect(over({ ...shown({}), journal: sent({ refused: 'feeTooLow' }) as never })[0]).toMatchObject({ kind: 'ask' });
  });

  it('matters only while its swap is watched, and not if no node accepted it or there is none', () => {
    const late = (ago: number) => over({ swap: { lastEventAt: after(-ago) } })[0];
    expect(late(1000)).toMatchObject({ kind: 'ask' });
    expect(late(1001)).toEqual(DONE);
    expect(over({ journal: sent({ acceptedAt: null }) as never })[0]).toEqual(DONE);
    expect(over({ journal: sent({ dead: true }) as never })[0]).toEqual(DONE);
    expect(over({ journal: { prepared: { fee: [] } } as never })[0]).toEqual(DONE);
  });
});
