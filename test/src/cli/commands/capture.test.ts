import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { recordSession } from '../../../../src/cli/capture-session.ts';
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

function session(rpc: Parameters<typeof writeRpc>[0]): string {
  const hex = bytesToHex(lengthPrefixed(writeRpc(rpc)));
  return [
    { is: 'start', at: AT, self: 'self', relay: false },
    { is: 'link', at: AT, link: 1, peer: 'peer', dialed: true },
    { is: 'stream', at: AT, link: 1, stream: 1, protocol: '/meshsub/1.1.0', by: 'there' },
    { is: 'bytes', at: AT, stream: 1, to: 'here', hex },
    { is: 'end', at: AT + 5, link: 1 },
  ]
    .map((entry) => `${JSON.stringify(entry)}\n`)
    .join('');
}

describe('swapfold capture', () => {
  it('says how often each rule was borne out', async () => {
    using folder = scratchFolder({ 'session.jsonl': session({ iAmRelay: true }) });
    const { code, out } = await runCli(['capture', folder.file('session.jsonl')]);
    expect(code).toBe(0);
    expect(out.split('\n').slice(0, 4)).toEqual([
      '1 link, 1 frame of gossip read, 0 refused',
      'Rules that are inferred:',
      '  relay-words          1 times so, 0 times otherwise',
      '    the words of relays are the fields 5 (a number), 6 and 7 of the control message, as in the',
    ]);
  });

  it('exits with 1 where one was not', async () => {
    const rpc = { iAmRelay: true, subscriptions: [{ subscribe: true, topic: 'orbk/A:B' }] };
    using folder = scratchFolder({ 'session.jsonl': session(rpc) });
    const { code, out } = await runCli(['capture', '--json', folder.file('session.jsonl')]);
    const [row] = jsonRows<{ unsure: Record<string, unknown> }>(out);
    expect([code, row?.unsure['silent-relays']]).toEqual([1, { asTaken: 0, otherwise: 1 }]);
  });

  it('tells of a file that is not there', async () => {
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
    const topic = 'orbk/A:B';
    const lasts = 10 as Seconds;
    const session = recordSession(file, { seeds: [relay.address], netid: 8762, topics: [topic], lasts, clock });
    await eventually(() => relay.includedBy().length === 2);
    await eventually(() => relay.frames.some(({ rpc }) => rpc.subscriptions.some((one) => one.topic === topic)));
    light.publish(topic, frameworkKey(Buffer.alloc(32, 1)).seal(CONNECT));
    await eventually(() => readFileSync(file, 'utf8').includes(CONNECT.toString('hex')));
    await clock.advance(lasts * 1000);
    await session;
    expect([relay.heard.map((one) => one.topic), relay.faults]).toEqual([[topic], []]);
    for (const one of [light, relay]) await one.close();
    const { code, out } = await runCli(['capture', '--json', file]);
    const [row] = jsonRows<{ links: number; publications: object }>(out);
    expect([code, row?.links, row?.publications]).toEqual([0, 1, { 'orbk signed': 1 }]);
  });

  it('does both in one command, also where nobody answers', async () => {
    using folder = scratchFolder();
    const file = folder.file('session.jsonl');
    const { code, out } = await runCli(['capture', file, '--seed', '127.0.0.1:9', '--seconds', '1']);
    expect([code, out.split('\n')[0]]).toEqual([1, '0 links, 0 frames of gossip read, 0 refused']);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ is: 'start', relay: false });
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
