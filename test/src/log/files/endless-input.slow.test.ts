import { expect, it } from 'vitest';
import { savedSwapText } from '../../../../src/events/encode.ts';
import { readSwaps } from '../../../../src/log/files/read-swaps.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';
import { collect } from '../../../support/cli.ts';

const log = buildSwap({
  role: 'taker',
  path: successPath('taker', { era: 'current', watchers: false }),
  seed: 'first',
});

it('a single JSON text longer than the engine holds is refused before it is read', async () => {
  const endless = (async function* () {
    yield Buffer.from('{\n');
    const spaces = Buffer.alloc(64 * 1024 * 1024, 32);
    for (;;) yield spaces;
  })();
  const [found] = await collect(readSwaps('-', { stdin: endless }));
  expect(found).toMatchObject({ ok: false, error: { code: 'FILE_TOO_LARGE' } });
});

it('an answer without end gives its swaps as they come', async () => {
  const entry = Buffer.from(`${savedSwapText(log)},`);
  let given = 0;
  const endless = (async function* () {
    yield Buffer.from('{"result":{"swaps":[');
    for (const many = Buffer.concat(Array(40).fill(entry)); ; given += 40) yield many;
  })();
  let count = 0;
  for await (const swap of readSwaps('-', { stdin: endless })) {
    expect(swap).toMatchObject({ ok: true, log: { uuid: log.uuid } });
    count += 1;
    if (count === 5000) break;
  }
  // What is read at once before it is known to be long, and then no more than a piece ahead.
  expect(given).toBeLessThan(count + 80);
});
