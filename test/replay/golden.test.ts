import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SwapLog } from '../../src/events/saved-swap.ts';
import { decodeSwapsText } from '../../src/events/wrappers.ts';
import { createJsonlReader } from '../../src/replay/jsonl/reader.ts';
import { replaySwap } from '../../src/replay/swaps.ts';

/**
 * Sentences that are written otherwise since. A verdict knows no clock, so that one of a swap of years ago must not tell anybody to hurry; and what may
 * have been spent already is looked for, before anybody waits for it. The recorded verdicts stay as they were written then.
 */
const REWRITTEN = [
  [', so hurry.', ': after that, look first whether it is still there.'],
  [
    '; if so, claim with the secret should the maker spend it, else refund it',
    '. If so, look whether the maker has spent it: then claim the maker payment with the secret that this spend shows; else refund it',
  ],
  ['Look on the chain whether', 'Check on the chain whether'],
  ['Look whether', 'Check whether'],
  ['look whether', 'check whether'],
  ['look first whether', 'check first whether'],
  ['broadcast all the same', 'broadcast nevertheless'],
] as const;

const releases = readdirSync(import.meta.dirname).filter((name) => /^\d+\.\d+\.\d+$/.test(name));

function readJsonl(bytes: Uint8Array): SwapLog[] {
  const logs: SwapLog[] = [];
  const reader = createJsonlReader({
    onLog: (log) => logs.push(log),
    onError: (error) => {
      throw error;
    },
  });
  reader.push(bytes);
  reader.end();
  return logs;
}

for (const release of releases) {
  describe(`logs of ${release}`, () => {
    const file = (name: string) => readFileSync(join(import.meta.dirname, release, name));
    const verdicts = file('verdicts.jsonl')
      .toString('utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(REWRITTEN.reduce((text, [then, now]) => text.replaceAll(then, now), line)));

    it('replay from JSON Lines to the verdicts recorded then', () => {
      // A log without an end stays open until the last line, so the order may differ.
      const byUuid = (left: { uuid: string }, right: { uuid: string }) => left.uuid.localeCompare(right.uuid);
      expect(readJsonl(file('logs.jsonl')).map(replaySwap).toSorted(byUuid)).toEqual(verdicts.toSorted(byUuid));
    });

    it("replay from the real node's form to the verdicts recorded then", () => {
      const replayed = decodeSwapsText(file('saved.json').toString('utf8')).map((swap) => {
        if (!swap.ok) throw swap.error;
        return replaySwap(swap.log);
      });
      expect(replayed).toEqual(verdicts);
    });
  });
}

it('there is at least one release to replay', () => {
  expect(releases.length).toBeGreaterThan(0);
});
