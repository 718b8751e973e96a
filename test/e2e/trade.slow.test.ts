import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type JsonObject, parseJson } from '../../src/primitives/json.ts';
import { builtModule } from '../support/built.ts';
import { THOROUGH } from '../support/draws.ts';
import { ANVIL } from '../support/evm/anvil.ts';
import { LITECOIND } from '../support/litecoind.ts';
import { describeWith } from '../support/optional-part.ts';

const main = fileURLToPath(builtModule('src/cli/main.js'));
/** Short, since each play waits for it; long enough for processes that share two cores with others. */
const LOCK = '45';

/** Plays it, and tells what happened. */
async function played(...argv: readonly string[]): Promise<readonly JsonObject[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'trade', '--json', ...argv]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => parseJson(line) as JsonObject);
}

const whoTold = (scenes: readonly JsonObject[], name: string): readonly unknown[] =>
  scenes.filter(({ event }) => event === name).map(({ who }) => who);

const SOUND = { kind: 'end', sound: true, payments: { RED: 1, BLU: 1 } };

// They wait for locks, so that both do at the same time. The README plays the swap itself.
describe.concurrent('served nodes, one of which is killed', () => {
  it('get their payments back', async () => {
    const scenes = await played('--play', 'refund', '--lock', LOCK);
    expect(scenes.at(-1)).toMatchObject(SOUND);
    expect(whoTold(scenes, 'TakerPaymentRefunded')).toEqual(['bob']);
    expect(whoTold(scenes, 'MakerPaymentRefunded')).toEqual(['alice']);
    expect(whoTold(scenes, 'TakerPaymentSpent')).toEqual([]);
  }, 600_000);

  it('are rescued by a third that watches', async () => {
    const scenes = await played('--play', 'rescue', '--lock', LOCK);
    expect(scenes.at(-1)).toMatchObject(SOUND);
    expect(whoTold(scenes, 'WatchRequested')).toEqual(['carol']);
    expect(whoTold(scenes, 'MakerPaymentSpent')).toEqual(['carol']);
    expect(whoTold(scenes, 'MakerPaymentSpentByWatcher')).toEqual(['bob']);
  }, 600_000);
});

describeWith(ANVIL, 'two served nodes with a coin of an EVM chain', () => {
  it.concurrent('swap while one of them is killed', async () => {
    const scenes = await played('--evm');
    expect(scenes.at(-1)).toMatchObject(SOUND);
    expect(whoTold(scenes, 'Finished').toSorted()).toEqual(['alice', 'bob']);
    expect(whoTold(scenes, 'MakerPaymentSpent')).toEqual(['bob']);
  }, 300_000);

  // A change is held to both halves of it: the rescue above, and what a watcher does on such a chain (`evm-watchers.slow.test.ts`).
  it.runIf(THOROUGH).concurrent(
    'are rescued by a third that watches',
    async () => {
      const scenes = await played('--evm', '--play', 'rescue', '--lock', LOCK);
      expect(scenes.at(-1)).toMatchObject(SOUND);
      expect(whoTold(scenes, 'MakerPaymentSpent')).toEqual(['carol']);
      expect(whoTold(scenes, 'MakerPaymentSpentByWatcher')).toEqual(['bob']);
    },
    600_000,
  );
});

// It takes a minute more than on the chains of the package, so that it waits for SWAPFOLD_TRADE=litecoin.
const isAsked = process.env['SWAPFOLD_TRADE'] === 'litecoin';

describeWith(isAsked ? LITECOIND : { present: true, absence: '' }, 'two served nodes on Litecoin Core', () => {
  it.runIf(isAsked)(
    'swap while one of them is killed',
    async () => {
      const scenes = await played('--litecoin');
      expect(scenes.at(-1)).toMatchObject(SOUND);
      expect(whoTold(scenes, 'Finished').toSorted()).toEqual(['alice', 'bob']);
    },
    300_000,
  );
});
