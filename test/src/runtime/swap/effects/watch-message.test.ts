import { describe, expect, it } from 'vitest';
import type { TakerSwapContext } from '../../../../../machines/taker-swap/context.ts';
import { decodeTransaction, isTransactionProblem } from '../../../../../src/htlc/transaction.ts';
import type { PreparedTransaction } from '../../../../../src/ports/chain.ts';
import { byteNumbers, hexOfNumbers, watcherPreimages } from '../../../../../src/runtime/swap/watch-message.ts';
import { runWorld } from '../../../../../src/sim/world/advance.ts';
import { crashAt, faultyNetwork, scenario } from '../../../../../src/sim/world/build.ts';
import type { Scenario } from '../../../../../src/sim/world/scenario.ts';
import { createWorld } from '../../../../../src/sim/world/world.ts';
import { event } from '../../../../support/effect-turns.ts';
import { turnOf } from '../../../../support/turns.ts';

function run(planned: Scenario) {
  const world = createWorld({ ...planned, fidelity: 'real' });
  runWorld(world);
  const { records, runner } = world.nodes.taker;
  const { watcherPreimages, takerPayment, makerPayment } = runner.position.context as TakerSwapContext;
  return { records, payments: [makerPayment?.tx_hash, takerPayment?.tx_hash], spends: watcherPreimages?.map(spentBy) };
}

/** Id of the transaction whose output the first input spends. */
function spentBy(bytes: readonly number[] | null): string | null {
  const decoded = bytes === null ? null : decodeTransaction(Uint8Array.from(bytes));
  if (decoded === null || isTransactionProblem(decoded)) return null;
  return decoded.inputs[0]?.txid ?? null;
}

describe('what a taker hands to watchers', () => {
  it('spends both payments', () => {
    const { payments, spends } = run(scenario({ useWatchers: true }));
    expect(spends).toEqual(payments);
  });

  it('spends the payment that was sent, when dearer ones had to replace it', () => {
    const dear = faultyNetwork('taker', { kind: 'feeSpike', factor: 6, from: 30, until: 900 });
    const { records, payments, spends } = run(scenario({ useWatchers: true }, dear));
    const refused = records.filter(
      ({ type, data }) => type === 'BroadcastRefused' && (data as { purpose: string }).purpose === 'payment',
    );
    expect(refused.length).toBeGreaterThan(0);
    expect(spends).toEqual(payments);
  });

  it('is signed again after a crash between the payment and its event', () => {
    for (let at = 15; at <= 25; at++) {
      const { payments, spends } = run(
        scenario({ useWatchers: true }, crashAt('taker', { at, when: 'after', downFor: 0 })),
      );
      expect(spends, `crash at ${at}`).toEqual(payments);
    }
  });
});

describe('the event of what a taker hands to watchers', () => {
  const claim = ['claimPreimage', { tx_hex: '0aff' } as PreparedTransaction] as const;
  const refund = ['refundPreimage', { tx_hex: '000b' } as PreparedTransaction] as const;
  const told = (spends: readonly (typeof claim | typeof refund)[], role: 'maker' | 'taker' = 'taker') =>
    watcherPreimages(
      turnOf({ swap: { role }, facts: { prepared: new Map<string, PreparedTransaction>(spends) as never } }),
    );

  it('holds both spends, as numbers', () => {
    const data = [
      [10, 255],
      [0, 11],
    ];
    expect(told([claim, refund])).toStrictEqual([event('WatcherMessageSent', data)]);
    expect(byteNumbers('')).toEqual([]);
    expect(hexOfNumbers([0, 11, 255])).toBe('000bff');
  });

  it('does not exist if one of them could not be made, nor for a maker', () => {
    for (const spends of [[], [claim], [refund]]) expect(told(spends)).toEqual([]);
    expect(told([claim, refund], 'maker')).toEqual([]);
  });
});
