import { describe, expect, it } from 'vitest';
import { boundsOf } from '../../../src/check/bounds.ts';
import { check } from '../../../src/check/check.ts';
import { type Behaviour, SOUND } from '../../../src/sim/world/node.ts';

const bounds = boundsOf({ confirmations: { maker: 2, taker: 1 }, finality: { maker: 1, taker: 2 } });

type Data = Readonly<Record<string, unknown>>;

/** An engine whose log says something else of an event than what it folds to. */
function misread(event: string, change: (data: Data) => Data): Behaviour {
  return {
    ...SOUND,
    beforeAppend({ records }) {
      const index = records.findIndex(({ type }) => type === event);
      const record = records[index];
      if (record !== undefined) records[index] = { ...record, data: change(record.data as Data) };
    },
  };
}

const told = (behaviours: Parameters<typeof check>[1]) =>
  check(bounds, behaviours).violations.map(({ rule, party, text }) => `${rule} ${party}: ${text}`);

describe('what is reported about a swap in an exploration (R14)', () => {
  it('is what the stored events say, in every state', () => {
    expect(told({})).toEqual([]);
  });

  it('is wrong if a transaction differs from the one in the log', () => {
    const taker = misread('TakerFeeSent', (data) => ({ ...data, tx_hash: 'f3'.repeat(32) }));
    expect(told({ behaviours: { taker } })[0]).toMatch(
      /^R14 taker: takerFee is told as \S+ where the log says (f3){32}$/,
    );
  });

  it('is wrong if a deadline is that of another start, or of another lock of the other side', () => {
    const maker = misread('Started', (data) => ({ ...data, started_at: 1_700_000_001 }));
    expect(told({ behaviours: { maker } })[0]).toMatch(/^R14 maker: the deadline \w+ is told at \d+ instead of \d+$/);
    const taker = misread('Negotiated', (data) => ({ ...data, maker_payment_locktime: 1_700_015_607 }));
    expect(told({ behaviours: { taker } })[0]).toMatch(
      /^R14 taker: the maker payment is told as \w+: a refund is told from \d+ on, and the lock ends at 1700015607$/,
    );
  });
});
