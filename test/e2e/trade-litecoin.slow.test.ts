import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { type JsonObject, parseJson } from '../../src/primitives/json.ts';
import { builtModule } from '../support/built.ts';
import { LITECOIND } from '../support/litecoind.ts';
import { describeWith } from '../support/optional-part.ts';

// The README plays it on the chains of the package; this takes a minute more, so that it waits for SWAPFOLD_TRADE=litecoin.
const isAsked = process.env['SWAPFOLD_TRADE'] === 'litecoin';

describeWith(isAsked ? LITECOIND : { present: true, absence: '' }, 'two served nodes on Litecoin Core', () => {
  it.runIf(isAsked)(
    'swap while one of them is killed',
    async () => {
      const main = fileURLToPath(builtModule('src/cli/main.js'));
      const { stdout } = await promisify(execFile)(process.execPath, [main, 'trade', '--litecoin', '--json']);
      const scenes = stdout
        .trim()
        .split('\n')
        .map((line) => parseJson(line) as JsonObject);
      expect(scenes.at(-1)).toMatchObject({ kind: 'end', sound: true, payments: { RED: 1, BLU: 1 } });
      const ends = scenes.filter(({ event }) => event === 'Finished').map(({ who }) => who);
      expect(ends.toSorted()).toEqual(['alice', 'bob']);
    },
    300_000,
  );
});
