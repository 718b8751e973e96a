import { randomBytes } from 'node:crypto';
import type { Connection, Stream } from '@libp2p/interface';
import type { Clock } from '../../../../src/ports/clock.ts';
import type { Millis } from '../../../../src/primitives/time.ts';
import { type Packed, type PackedMap, pack, unpack, variant } from './message-pack.ts';
import { lengthPrefixed, messageOf, takeFrames } from './protobuf.ts';

export const PING = '/ipfs/ping/1.0.0';
export const FLOODSUB = '/floodsub/1.0.0';
export const REQUESTS = '/request-response/2';
export const PEERS_EXCHANGE = '/peers-exchange/2';

const MOST_SECONDS_APART = 20;
const PING_TIMEOUT = 20_000;
const ASKED = 10_000;

export function onBytes(stream: Stream, take: (bytes: Buffer) => void): void {
  stream.addEventListener('message', ({ data }) => take(Buffer.from(data.subarray())));
}

export function frames(stream: Stream, take: (frame: Buffer) => void): void {
  let held = Buffer.alloc(0);
  onBytes(stream, (bytes) => {
    const taken = takeFrames(Buffer.concat([held, bytes]));
    held = Buffer.from(taken.rest);
    for (const frame of taken.frames) take(frame);
  });
}

export function answerPing(stream: Stream): void {
  onBytes(stream, (bytes) => void stream.send(bytes));
}

/** Anything but the same bytes in time is a failure, and so is a node that has no pings. */
export async function ping(connection: Connection, clock: Clock): Promise<boolean> {
  try {
    const stream = await connection.newStream(PING);
    const sent = randomBytes(32);
    const answer = new Promise<boolean>((resolve) => {
      clock.wakeAt((clock.now() + PING_TIMEOUT) as Millis, () => resolve(false));
      onBytes(stream, (bytes) => resolve(bytes.equals(sent)));
      stream.addEventListener('close', () => resolve(false));
    });
    stream.send(sent);
    const good = await answer;
    await stream.close().catch(() => {});
    return good;
  } catch {
    return false;
  }
}

/** Tells that it wants the addresses of relays. A node that has no floodsub fails it. */
export async function subscribePeers(connection: Connection): Promise<boolean> {
  try {
    const stream = await connection.newStream(FLOODSUB);
    const subscription = messageOf([
      { no: 1, value: 1 },
      { no: 2, value: Buffer.from('PEERS') },
    ]);
    stream.send(lengthPrefixed(messageOf([{ no: 1, value: subscription }])));
    await stream.close();
    return true;
  } catch {
    return false;
  }
}

/** One request and its answer; null where there is none in time, or the node has no such protocol. */
async function ask(
  connection: Connection,
  asked: { protocol: string; request: Buffer; clock: Clock },
): Promise<Buffer | null> {
  const { protocol, request, clock } = asked;
  try {
    const stream = await connection.newStream(protocol);
    const answer = new Promise<Buffer | null>((resolve) => {
      clock.wakeAt((clock.now() + ASKED) as Millis, () => resolve(null));
      frames(stream, resolve);
      stream.addEventListener('close', () => resolve(null));
    });
    stream.send(lengthPrefixed(request));
    const found = await answer;
    await stream.close().catch(() => {});
    return found;
  } catch {
    return null;
  }
}

/** Whether the other node's clock is near enough. One that gives no answer is taken; one whose answer is none is not. */
export async function isNearInTime(
  connection: Connection,
  { clock, now }: { clock: Clock; now: () => number },
): Promise<boolean> {
  const inner = pack(variant(1, variant(1, null)));
  const answer = await ask(connection, { protocol: REQUESTS, request: pack([[...inner]]), clock });
  if (answer === null) return true;
  try {
    const [[index, content] = []] = (unpack(answer) as PackedMap).pairs;
    if (index !== 0) return true;
    const [bytes] = content as readonly (readonly number[])[];
    const told = unpack(Buffer.from(bytes ?? []));
    return typeof told === 'number' && Math.abs(told - now()) <= MOST_SECONDS_APART;
  } catch {
    return false;
  }
}

/** Tells the time; to other questions that there is no answer. */
export function answerRequest(stream: Stream, now: () => number): void {
  frames(stream, (frame) => {
    const [bytes] = unpack(frame) as readonly (readonly number[])[];
    const [[kind, inner] = []] = (unpack(Buffer.from(bytes ?? [])) as PackedMap).pairs;
    const [[asked] = []] = (inner as PackedMap).pairs;
    const told = kind === 1 && asked === 1 ? variant(0, [[...pack(now())]]) : variant(1, null);
    stream.send(lengthPrefixed(pack(told)));
    void stream.close();
  });
}

/** A relay with its addresses, as relays tell of one another. */
export type KnownPeer = { readonly id: Buffer; readonly addresses: readonly string[] };

/** Who asks for more than twenty gets no answer. */
export function answerPeersExchange(stream: Stream, known: () => readonly KnownPeer[]): void {
  frames(stream, (frame) => {
    const [[, content] = []] = (unpack(frame) as PackedMap).pairs;
    const [count] = content as readonly number[];
    if (count === undefined || count > 20) return;
    const pairs = known()
      .slice(0, count)
      .map(({ id, addresses }) => [[...id] as Packed, [...addresses] as Packed] as const);
    stream.send(lengthPrefixed(pack(variant(0, [{ pairs }]))));
    void stream.close();
  });
}

/** Asks for up to twenty relays; null where there is no answer. */
export async function askForPeers(connection: Connection, clock: Clock): Promise<readonly KnownPeer[] | null> {
  const answer = await ask(connection, { protocol: PEERS_EXCHANGE, request: pack(variant(0, [20])), clock });
  if (answer === null) return null;
  const [[, content] = []] = (unpack(answer) as PackedMap).pairs;
  const [map] = content as readonly PackedMap[];
  return (map?.pairs ?? []).map(([id, addresses]) => ({
    id: Buffer.from(id as readonly number[]),
    addresses: addresses as readonly string[],
  }));
}
