import { describe, expect, it } from 'vitest';
import { draws } from '../support/draws.ts';
import { type Judged, judge, type Wound, withVictim } from './judgement.ts';
import { describeJudgement } from './judgement-cases.ts';

describeJudgement({ seeds: draws({ sample: 12, change: 60, release: 120 }) });

describe('I2: a log with missing parts', () => {
  const remove = (...parts: readonly ('' | '-wal' | '-shm')[]): readonly Wound[] =>
    parts.map((part) => ({ kind: 'remove', part }));
  const tailOf = ({ told }: Judged) => (told.kind === 'open' ? told.tail : told.kind);

  it.each([
    ['nothing', remove(), 'whole'],
    ['its index', remove('-shm'), 'whole'],
    ['its write-ahead log', remove('-wal'), 'lost'],
    ['both', remove('-wal', '-shm'), 'lost'],
    ['the bytes of its write-ahead log', [{ kind: 'cut', part: '-wal', at: 0 } as const, ...remove('-shm')], 'lost'],
    ['the file', remove(''), 'damaged'],
  ])('is judged correctly without %s', async (_, wounds, expected) => {
    expect(tailOf(await withVictim((victim) => judge(victim, wounds)))).toBe(expected);
  });
});
