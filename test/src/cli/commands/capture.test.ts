import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { recordSession } from '../../../../src/cli/capture-session.ts';
import type { Logger } from '../../../../src/ports/logger.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import type { Seconds } from '../../../../src/primitives/time.ts';
import { jsonRows, runCli, scratchFolder } from '../../../support/cli.ts';
import { openFramework } from '../../../support/peers/framework/open.ts';
import { lengthPrefixed } from '../../../support/peers/framework/protobuf.ts';
import { writeRpc } from '../../../support/peers/framework/rpc.ts';
import { frameworkKey } from '../../../support/peers/framework/signed.ts';
import { eventually } from '../../../support/peers/libp2p-nodes.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const AT = 1_700_000_000_000;
/** The vector of a taker's word that it connects. */
const CONNECT = Buffer.from('810692c41041383f4346a5478c93863b2cce0aca20c41000000000000000000000000000000000', 'hex');

function session(rpc: Parameters<typeof writeRpc>[0], why: 'closed' | 'full' | null = 'closed'): string {
  const hex = bytesToHex(lengthPrefixed(writeRpc(rpc)));
  return [
    { is: 'start', at: AT, self: 'self', relay: false },
    { is: 'link', at: AT, link: 1, peer: 'peer', dialed: true },
    { is: 'stream', at: AT, link: 1, stream: 1, protocol: '/meshsub/1.1.0', by: 'there' },
    { is: 'bytes', at: AT, stream: 1, to: 'here', hex },
    { is: 'end', at: AT + 5, link: 1 },
    ...(why === null ? [] : [{ is: 'stop', at: AT + 5, why }]),
  ]
    .map((entry) => `${JSON.stringify(entry)}\n`)
    .join('');
}

function logging() {
  const warned: (readonly [message: string, fields: unknown])[] = [];
  const logger: Logger = { info() {}, warn: (message, fields) => void warned.push([message, fields]), error() {} };
  return { logger, warned };
}

