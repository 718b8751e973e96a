import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { savedSwapText } from '../../../../src/events/encode.ts';
import type { DecodedSwap } from '../../../../src/events/wrappers.ts';
import { createPartReader } from '../../../../src/log/files/read-parts.ts';
import { swapsOfText } from '../../../../src/log/files/swaps-of-text.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';

const texts = (['taker', 'maker'] as const).flatMap((role) =>
  [1, 2].map((seed) => savedSwapText(buildSwap({ role, path: successPath(role), seed }))),
);
const swap = fc.constantFrom(...texts).map((text) => JSON.parse(text) as Record<string, unknown>);
const quoted = swap.map((found) => ({ ...found, gui: 'a "quote" \\ and ]},{[ in a text' }));
const refused = swap.map(({ uuid: _, ...rest }) => rest);
const stranger = fc.constantFrom<unknown>({ a: [1, { b: [] }] }, 'text "]', 17.25, null, true, [], [[]], {});
const ofProtocol = swap.map(({ type, ...data }) => ({ swap_type: `${String(type)}V1`, swap_data: data }));
const entry = fc.oneof(swap, quoted, ofProtocol, refused, stranger);
const list = fc.array(entry, { maxLength: 5 });
const answer = fc.oneof(
  list,
  list.map((swaps) => ({ result: { from_uuid: null, swaps, total: 3 } })),
  list.map((swaps) => ({ mmrpc: '2.0', result: { skipped: 0, swaps }, id: null })),
  list.map((swaps) => ({ method: 'import_swaps', params: { swaps } })),
  list.map((swaps) => ({ result: swaps })),
  list.map((swaps) => [{ result: { swaps } }, [swaps]]),
  swap.map((result) => ({ result })),
  fc.constant({ result: { swaps: [] } }),
  fc.constant({ error: 'rpc:184] lp_swap:1168] No swap with uuid x' }),
);

function inParts(text: string, step: number): readonly DecodedSwap[] {
  const bytes = Buffer.from(text);
  const reader = createPartReader(1 << 20);
  const found: DecodedSwap[] = [];
  for (let at = 0; at < bytes.length; at += step) {
    const fault = reader.push(bytes.subarray(at, at + step));
    found.push(...reader.take());
    if (fault !== undefined) return found;
  }
  reader.end();
  return [...found, ...reader.take()];
}

const shown = (found: readonly DecodedSwap[]) =>
  found.map((each) =>
    each.ok
      ? { path: each.path, log: each.log }
      : { path: each.path, uuid: each.uuid, code: each.error.code, facts: each.error.facts },
  );

describe('a text in parts', () => {
  it('holds the same swaps and faults as when it is read at once, at the same places, however its bytes arrive', () => {
    fc.assert(
      fc.property(
        answer,
        fc.constantFrom(undefined, 1, '\t'),
        fc.integer({ min: 1, max: 5000 }),
        (value, indent, step) => {
          const text = JSON.stringify(value, null, indent);
          expect(shown(inParts(text, step))).toEqual(shown(swapsOfText(Buffer.from(text))));
        },
      ),
    );
  });

  it('numbers the values of a text of several', () => {
    fc.assert(
      fc.property(fc.array(swap, { minLength: 2, maxLength: 4 }), fc.integer({ min: 1, max: 3000 }), (values, step) => {
        const text = values.map((value) => JSON.stringify(value, null, 2)).join('\n');
        expect(shown(inParts(text, step))).toEqual(shown(swapsOfText(Buffer.from(text))));
      }),
      { numRuns: 20 },
    );
  });

  it('counts what a long list holds beside swaps', () => {
    const [first = ''] = texts;
    const strangers = Array.from({ length: 30 }, (_, index) => `{"a":${index}}`);
    const text = `{"result":{"swaps":[${[...strangers.slice(0, 10), first, ...strangers.slice(10)].join(',')}]}}`;
    expect(shown(inParts(text, 100))).toEqual(shown(swapsOfText(Buffer.from(text))));
    expect(shown(inParts(`[${strangers.join(',')}]`, 9))).toMatchObject([
      { path: '', code: 'NOT_A_SWAP', facts: { found: '30 entries that are none' } },
    ]);
  });

  it.each([
    ['an entry that is no JSON', `[${texts[0]},{"events":[,]},${texts[1]}]`, [true, '/1 NOT_JSON', true]],
    ['a comma too many', `[${texts[0]},,${texts[1]}]`, [true, '/1 NOT_JSON']],
    ['a comma too few', `[${texts[0]}${texts[1]}]`, [true, '/1 NOT_JSON']],
    ['a bracket of another kind', `{"result":{"swaps":[${texts[0]}}}`, [true, '/result/swaps/1 NOT_JSON']],
    [
      'an end that comes too early',
      `{"result":{"swaps":[${texts[0]},${texts[1]?.slice(0, 900)}`,
      [true, '/result/swaps/1 NOT_JSON'],
    ],
    ['an end between entries', `{"result":{"swaps":[${texts[0]},`, [true, '/result/swaps/1 NOT_JSON']],
    ['a fault around the list', `{"result":{"swaps":[${texts[0]}],"total":}}`, [true, ' NOT_JSON']],
    ['something behind the end', `[${texts[0]}] no`, [true, ' NOT_JSON']],
  ])('gives what precedes a fault, and the fault in its place: %s', (_, text, expected) => {
    for (const step of [1, 7, text.length]) {
      const found = inParts(text, step).map((each) => each.ok || `${each.path} ${each.error.code}`);
      expect(found).toEqual(expected);
    }
  });

  it('reads no value beyond its bound', () => {
    const reader = createPartReader(1000);
    expect(reader.push(Buffer.from(`[${texts[0]},"${'x'.repeat(900)}`))).toBeUndefined();
    expect(reader.push(Buffer.from('y'.repeat(200)))).toBe('size');
    expect(reader.take().map(({ ok }) => ok)).toEqual([true]);
  });
});
