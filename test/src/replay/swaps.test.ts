import { describe, expect, it } from 'vitest';
import type { Anomaly } from '../../../src/events/anomaly.ts';
import type { Role } from '../../../src/events/catalog.ts';
import { millisOf } from '../../../src/primitives/time.ts';
import { concludeReplay, replaySwap, swapMachines } from '../../../src/replay/swaps.ts';
import { buildSwap, successPath } from '../../../src/testing/logs/swap-builder.ts';

const note = (seq: number | null): Anomaly => ({ seq, code: 'SEQ_GAP', severity: 'fault', message: `${seq}` });

describe('a replayed swap', () => {
  it.each(['taker', 'maker'] as const)('says of a %s what its log says', (role: Role) => {
    const path = successPath(role);
    const log = buildSwap({ role, path, seed: 'swaps' });
    const { funds: _, ...replayed } = replaySwap(log);
    expect(replayed).toEqual({
      uuid: log.uuid,
      role,
      events: path,
      state: 'finished',
      kdf: { finished: true, success: true, recoverable: false },
      outcome: 'completed',
      next: null,
      anomalies: [],
    });
  });

  it('lists the contradictions of the log before the anomalies of an event', () => {
    // A payment that was both spent and refunded.
    const path = [
      ...successPath('maker').slice(0, 9),
      ...['TakerPaymentSpendFailed', 'MakerPaymentWaitRefundStarted', 'MakerPaymentRefunded', 'Finished'],
    ];
    const { anomalies } = replaySwap(buildSwap({ role: 'maker', path, seed: 'swaps' }));
    const seqs = anomalies.map(({ seq }) => seq ?? -1);
    expect(seqs).toEqual(seqs.toSorted((left, right) => left - right));
    expect(anomalies.filter(({ code }) => code === 'CONTRADICTION')).toMatchInlineSnapshot(`
      [
        {
          "code": "CONTRADICTION",
          "message": "The log says both that the maker spent the taker payment and that it refunded its own; then the taker lost its coins.",
          "seq": null,
          "severity": "notice",
        },
      ]
    `);
  });

  it('treats the orders of this engine as its own from its first record on', () => {
    const path = [...successPath('taker').slice(0, -3), 'MakerPaymentSpendFailed', 'MakerPaymentSpent'];
    const log = buildSwap({ role: 'taker', path, seed: 4 });
    const record = { type: 'OperatorActed' as const, data: { action: 'resume', reason: null }, at: millisOf(0) };
    const codes = (before: number) =>
      replaySwap({ ...log, journal: { importedAt: null, records: [{ before, ...record }] } }).anomalies.map(
        ({ code }) => code,
      );
    expect(replaySwap(log).anomalies.map(({ code }) => code)).toEqual(['ENGINE_ORDER']);
    expect(codes(path.length - 1)).toEqual([]);
    expect(codes(0)).toEqual([]);
    expect(codes(path.length)).toEqual(['ENGINE_ORDER']);
    const none = { ...log, journal: { importedAt: null, records: [] } };
    expect(replaySwap(none).anomalies.map(({ code }) => code)).toEqual(['ENGINE_ORDER']);
  });
});

describe('the anomalies of a swap', () => {
  const { uuid } = buildSwap({ role: 'taker', path: ['Started'], seed: 'swaps' });
  const concluded = (noted: readonly Anomaly[], found: readonly Anomaly[]) =>
    concludeReplay(
      { role: 'taker', uuid, anomalies: noted },
      {
        ...{ state: 'created', context: swapMachines.taker.definition.initialContext() },
        ...{ types: [], anomalies: found },
      },
    ).anomalies.map(({ seq }) => seq);

  it('stand in the order of the log, those of the whole log first', () => {
    expect(concluded([note(3), note(0)], [note(2), note(null)])).toEqual([null, 0, 2, 3]);
    expect(concluded([note(0)], [note(null)])).toEqual([null, 0]);
    expect(concluded([note(null)], [note(0)])).toEqual([null, 0]);
    expect(concluded([note(3)], [])).toEqual([3]);
    expect(concluded([note(3)], [note(1)])).toEqual([1, 3]);
  });
});
