import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { eachSwap, type SwapCommand } from '../../../src/cli/each-swap.ts';
import { savedSwapText } from '../../../src/events/encode.ts';
import { buildSwapPair } from '../../../src/testing/logs/swap-builder.ts';

const { taker, maker } = buildSwapPair({ seed: 'each' });

async function runEach(part: Pick<SwapCommand, 'swap'> & Partial<SwapCommand>, json = false) {
  let out = '';
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      out += String(chunk);
      done();
    },
  });
  const stdin = (async function* () {
    yield Buffer.from(`${savedSwapText(taker)}\n${savedSwapText(maker)}\n`);
  })();
  const io = { stdin, stdout, stderr: stdout, env: { COLUMNS: '200' } };
  const unreadRow: SwapCommand['unreadRow'] = ({ uuid, error, line }) => ({ uuid, line, code: error.code });
  const ended = await eachSwap(['-'], { io, json, unreadRow, ...part }).catch((error: unknown) => error);
  return { ended, out };
}

const row = { row: {}, text: () => 'fine\n', findings: false };

describe('one swap on which the code fails', () => {
  it.each([
    ['when it is handled', (): never => fail()],
    ['when it is printed', () => ({ ...row, text: fail })],
  ])('%s is reported without content, and the others are read', async (_, bad) => {
    const { ended, out } = await runEach({ swap: ({ log }) => (log.role === 'taker' ? bad() : row) });
    expect(ended).toBe(1);
    expect(out).toMatch(/^error {2}-:1: [0-9a-f-]+: .*\[UNEXPECTED\]\n(?: {7}.*\n)+fine\n$/);
    expect(out).not.toContain('secret');
  });

  it('is a row of --json with its code and line', async () => {
    const { out } = await runEach({ swap: ({ log }) => (log.role === 'maker' ? fail() : row) }, true);
    expect(out).toBe(`{}\n${JSON.stringify({ uuid: maker.uuid, line: 2, code: 'UNEXPECTED' })}\n`);
  });
});

it('prints what it has even if the run ends with an error', async () => {
  const { ended, out } = await runEach({ swap: () => row, summary: fail });
  expect(ended).toBeInstanceOf(TypeError);
  expect(out).toBe('fine\nfine\n');
});

function fail(): never {
  throw new TypeError('secret');
}
