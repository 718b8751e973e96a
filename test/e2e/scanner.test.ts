import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readSides } from '../../src/node/swaps/read-swap.ts';
import { runCli } from '../support/cli.ts';
import { cliSecrets, requireNoSecrets } from '../support/cli-secrets.ts';
import { SPELLINGS } from '../support/quoted-secrets.ts';
import { createScanner } from '../support/scanner.ts';
import { describeShared, manifest, swapPath } from '../support/shared.ts';
import { PAIR_UUID, type TradingPair, tradingPair } from '../support/trading-pair.ts';

const plant = vi.hoisted(() => ({ leaks: false }));

// A node whose answers and events show what they should not.
vi.mock('../../src/events/redact.ts', async (original) => {
  const real = await original<typeof import('../../src/events/redact.ts')>();
  const redactLog: typeof real.redactLog = (log) => (plant.leaks ? log : real.redactLog(log));
  return { ...real, redactLog };
});

afterEach(() => {
  plant.leaks = false;
});

describe('a scanner', () => {
  const secret = 'f1e2d3c4b5a697887960514233241506'.repeat(2);

  it.each(Object.keys(SPELLINGS))('notices a secret that is written as %s', (name) => {
    const scanner = createScanner();
    scanner.hideSecret('the secret', secret);
    scanner.see('answer', `an answer of ${'0'.repeat(80)} and nothing else`);
    expect(scanner.findings()).toEqual([]);
    scanner.see('log', `before ${SPELLINGS[name]?.(secret)} behind`);
    expect(scanner.findings()).toEqual(['log: the secret']);
    expect(() => scanner.requireNone()).toThrow('log: the secret');
  });

  it('notices a seed phrase, its key in any form, and a password with escaped characters', () => {
    const scanner = createScanner();
    scanner.hidePhrase('the phrase', 'bob passphrase');
    scanner.hideText('the password', 'p"ss ü');
    scanner.see('metrics', 'UvCjJf4dKSs2vFGVtCnUTAhR5FTZGdg43DDRa9s7s5DV1sSDX14g');
    scanner.see('error', JSON.stringify({ error: 'p"ss ü' }));
    expect(scanner.findings()).toEqual(['metrics: the key of the phrase', 'error: the password']);
  });

  it('ignores a secret that may be public by then', () => {
    const scanner = createScanner();
    scanner.hideSecret('the secret', secret);
    scanner.publish(secret);
    scanner.see('answer', secret);
    expect(scanner.findings()).toEqual([]);
  });
});

describeShared('what commands print', () => {
  it('contains no secret that the recorded swaps never showed', () => {
    const secrets = cliSecrets().filter((text) => /^[0-9a-f]{64}$/.test(text));
    expect(secrets.length).toBeGreaterThan(0);
    const [secret = ''] = secrets;
    expect(() => requireNoSecrets(['explain', 'x.json'], `it is ${secret.toUpperCase()}`)).toThrow('printed 1 secrets');
    expect(() => requireNoSecrets(['export', '--secrets', 'x.json'], secret)).not.toThrow();
    expect(() => requireNoSecrets(['explain', 'x.json'], 'nothing')).not.toThrow();
  });

  it('is noticed if the redaction has a leak', async () => {
    const secrets = cliSecrets().filter((text) => /^[0-9a-f]{64}$/.test(text));
    const holds = ({ file }: { readonly file: string }) =>
      secrets.some((secret) => readFileSync(swapPath(file), 'utf8').includes(secret));
    const found = manifest().find((row) => row.role === 'Maker' && holds(row));
    const argv = ['export', swapPath(found?.file ?? '')];
    expect((await runCli(argv)).out).toContain('"secret"');
    plant.leaks = true;
    await expect(runCli(argv)).rejects.toThrow('secrets of the fixtures');
  });
});

describe('the outputs of two nodes that swap', () => {
  let pair: TradingPair;
  beforeAll(async () => {
    pair = await tradingPair();
    for (const side of ['maker', 'taker'] as const) await pair.parties[side].activate();
    await pair.start();
    const { maker } = pair.parties;
    const paid = async () =>
      (await readSides(maker.node().log, PAIR_UUID))[0]?.events.at(-1)?.type === 'MakerPaymentSent';
    expect(await pair.until(paid)).toBe(true);
  });
  afterAll(() => pair.close().catch(() => {}));

  it('reveal the maker’s secret nowhere while it is one', async () => {
    const { maker } = pair.parties;
    for (const method of ['my_recent_swaps', 'active_swaps']) await maker.call({ method, include_status: true });
    const answer = await maker.call({ method: 'my_swap_status', params: { uuid: PAIR_UUID } });
    expect(answer.http).toBe(200);
    expect(pair.scanner.findings()).toEqual([]);
  });

  it('are noticed to reveal it if an answer or an event has a leak', async () => {
    const { maker } = pair.parties;
    plant.leaks = true;
    const status = () => maker.call({ method: 'my_swap_status', params: { uuid: PAIR_UUID } });
    await expect(status()).rejects.toThrow(`answer: the secret of maker-swap/${PAIR_UUID}`);
    await maker.reopen();
    const event = `event stream: the secret of maker-swap/${PAIR_UUID}`;
    expect(await pair.until(() => pair.scanner.findings().includes(event), 2)).toBe(true);
  });
});
