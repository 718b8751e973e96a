import { curve, hasLowS } from '../../curve/index.ts';
import { sha256 } from '../../primitives/hash.ts';
import { hexToBytes, isHex } from '../../primitives/hex.ts';
import { decodeClockAnswer, isClockRequest } from '../kdf-wire/clock-request.ts';
import { decodeEnvelope } from '../kdf-wire/envelope.ts';
import { controlFields, decodeFrame, type GossipFrame, MOST_FRAME_BYTES } from '../kdf-wire/gossip-frame.ts';
import { topicKind } from '../kdf-wire/topics.ts';
import type { Captured, End } from './capture.ts';
import { REQUEST_PROTOCOL } from './clock-check.ts';
import { readPublication } from './codec.ts';
import { FLOOD_PROTOCOL } from './floodsub.ts';
import { createFrameSplitter, type FrameSplitter } from './frame-splitter.ts';
import { GOSSIP_PROTOCOLS } from './peer.ts';
import { type Borne, UNSURE, type UnsureId } from './unsure.ts';

/** What a recording says of the network. */
export type CaptureReport = {
  /** Recordings in the file: those that hold their session until its end, those that became too long, and those of a process that was killed or is still recording. */
  readonly recordings: { readonly complete: number; readonly full: number; readonly cut: number };
  readonly links: number;
  /** Bytes on the recorded streams. */
  readonly bytes: { readonly in: number; readonly out: number };
  /** Frames of gossip that arrived, and those that could not be read. */
  readonly frames: { readonly read: number; readonly refused: number };
  /** Publications that arrived, by the beginning of their topic and by what they turned out to be. */
  readonly publications: Readonly<Record<string, number>>;
  /** Unreadable lines of the recording. */
  readonly damaged: number;
  readonly unsure: Readonly<Record<UnsureId, Borne>>;
};

export type CaptureReader = {
  /** Takes the next line. Never throws. */
  readonly line: (text: string) => void;
  readonly report: () => CaptureReport;
};

/** Milliseconds after which the framework ends an idle link. */
const IDLE = 120_000;

type Link = { readonly since: number; isRelay: boolean; announces: boolean };
type Stream = {
  readonly link: Link | undefined;
  readonly protocol: string;
  readonly by: End;
  readonly frames: FrameSplitter;
};

/** Reads a recording as the node would have read its content, and counts what confirms the inferred rules. */
export function createCaptureReader(): CaptureReader {
  const borne = Object.fromEntries(UNSURE.map(({ id }) => [id, { asTaken: 0, otherwise: 0 }])) as Tally['borne'];
  const tally: Tally = {
    ...{ links: 0, read: 0, refused: 0, damaged: 0, in: 0, out: 0, publications: new Map(), borne },
    recordings: { begun: 0, complete: 0, full: 0 },
  };
  const reading: Reading = { tally, links: new Map(), streams: new Map(), isOpen: false };
  return {
    line(text) {
      const entry = entryOf(text);
      if (entry === null) tally.damaged += 1;
      else take(reading, entry);
    },
    report: () => ({
      recordings: recordingsOf(tally),
      links: tally.links,
      bytes: { in: tally.in, out: tally.out },
      frames: { read: tally.read, refused: tally.refused },
      publications: Object.fromEntries([...tally.publications].toSorted()),
      damaged: tally.damaged,
      unsure: structuredClone(tally.borne),
    }),
  };
}

/** What is read from a file. */
type Reading = {
  readonly tally: Tally;
  readonly links: Map<number, Link>;
  readonly streams: Map<number, Stream>;
  /** Whether a recording has begun and not said that it is over. */
  isOpen: boolean;
};

function take(reading: Reading, entry: Captured): void {
  const { tally, links, streams } = reading;
  switch (entry.is) {
    case 'start':
      tally.recordings.begun += 1;
      reading.isOpen = true;
      links.clear();
      streams.clear();
      break;
    case 'stop':
      // Reported once for each recording.
      if (reading.isOpen) tally.recordings[entry.why === 'closed' ? 'complete' : 'full'] += 1;
      reading.isOpen = false;
      break;
    case 'link':
      tally.links += 1;
      links.set(entry.link, { since: entry.at, isRelay: false, announces: false });
      break;
    case 'stream': {
      const { protocol, by } = entry;
      const frames = createFrameSplitter(MOST_FRAME_BYTES);
      streams.set(entry.stream, { link: links.get(entry.link), protocol, by, frames });
      opened(tally, { protocol, by });
      break;
    }
    case 'bytes':
      tally[entry.to === 'here' ? 'in' : 'out'] += entry.hex.length / 2;
      if (entry.to === 'here') came(reading, entry);
      break;
    default:
      ended(tally, links.get(entry.link), entry.at);
      links.delete(entry.link);
  }
}

function came({ tally, streams }: Reading, entry: Extract<Captured, { is: 'bytes' }>): void {
  const stream = streams.get(entry.stream);
  // Drops what follows an invalid length.
  if (stream !== undefined && !received(tally, { stream, bytes: hexToBytes(entry.hex) })) streams.delete(entry.stream);
}

