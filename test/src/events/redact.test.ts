import { expect, it } from 'vitest';
import { savedSwapText } from '../../../src/events/encode.ts';
import { jsonlText } from '../../../src/events/jsonl.ts';
import { redactLog } from '../../../src/events/redact.ts';
import { decodeSwapsText } from '../../../src/events/wrappers.ts';
import { plainForm } from '../../../src/testing/drawn/shapes.ts';
import { buildSwap } from '../../../src/testing/logs/swap-builder.ts';

it('no secret is left in any form of a redacted log, whatever member hides it', () => {
  const log = buildSwap({ role: 'maker', path: ['Started', 'Negotiated'], seed: 'redact' });
  const saved = structuredClone(plainForm(log)) as { events: { event: { data: Record<string, unknown> } }[] } & Record<
    string,
    unknown
  >;
  const started = saved.events[0]?.event.data as Record<string, unknown>;
  const key = Array.from({ length: 32 }, (_, index) => index + 1);
  Object.assign(started, {
    p2p_privkey: key,
    maker_coin_htlc_privkey: 'PRIVATE-1',
    nested: { deep: [{ rpc_password: 'PRIVATE-2' }] },
  });
  Object.assign(saved, { mnemonic: 'PRIVATE-3', userpass: 'PRIVATE-4' });
  const secret = String(started['secret']);

  const [read] = decodeSwapsText(JSON.stringify(saved));
  if (read?.ok !== true) throw read?.error ?? new Error('not read');
  const shown = redactLog(read.log);
  for (const text of [savedSwapText(shown), savedSwapText(shown, 'kdf'), jsonlText(shown)]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain('PRIVATE');
    expect(text).not.toContain('1,2,3,4,5');
    expect(text).toContain(String(started['secret_hash']));
  }
  expect(savedSwapText(read.log)).toContain(secret);
});

it('a secret that the chain has shown to the taker stays', () => {
  const log = buildSwap({ role: 'taker', path: ['Started', 'Negotiated', 'TakerPaymentSpent'], seed: 'public' });
  const spent = log.events.find(({ type }) => type === 'TakerPaymentSpent');
  const secret = (spent?.data as { secret: string } | undefined)?.secret;
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(savedSwapText(redactLog(log))).toContain(secret);
});

it('a secret is hidden under any name, beside the events, and in texts that repeat it', () => {
  const log = buildSwap({ role: 'maker', path: ['Started', 'StartFailed'], seed: 'spread' });
  const saved = structuredClone(plainForm(log)) as { events: { event: { data: Record<string, unknown> } }[] } & Record<
    string,
    unknown
  >;
  const secret = String(saved.events[0]?.event.data['secret']);
  Object.assign(saved, { secret, my_info: { secret }, note: `kept ${secret} here` });
  Object.assign(saved.events[0] ?? {}, { secret });
  Object.assign(saved.events[1]?.event.data ?? {}, {
    error: `cannot sign with ${secret}`,
    Secret: secret,
    maker_secret: secret,
    wif: 'KxFC1jmwwCoACiCAWZ3eXa96mBM6tb3TYzGmf6YwgdGWZgawvrtJ',
  });
  const [read] = decodeSwapsText(JSON.stringify(saved));
  if (read?.ok !== true) throw read?.error ?? new Error('not read');
  for (const text of [
    savedSwapText(redactLog(read.log)),
    savedSwapText(redactLog(read.log), 'kdf'),
    jsonlText(redactLog(read.log)),
  ]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain('KxFC1jmw');
  }
});

it('a transaction that shows the secret to the chain stays whole', () => {
  const log = buildSwap({ role: 'maker', path: ['Started', 'Negotiated', 'TakerPaymentSpent'], seed: 'chain' });
  const spend = (from: typeof log) => (from.events[2]?.data as { tx_hex: string } | undefined)?.tx_hex;
  expect(spend(redactLog(log))).toBe(spend(log));
});
