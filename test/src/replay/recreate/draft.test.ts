import { expect, it } from 'vitest';
import { millisOf } from '../../../../src/primitives/time.ts';
import { append, assumed, certain, emptyDraft, unknown } from '../../../../src/replay/recreate/draft.ts';

it('a draft holds each event with its grounds first, then those of its members, at its position', () => {
  const draft = emptyDraft();
  expect(draft).toEqual({ events: [], inferred: [] });
  const at = millisOf(1000);
  append(draft, { type: 'A', at, data: null }, { event: certain('X at 0', 'It is.') });
  append(
    draft,
    { type: 'B', at, data: { left: 1 } },
    { event: assumed('Y at 1', 'It may be.'), members: { left: unknown('nothing', 'Nobody knows.') } },
  );
  expect(draft.events).toEqual([
    { type: 'A', at, data: null, known: true },
    { type: 'B', at, data: { left: 1 }, known: true },
  ]);
  expect(draft.inferred).toEqual([
    { seq: 0, event: 'A', member: null, certainty: 'certain', from: 'X at 0', because: 'It is.' },
    { seq: 1, event: 'B', member: null, certainty: 'assumed', from: 'Y at 1', because: 'It may be.' },
    { seq: 1, event: 'B', member: 'left', certainty: 'unknown', from: 'nothing', because: 'Nobody knows.' },
  ]);
});
