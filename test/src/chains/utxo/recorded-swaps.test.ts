import { expect, it } from 'vitest';
import { LEGS, legsOf, type Outcome } from '../../../support/recorded/legs.ts';
import { describeShared } from '../../../support/shared.ts';
import { recordedSwaps } from '../../htlc/corpus.ts';

const wordsOf = (outcome: Outcome) => ('reproduced' in outcome ? outcome.reproduced : `NOT: ${outcome.not}`);

describeShared('every recorded swap', () => {
  it('is made again from its events, leg by leg, or is in the list of those that cannot be', async () => {
    const table: Record<string, Record<string, number>> = Object.fromEntries(LEGS.map((leg) => [leg, {}]));
    const not = new Set<string>();
    const bare = new Set<string>();
    const events = new Set<string>();
    for (const swap of recordedSwaps()) {
      const legs = await legsOf(swap);
      const { uuid, role } = swap.row;
      for (const { event } of swap.transactions) events.add(event);
      for (const [leg, outcome] of legs) {
        const words = wordsOf(outcome);
        const counts = table[leg] as Record<string, number>;
        counts[words] = (counts[words] ?? 0) + 1;
        if ('not' in outcome) not.add(`${uuid.slice(0, 8)} ${role}, ${leg}: ${outcome.not}`);
      }
      if (legs.size === 0) bare.add(`${uuid.slice(0, 8)} ${role} ends with ${swap.row.finalEvent}`);
    }
    // No other event holds a transaction that would have to be in the table.
    expect([...events].sort()).toEqual([
      'MakerPaymentReceived',
      'MakerPaymentRefunded',
      'MakerPaymentSent',
      'MakerPaymentSpent',
      'TakerFeeSent',
      'TakerFeeValidated',
      'TakerPaymentReceived',
      'TakerPaymentSent',
      'TakerPaymentSpent',
    ]);
    expect(table).toMatchInlineSnapshot(`
      {
        "fee": {
          "NOT: the coin is on another family of chains (evm)": 15,
          "the rule before the burn": 22,
          "the rule before the burn, with its threshold": 4,
          "today's rule": 64,
        },
        "maker payment": {
          "NOT: the coin is on another family of chains (evm)": 4,
          "NOT: the coin is on another family of chains (tendermint)": 4,
          "script and value, of before the OP_RETURN": 54,
          "script and value, of before the OP_RETURN, with the hash that its refund shows": 3,
          "script, value and OP_RETURN": 28,
        },
        "maker payment refunded": {
          "NOT: the log, made up for a test of KDF, has another transaction there": 2,
          "with the lock time of its day": 6,
        },
        "maker payment spent": {
          "NOT: the coin is on another family of chains (evm)": 2,
          "NOT: the coin is on another family of chains (tendermint)": 2,
          "preimage and secret: by the adapter": 3,
          "preimage and secret: with the lock time of its day": 16,
        },
        "taker payment": {
          "NOT: the coin is on another family of chains (evm)": 2,
          "script and value, of before the OP_RETURN": 43,
          "script, value and OP_RETURN": 25,
        },
        "taker payment refunded": {},
        "taker payment spent": {
          "NOT: the coin is on another family of chains (evm)": 2,
          "preimage and secret: by the adapter": 10,
          "preimage and secret: with the lock time of its day": 44,
          "preimage and the secret that it shows: by the adapter": 5,
        },
        "watcher claim": {
          "by the adapter": 1,
        },
        "watcher refund": {
          "by the adapter": 1,
        },
      }
    `);
    expect([...not].sort()).toMatchInlineSnapshot(`
      [
        "3447b727 Maker, fee: the coin is on another family of chains (evm)",
        "3447b727 Taker, fee: the coin is on another family of chains (evm)",
        "49c79ea4 Taker, maker payment spent: the coin is on another family of chains (evm)",
        "49c79ea4 Taker, maker payment: the coin is on another family of chains (evm)",
        "aa2e902d Maker, maker payment: the coin is on another family of chains (tendermint)",
        "aa2e902d Taker, maker payment spent: the coin is on another family of chains (tendermint)",
        "aa2e902d Taker, maker payment: the coin is on another family of chains (tendermint)",
        "c52659d7 Maker, fee: the coin is on another family of chains (evm)",
        "c52659d7 Maker, maker payment: the coin is on another family of chains (evm)",
        "c52659d7 Maker, taker payment spent: the coin is on another family of chains (evm)",
        "c52659d7 Maker, taker payment: the coin is on another family of chains (evm)",
        "f87fa9ce Maker, maker payment refunded: the log, made up for a test of KDF, has another transaction there",
      ]
    `);
    expect([...bare].sort()).toMatchInlineSnapshot(`
      [
        "44798382 Taker ends with Started",
        "5acb0e63 Maker ends with Negotiated",
        "74891d12 Maker ends with NegotiateFailed",
        "af5e0383 Taker ends with Started",
        "f0ea918c Maker ends with TakerFeeValidateFailed",
      ]
    `);
  });
});