describe('swapfold capture', () => {
  it('reports how often the recording confirms each rule', async () => {
    using folder = scratchFolder({ 'session.jsonl': session({ iAmRelay: true }) });
    const { code, out } = await runCli(['capture', folder.file('session.jsonl')]);
    expect(code).toBe(0);
    expect(out.split('\n').slice(0, 6)).toEqual([
      '1 link, 1 frame of gossip read, 0 refused',
      '5 bytes received, 0 sent',
      '1 recording complete',
      'Inferred rules:',
      '  relay-words          1 times as assumed, 0 times otherwise',
      '    the words of relays are the fields 5 (a number), 6 and 7 of the control message, as in the',
    ]);
  });

  it('exits with 1 if it contradicts one', async () => {
    const rpc = { iAmRelay: true, subscriptions: [{ subscribe: true, topic: 'orbk/A:B' }] };
    using folder = scratchFolder({ 'session.jsonl': session(rpc) });
    const { code, out } = await runCli(['capture', '--json', folder.file('session.jsonl')]);
    const [row] = jsonRows<{ unsure: Record<string, unknown> }>(out);
    expect([code, row?.unsure['silent-relays']]).toEqual([1, { asTaken: 0, otherwise: 1 }]);
  });

  it.each([
    ['full', '1 full, so later messages are missing'],
    [null, '1 without an end: the process was killed, the disk was full, or it is still recording'],
  ] as const)('exits with 1 if the recording is not whole: %s', async (why, told) => {
    const rpc = { iAmRelay: true };
    using folder = scratchFolder({ 'session.jsonl': session(rpc) + session(rpc, why) + session(rpc) });
    const { code, out } = await runCli(['capture', folder.file('session.jsonl')], { columns: 200 });
    expect([code, out.split('\n')[2]]).toEqual([1, `2 recordings complete; ${told}`]);
    const json = await runCli(['capture', '--json', folder.file('session.jsonl')]);
    const [row] = jsonRows<{ recordings: object; bytes: object }>(json.out);
    expect(row?.recordings).toEqual({ complete: 2, full: why === 'full' ? 1 : 0, cut: why === null ? 1 : 0 });
    expect(row?.bytes).toEqual({ in: 15, out: 0 });
  });

  it('reports a missing file', async () => {
    const { code, err } = await runCli(['capture', 'absent.jsonl']);
    expect([code, err]).toEqual([1, expect.stringContaining('FILE_NOT_FOUND')]);
  });

  it('records a session with a seed node, and says what that bears out', async () => {
    const clock = virtualClock();
    const relay = await openFramework({ role: 'relay', clock });
    const light = await openFramework({ role: 'light', clock });
    await light.dial(relay.address);
    using folder = scratchFolder();
    const file = folder.file('session.jsonl');
    const [topic, helpers] = ['orbk/A:B', 'txhlp/KMD'];
    const lasts = 10 as Seconds;
    const options = { seeds: [relay.address], netid: 8762, topics: [topic, helpers], lasts, clock };
    const session = recordSession(file, { ...options, logger: logging().logger });
    await eventually(() => relay.includedBy().length === 2);
    await eventually(() => relay.frames.some(({ rpc }) => rpc.subscriptions.some((one) => one.topic === topic)));
    light.publish(topic, frameworkKey(Buffer.alloc(32, 1)).seal(CONNECT));
    light.publish(helpers, Buffer.alloc(60, 0xab));
    await eventually(() => readFileSync(file, 'utf8').includes('ab'.repeat(60)));
    await clock.advance(lasts * 1000);
    await session;
    expect([relay.heard.map((one) => one.topic), relay.faults]).toEqual([[topic, helpers], []]);
    for (const one of [light, relay]) await one.close();
    const { code, out } = await runCli(['capture', '--json', file]);
    const [row] = jsonRows<{ links: number; publications: object; recordings: object; unsure: object }>(out);
    expect([code, row?.links, row?.publications]).toEqual([0, 1, { 'orbk signed': 1, 'txhlp unknown': 1 }]);
    expect(row?.recordings).toEqual({ complete: 1, full: 0, cut: 0 });
    expect(row?.unsure).toMatchObject({ 'bare-helpers': { asTaken: 1, otherwise: 0 }, 'low-s': { asTaken: 1 } });
  });

  it('ends a session whose recording is full, and reports it', async () => {
    const clock = virtualClock();
    const relay = await openFramework({ role: 'relay', clock: virtualClock() });
    using folder = scratchFolder();
    const file = folder.file('session.jsonl');
    const { logger, warned } = logging();
    const options = { seeds: [relay.address], netid: 8762, topics: [], lasts: 300 as Seconds, clock, logger };
    await recordSession(file, { ...options, mostBytes: 400 });
    await relay.close();
    expect([readFileSync(file).length < 500, clock.armed()]).toEqual([true, 0]);
    expect(warned).toEqual([
      ['the recording of the network is full', { file, bytes: expect.any(Number), reason: 'it may have 400 bytes' }],
    ]);
    const { code, out } = await runCli(['capture', file]);
    expect([code, out.split('\n')[2]]).toEqual([1, '1 full, so later messages are missing']);
  });

  it('does both in one command, even if nobody answers', async () => {
    using folder = scratchFolder();
    const file = folder.file('session.jsonl');
    const { code, out, err } = await runCli(['capture', file, '--seed', '127.0.0.1:9', '--seconds', '1']);
    expect([code, ...out.split('\n').slice(0, 3)]).toEqual([
      1,
      '0 links, 0 frames of gossip read, 0 refused',
      '0 bytes received, 0 sent',
      '1 recording complete',
    ]);
    expect(jsonRows(err)[0]).toMatchObject({ msg: 'a seed node is not connected', address: '127.0.0.1:9' });
    expect(jsonRows(readFileSync(file, 'utf8'))).toMatchObject([
      { is: 'start', relay: false },
      { is: 'stop', why: 'closed' },
    ]);
  });

  it('ends at a signal with what it has', async () => {
    using folder = scratchFolder();
    const file = folder.file('session.jsonl');
    const running = runCli(['capture', file, '--seed', '127.0.0.1:9', '--seconds', '86400']);
    await eventually(() => existsSync(file) && readFileSync(file, 'utf8').includes('"start"'));
    const [own] = process.listeners('SIGTERM').slice(-1);
    own?.('SIGTERM');
    const { out } = await running;
    expect(out.split('\n')[2]).toBe('1 recording complete');
    expect(process.listeners('SIGTERM')).not.toContain(own);
  });

  it.each([
    [['--topic', 'orbk/A:B'], '--topic is for a recording that --seed makes'],
    [['--seed', '127.0.0.1:9', '--topic', 'other/A'], 'the topic other/A is none of'],
  ])('refuses %j', async (args, told) => {
    using folder = scratchFolder();
    const { code, err } = await runCli(['capture', folder.file('session.jsonl'), ...args]);
    expect([code, err]).toEqual([2, expect.stringContaining(told)]);
  });
});
