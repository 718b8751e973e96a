import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../src/events/decode-event.ts';
import { savedSwapText } from '../../../src/events/encode.ts';
import type { SwapLog } from '../../../src/events/saved-swap.ts';
import { decimalOf } from '../../../src/primitives/decimal.ts';
import { buildSwap, successPath } from '../../../src/testing/logs/swap-builder.ts';
import { jsonRows, runCli, scratchFolder } from '../../support/cli.ts';
import { endings } from '../../support/endings.ts';

// What a log does not bear out is called no end in the short forms either: by status, replay, timeline and the table of an export.

const { path = [] } =
  endings.find(({ role, name }) => role === 'maker' && name === 'MakerPaymentRefundFinished-Finished') ?? {};
const refunded = buildSwap({ role: 'maker', path, seed: 'short ends', amounts: { maker: '0.9', taker: '1.7' } });
const data = (type: string) => refunded.events.find((event) => event.type === type)?.data;

function withData(log: SwapLog, type: string, given: unknown): SwapLog {
  const events = log.events.map((event) => (event.type === type ? ({ ...event, data: given } as StoredEvent) : event));
  return { ...log, events };
}

const denied = withData(refunded, 'MakerPaymentRefunded', data('MakerPaymentSent'));
const confirmed = withData(refunded, 'MakerPaymentRefunded', {
  ...(data('MakerPaymentRefunded') as object),
  block_height: 7,
});

describe.each([
  ['unconfirmed', refunded, 'refund unconfirmed', 'refunded? M', 0],
  ['denied', denied, 'refund denied', 'refund denied', 1],
  ['confirmed', confirmed, 'refunded', 'refunded M', 0],
])('a refund that is %s by the log', (shown, log, text, cell, code) => {
  it('is called so', async () => {
    using scratch = scratchFolder({ 'swap.json': savedSwapText(log) });
    const [file, db] = [scratch.file('swap.json'), scratch.file('swaps.db')];
    const taken = await runCli(['import', file, '--log', db]);
    expect([taken.code, taken.out]).toEqual([code, expect.stringContaining('1 swap imported')]);
    for (const argv of [
      ['replay', file],
      ['status', '--log', db],
    ]) {
      const told = await runCli(argv);
      expect(told.out.replaceAll(/\s+/g, ' '), argv[0]).toContain(` maker ${text} `);
      expect(told.code, argv[0]).toBe(code);
      const [row] = jsonRows<{ outcome: string; end: object }>((await runCli([...argv, '--json'])).out);
      expect(row, argv[0]).toMatchObject({ outcome: 'refunded', end: { payment: 'maker', how: 'refund', shown } });
    }
    const timeline = await runCli(['timeline', file]);
    expect([timeline.code, timeline.out.trimEnd().split('\n').at(-1)]).toEqual([code, expect.stringContaining(cell)]);
    const csv = await runCli(['export', '--format', 'csv', file]);
    const [names = [], values = []] = csv.out.split('\r\n').map((line) => line.split(','));
    expect(values[names.indexOf('outcome_shown')]).toBe(shown);
    const [explained] = jsonRows<{ ends: { makerPayment: object } }>((await runCli(['explain', '--json', file])).out);
    expect(explained?.ends.makerPayment).toMatchObject({ shown });
    // Where it may not have ended, an order finds out; what the bytes deny, only a person does until then.
    const recovered = await runCli(['recover', log.uuid, '--log', db]);
    expect([recovered.code, recovered.out]).toEqual([
      code,
      expect.stringMatching(
        shown === 'confirmed' ? /^Nothing was ordered: the payment of the maker came back/ : /^Recovery is ordered/,
      ),
    ]);
  });
});

it('amounts of status, timeline and replay have the digits of their chain', async () => {
  const cut = successPath('taker').slice(0, 8);
  const sound = buildSwap({
    role: 'taker',
    path: cut,
    seed: 'digits',
    takerCoin: 'DOC',
    amounts: { maker: '2', taker: '50' },
  });
  const started = sound.events[0]?.data as object;
  const writing = (amount: string) => withData(sound, 'Started', { ...started, taker_amount: decimalOf(amount) });
  const long = writing('50.000000000000001504');
  const impossible = writing(`50.${'0'.repeat(98)}15`);
  for (const log of [long, impossible]) {
    using scratch = scratchFolder({ 'swap.json': savedSwapText(log, 'spec') });
    const [file, db] = [scratch.file('swap.json'), scratch.file('swaps.db')];
    await runCli(['import', file, '--log', db]);
    for (const argv of [
      ['status', '--log', db],
      ['timeline', file],
      ['replay', file],
    ]) {
      const { out } = await runCli(argv, { columns: 200 });
      const isTold = out.includes('with 100 decimals; no chain has more than 18.');
      expect(out, argv[0]).not.toMatch(/\d\.\d{9}/);
      if (argv[0] !== 'replay') expect(isTold, argv[0]).toBe(log === impossible);
    }
  }
});