function recordingsOf({ recordings: { begun, complete, full } }: Tally): CaptureReport['recordings'] {
  return { complete, full, cut: begun - complete - full };
}

type Tally = {
  readonly recordings: { begun: number; complete: number; full: number };
  in: number;
  out: number;
  links: number;
  read: number;
  refused: number;
  damaged: number;
  readonly publications: Map<string, number>;
  readonly borne: Record<UnsureId, { asTaken: number; otherwise: number }>;
};

const KINDS: ReadonlySet<unknown> = new Set<Captured['is']>(['start', 'link', 'stream', 'bytes', 'end', 'stop']);

function entryOf(text: string): Captured | null {
  try {
    const entry = JSON.parse(text) as Captured;
    if (!KINDS.has(entry.is) || !Number.isFinite(entry.at)) return null;
    if (entry.is === 'bytes' && !(typeof entry.hex === 'string' && isHex(entry.hex))) return null;
    return entry;
  } catch {
    return null;
  }
}

function bear({ borne }: Tally, id: UnsureId, asTaken: boolean): void {
  borne[id][asTaken ? 'asTaken' : 'otherwise'] += 1;
}

function opened(tally: Tally, { protocol, by }: { readonly protocol: string; readonly by: End }): void {
  if (protocol === FLOOD_PROTOCOL && by === 'there') bear(tally, 'floodsub-on-connect', true);
  if (GOSSIP_PROTOCOLS.includes(protocol)) bear(tally, 'newest-gossip', protocol === GOSSIP_PROTOCOLS[0]);
}

function ended(tally: Tally, link: Link | undefined, at: number): void {
  if (link === undefined) return;
  if (link.isRelay || link.announces) bear(tally, 'silent-relays', !(link.isRelay && link.announces));
  if (link.isRelay && at - link.since > IDLE) bear(tally, 'mesh-keeps-links', true);
}

/** @returns false if the rest of the stream is unreadable */
function received(tally: Tally, { stream, bytes }: { readonly stream: Stream; readonly bytes: Uint8Array }): boolean {
  const isGossip = GOSSIP_PROTOCOLS.includes(stream.protocol);
  if (!isGossip && stream.protocol !== REQUEST_PROTOCOL) return false;
  stream.frames.push(bytes);
  for (;;) {
    const next = stream.frames.next();
    if (next.is === 'none') return true;
    if (next.is === 'fault') {
      tally.refused += 1;
      return false;
    }
    if (isGossip) gossiped(tally, { link: stream.link, frame: next.frame });
    else asked(tally, { by: stream.by, frame: next.frame });
  }
}

function asked(tally: Tally, { by, frame }: { readonly by: End; readonly frame: Uint8Array }): void {
  bear(tally, 'clock-question', by === 'there' ? isClockRequest(frame) : decodeClockAnswer(frame).ok);
}

function gossiped(
  tally: Tally,
  { link, frame }: { readonly link: Link | undefined; readonly frame: Uint8Array },
): void {
  const read = decodeFrame(frame);
  if (!read.ok) {
    tally.refused += 1;
    return;
  }
  tally.read += 1;
  for (const { field, isNumber } of controlFields(frame)) {
    if (field >= 5) bear(tally, 'relay-words', field <= 7 && isNumber === (field !== 6));
  }
  if (link !== undefined) heardOf(link, read.value);
  for (const { topic, data } of read.value.publications) published(tally, { topic, data });
}

function heardOf(link: Link, { iAmRelay, subscriptions }: GossipFrame): void {
  if (iAmRelay === true) link.isRelay = true;
  if (subscriptions.length > 0) link.announces = true;
}

const KNOWN_TOPICS: ReadonlySet<string> = new Set(['swap', 'swpwtchr', 'txhlp', 'orbk', 'swapv2', 'hcheck']);

function published(tally: Tally, { topic, data }: { readonly topic: string; readonly data: Uint8Array }): void {
  const kind = topicKind(topic);
  const read = kind === null ? null : readPublication(kind, data);
  const [first = ''] = topic.split('/', 1);
  // Invented topics are not kept.
  const name = `${KNOWN_TOPICS.has(first) ? first : 'other'} ${read?.is ?? 'passed over'}`;
  tally.publications.set(name, (tally.publications.get(name) ?? 0) + 1);
  const envelope = decodeEnvelope(data);
  if (kind === 'helpers') bear(tally, 'bare-helpers', !envelope.ok);
  else if (envelope.ok) {
    const { key, signature, payload } = envelope.value;
    if (curve.verify({ hash: sha256(payload), signature, publicKey: key })) bear(tally, 'low-s', hasLowS(signature));
  }
  if (read?.is === 'signed' && read.of === 'swap') {
    const { message } = read;
    if (message.kind === 'makerPayment') bear(tally, 'plain-payments', message.instructions === null);
    else if (message.kind === 'takerFee') bear(tally, 'plain-payments', message.instructions === undefined);
  }
}
