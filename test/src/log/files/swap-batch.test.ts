import fc from 'fast-check';
import { expect, it } from 'vitest';
import { makerEventTypes } from '../../../../src/events/maker.ts';
import { takerEventTypes } from '../../../../src/events/taker.ts';
import { createBatchWriter, readBatch } from '../../../../src/log/files/swap-batch.ts';
import { replaySwap } from '../../../../src/replay/swaps.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';

const entry = fc
  .record({
    role: fc.constantFrom('taker' as const, 'maker' as const),
    seed: fc.nat(20),
    length: fc.nat(14),
    extra: fc.option(fc.nat(30), { nil: undefined }),
    first: fc.nat(1),
  })
  .map(({ role, seed, length, extra, first }) => {
    const types: readonly string[] = role === 'taker' ? takerEventTypes : makerEventTypes;
    const path = [
      ...successPath(role).slice(0, length),
      ...(extra === undefined ? [] : [types[extra % types.length] as string]),
    ];
    const log = buildSwap({ role, seed, path });
    const facts = { stream: `${role}-swap/${log.uuid}`, finished: path.at(-1) === 'Finished', first };
    return { swap: replaySwap(log), facts };
  });

it('verdicts come out of a batch as they went in', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 12 }), (entries) => {
      const writer = createBatchWriter();
      for (const one of entries) writer.add(one);
      expect(readBatch(writer.text())).toEqual(entries);
    }),
    { numRuns: 100 },
  );
});
