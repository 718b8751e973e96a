import { expect, it } from 'vitest';
import { pinoLogger } from '../../../../src/runtime/host/logger-pino.ts';

function lines(write: (logger: ReturnType<typeof pinoLogger>) => void): Record<string, unknown>[] {
  const texts: string[] = [];
  write(pinoLogger({ destination: { write: (text: string) => void texts.push(text) } }));
  return texts.map((text) => JSON.parse(text) as Record<string, unknown>);
}

it('writes one JSON object a line, with its level, message and fields', () => {
  const [line] = lines((logger) => logger.warn('no useful answer', { stream: 'taker-swap/1', tries: 3, coin: null }));
  expect(line).toMatchObject({
    level: 'warn',
    msg: 'no useful answer',
    name: 'swapfold',
    stream: 'taker-swap/1',
    tries: 3,
    coin: null,
  });
});

it('holds no secret, key or transaction, whatever a node or a caller puts into a text', () => {
  const secret = '5e'.repeat(32);
  const tx = '0100'.repeat(200);
  const given = {
    text: `bad-txns ${tx} for ${secret}, 0x${secret}`,
    tx_hex: 'aa',
    my_secret: 'short',
    privkey: 'x',
    seed: 'abandon ability able',
    url: 'wss://user:hunter2@electrum.example:50004',
    text2: 'request to https://mainnet.example/v3/0a1b2c3d4e5f?token=tok failed',
  };
  const [line] = lines((logger) => logger.error('refused', given));
  const text = JSON.stringify(line);
  for (const hidden of [secret, tx, 'short', 'hunter2', 'abandon', '0a1b2c3d4e5f', 'token=tok'])
    expect(text).not.toContain(hidden);
  expect(line).toMatchObject({ tx_hex: '[redacted]', privkey: '[redacted]' });
  expect(line?.['url']).toBe('wss://[redacted]@electrum.example:50004');
});

it('keeps the ids by which a swap and its transactions can be found', () => {
  const tx_hash = 'cd'.repeat(32);
  const stream = 'maker-swap/3447b727-fe93-4357-8e5a-8cf2699b7e86';
  expect(lines((logger) => logger.info('appended', { tx_hash, stream }))[0]).toMatchObject({ tx_hash, stream });
});

it('writes what its level asks for, under the name of the program, and nothing about the machine', () => {
  const texts: string[] = [];
  const destination = { write: (text: string) => void texts.push(text) };
  const logger = pinoLogger({ level: 'warn', name: 'node 1', destination });
  logger.info('one', {});
  logger.warn('two', {});
  logger.error('three', {});
  const read = texts.map((text) => JSON.parse(text) as Record<string, unknown>);
  expect(read.map(({ time, ...rest }) => rest)).toEqual([
    { level: 'warn', name: 'node 1', msg: 'two' },
    { level: 'error', name: 'node 1', msg: 'three' },
  ]);
  expect(lines((written) => written.info('one', {}))).toHaveLength(1);
});
