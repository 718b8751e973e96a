import { existsSync, readFileSync, statSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { Captured } from '../../../../src/peers/libp2p/capture.ts';
import { type CaptureStop, openCaptureFile } from '../../../../src/peers/libp2p/capture-file.ts';
import { createCaptureReader } from '../../../../src/peers/libp2p/read-capture.ts';
import { UNSURE } from '../../../../src/peers/libp2p/unsure.ts';
import type { PeerEnvelope } from '../../../../src/ports/peers.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import type { Millis } from '../../../../src/primitives/time.ts';
import { systemClock } from '../../../../src/runtime/host/clock-system.ts';
import { scratchFolder } from '../../../support/cli.ts';
import { openFramework } from '../../../support/peers/framework/open.ts';
import { lengthPrefixed } from '../../../support/peers/framework/protobuf.ts';
import { writeRpc } from '../../../support/peers/framework/rpc.ts';
import { frameworkKey } from '../../../support/peers/framework/signed.ts';
import { eventually, libp2pNode } from '../../../support/peers/libp2p-nodes.ts';

const TOPIC = 'swap/3447b727-fe93-4357-8e5a-8cf2699b7e86';
const IDENTITY = new Uint8Array(32).fill(0x5a);
const AT = 1_700_000_000_000 as Millis;

const opened: { readonly close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

function keep<T extends { close: () => Promise<void> }>(one: T): T {
  opened.push(one);
  return one;
}

/** A session of a node with a relay of the framework, behind which another node takes part in a swap. */
async function recordedSession(file: string): Promise<readonly PeerEnvelope[]> {
  const relay = keep(await openFramework({ role: 'relay', clock: systemClock() }));
  const light = keep(await openFramework({ role: 'light', clock: systemClock() }));
  light.subscribe(TOPIC);
  await light.dial(relay.address);
  const capture = openCaptureFile(file);
  const node = await libp2pNode('the recorder', {
    ...{ seeds: [relay.address], identity: IDENTITY, capture: capture.tell },
  });
  const heard: PeerEnvelope[] = [];
  node.peers.subscribe(TOPIC, (envelope) => void heard.push(envelope));
  await eventually(() => relay.includedBy().length === 2);
  await eventually(() =>
    relay.frames.some(({ from, rpc }) => from === node.id && rpc.subscriptions.some(({ topic }) => topic === TOPIC)),
  );
  const { seal } = frameworkKey(Buffer.alloc(32, 1));
  light.publish(TOPIC, seal(Buffer.from('8102c3', 'hex')));
  light.publish(TOPIC, seal(Buffer.from('8103940100cc80ccff', 'hex')));
  light.publish(TOPIC, Buffer.from('{"method":"swapstatus"}'));
  await node.peers.send(TOPIC, { kind: 'negotiated', accepted: false });
  await eventually(() => heard.length === 2 && light.heard.length === 1);
  await node.close();
  capture.close();
  return heard;
}

const linesOf = (file: string): readonly string[] => readFileSync(file, 'utf8').trimEnd().split('\n');

function reportOf(lines: readonly string[]) {
  const reader = createCaptureReader();
  for (const line of lines) reader.line(line);
  return reader.report();
}

describe('a recorded session', () => {
  it('says which rules it confirms, and holds no secret and no address', async () => {
    using folder = scratchFolder();
    const file = folder.file('session.jsonl');
    await recordedSession(file);
    const { unsure, bytes, ...rest } = reportOf(linesOf(file));
    const entries = linesOf(file).map((line) => JSON.parse(line) as Captured);
    const counted = (to: string): number =>
      entries.reduce((sum, entry) => sum + (entry.is === 'bytes' && entry.to === to ? entry.hex.length / 2 : 0), 0);
    expect(bytes).toEqual({ in: counted('here'), out: counted('there') });
    expect(rest).toEqual({
      recordings: { complete: 1, full: 0, cut: 0 },
      links: 1,
      frames: { read: 4, refused: 0 },
      publications: { 'swap signed': 2, 'swap unknown': 1 },
      damaged: 0,
    });
    expect(unsure).toEqual({
      'relay-words': { asTaken: 1, otherwise: 0 },
      'silent-relays': { asTaken: 1, otherwise: 0 },
      'mesh-keeps-links': { asTaken: 0, otherwise: 0 },
      'floodsub-on-connect': { asTaken: 1, otherwise: 0 },
      'clock-question': { asTaken: 2, otherwise: 0 },
      'newest-gossip': { asTaken: 2, otherwise: 0 },
      'low-s': { asTaken: 2, otherwise: 0 },
      'plain-payments': { asTaken: 1, otherwise: 0 },
      'bare-helpers': { asTaken: 0, otherwise: 0 },
    });
    expect(Object.keys(unsure)).toEqual(UNSURE.map(({ id }) => id));
    const text = readFileSync(file, 'utf8');
    expect([bytesToHex(IDENTITY), '127.0.0.1'].some((secret) => text.includes(secret))).toBe(false);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is heard by another node as it was by the one that recorded it', async () => {
    using folder = scratchFolder();
    const file = folder.file('session.jsonl');
    const heard = await recordedSession(file);
    const entries = linesOf(file).map((line) => JSON.parse(line) as Captured);
    const gossip = new Set(
      entries.flatMap((entry) =>
        entry.is === 'stream' && entry.protocol.startsWith('/meshsub/') ? [entry.stream] : [],
      ),
    );
    const seed = keep(await libp2pNode('the seed', { relay: true, listen: ['127.0.0.1:0'] }));
    const again: PeerEnvelope[] = [];
    seed.peers.subscribe(TOPIC, (envelope) => void again.push(envelope));
    const replayer = keep(await openFramework({ role: 'light', clock: systemClock() }));
    const to = await replayer.dial(seed.addresses[0] ?? '');
    for (const entry of entries) {
      if (entry.is !== 'bytes' || entry.to !== 'here' || !gossip.has(entry.stream)) continue;
      replayer.say(to, Buffer.from(entry.hex, 'hex'));
    }
    await eventually(() => again.length === heard.length);
    expect(again).toEqual(heard);
  });
});

describe('the reader of a recording', () => {
  const start = { is: 'start', at: AT, self: 'self', relay: false } as const;
  const link = { is: 'link', at: AT, link: 1, peer: 'peer', dialed: true } as const;
  const stream = { is: 'stream', at: AT, link: 1, stream: 1, protocol: '/meshsub/1.0.0', by: 'there' } as const;
  const said = (bytes: Uint8Array): Captured => ({
    is: 'bytes',
    at: AT,
    stream: 1,
    to: 'here',
    hex: bytesToHex(bytes),
  });
  const linesFor = (...entries: readonly Captured[]) =>
    [start, link, stream, ...entries].map((entry) => JSON.stringify(entry));

  it('reports what differs from the expected form', () => {
    const odd = Buffer.from('1a042a020a00', 'hex');
    const end = { is: 'end', at: (AT + 121_000) as Millis, link: 1 } as const;
    const envelope = frameworkKey(Buffer.alloc(32, 1)).seal(Buffer.of(1));
    const report = reportOf(
      linesFor(
        said(lengthPrefixed(odd)),
        said(lengthPrefixed(writeRpc({ iAmRelay: true, subscriptions: [{ subscribe: true, topic: 'orbk/A:B' }] }))),
        said(
          lengthPrefixed(
            writeRpc({
              published: [
                { from: Buffer.of(1), data: envelope, seqno: null, topic: 'txhlp/KMD' },
                { from: Buffer.of(1), data: Buffer.of(1, 2), seqno: null, topic: 'swapv2/x' },
                { from: Buffer.of(1), data: Buffer.of(3), seqno: null, topic: 'made up' },
                { from: Buffer.of(1), data: Buffer.of(4), seqno: null, topic: 'and another/x' },
              ],
            }),
          ),
        ),
        end,
      ),
    );
    expect(report).toMatchObject({
      frames: { read: 3, refused: 0 },
      publications: { 'swapv2 passed over': 1, 'txhlp signed': 1, 'other passed over': 2 },
      unsure: {
        'relay-words': { asTaken: 1, otherwise: 1 },
        'silent-relays': { asTaken: 0, otherwise: 1 },
        'mesh-keeps-links': { asTaken: 1, otherwise: 0 },
        'newest-gossip': { asTaken: 0, otherwise: 1 },
        'bare-helpers': { asTaken: 0, otherwise: 1 },
      },
    });
  });

  it('continues after lines that are invalid, and stops where a length is invalid', () => {
    const frame = lengthPrefixed(writeRpc({ iAmRelay: true }));
    const lines = linesFor(said(frame), said(new Uint8Array(40).fill(0xff)), said(frame));
    const damaged = ['', '{', '[]', '{"is":"bytes","at":1,"stream":1,"to":"here","hex":"0g"}', '{"is":"other","at":1}'];
    const report = reportOf([...lines.slice(0, 4), ...damaged.slice(1), ...lines.slice(4)]);
    expect(report).toMatchObject({ frames: { read: 1, refused: 1 }, damaged: 4 });
  });
});

describe('the file of a recording', () => {
  it('ends before it grows too long, and continues after what it held', () => {
    using folder = scratchFolder();
    const file = folder.file('session.jsonl');
    const entry = { is: 'end', at: AT, link: 1 } as const;
    const stops: CaptureStop[] = [];
    for (let times = 0; times < 2; times++) {
      const capture = openCaptureFile(file, { mostBytes: 100, onStop: (stop) => void stops.push(stop) });
      for (let count = 0; count < 10; count++) capture.tell(entry);
      capture.close();
    }
    const full = { is: 'stop', at: AT, why: 'full' };
    expect(linesOf(file)).toEqual([entry, entry, full, entry, entry, full].map((each) => JSON.stringify(each)));
    const bytes = 2 * (JSON.stringify(entry).length + 1);
    expect(stops).toEqual([1, 2].map(() => ({ why: 'full', reason: 'it may have 100 bytes', bytes })));
  });

  it.runIf(existsSync('/dev/full'))('ends when the disk is full, reports that, and keeps the node running', () => {
    const stops: CaptureStop[] = [];
    const capture = openCaptureFile('/dev/full', { onStop: (stop) => void stops.push(stop) });
    for (let count = 0; count < 3; count++) capture.tell({ is: 'end', at: AT, link: 1 });
    capture.close();
    expect(stops).toEqual([{ why: 'failed', reason: 'ENOSPC', bytes: 0 }]);
  });

  it('is refused if it cannot be created', () => {
    using folder = scratchFolder();
    expect(() => openCaptureFile(folder.file('absent/session.jsonl'))).toThrow(
      expect.objectContaining({ code: 'PEER_CAPTURE_FILE' }),
    );
  });
});
