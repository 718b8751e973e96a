import { describe, expect, it } from 'vitest';
import { keepMerging, mergingOf } from '../../../src/node/merging.ts';
import type { Answer } from '../../../src/ports/chain.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

describe('the merging of coins that a request asks for', () => {
  it('does not happen without it, and has the real node’s defaults', () => {
    expect([mergingOf({}), mergingOf({ utxo_merge_params: null })]).toEqual([null, null]);
    expect(mergingOf({ utxo_merge_params: { merge_at: 7 } })).toEqual({ at: 7, every: 10, most: 100 });
    const whole = { merge_at: 50, check_every: 11, max_merge_at_once: 25 };
    expect(mergingOf({ utxo_merge_params: whole })).toEqual({ at: 50, every: 11, most: 25 });
  });

  it.each([
    [{}, 'missing field `merge_at`'],
    [5, 'expected struct UtxoMergeParams'],
    [{ merge_at: '5' }, 'invalid type: string "5", expected u64'],
    [{ merge_at: 1 }, 'merge_at is 1, and must be 2 or more'],
    [{ merge_at: 2, max_merge_at_once: 1 }, 'max_merge_at_once is 1, and must be 2 or more'],
    [{ merge_at: 2, check_every: 0 }, 'check_every is 0, and must be 1 or more'],
  ])('%o is refused', (utxo_merge_params, text) => {
    expect(() => mergingOf({ utxo_merge_params })).toThrow(text);
  });

  it('polls at its pace, reports a problem once, and ends when the coin is released', async () => {
    const clock = virtualClock();
    const fault = { ok: false, fault: { kind: 'unavailable', message: 'no' } } as const;
    const answers: Answer<number>[] = [{ ok: true, value: 0 }, { ok: true, value: 4 }, fault, fault];
    const asked: unknown[] = [];
    const lines: string[] = [];
    const line = (message: string, fields: object) => void lines.push(`${message} ${JSON.stringify(fields)}`);
    const merge = async (terms: unknown): Promise<Answer<number>> => {
      asked.push(terms);
      return answers.shift() ?? { ok: true, value: 0 };
    };
    const logger = { info: line, warn: line, error: line };
    const end = keepMerging({ at: 3, most: 9, every: 11 }, { coin: 'DOC', chain: { merge }, clock, logger });
    await clock.advance(10_999);
    expect(asked).toEqual([]);
    await clock.advance(1);
    expect(asked).toEqual([{ at: 3, most: 9 }]);
    for (let more = 0; more < 3; more++) await clock.advance(11_000);
    expect(asked).toHaveLength(4);
    expect(lines).toEqual([
      'merged coins into one output {"coin":"DOC","coins":4}',
      'could not merge coins into one output {"coin":"DOC","reason":"unavailable"}',
    ]);
    end();
    await clock.advance(60_000);
    expect(asked).toHaveLength(4);
  });
});
