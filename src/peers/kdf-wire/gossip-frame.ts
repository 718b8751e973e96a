import { utf8Text } from './message-pack-reader.ts';
import { type Decoded, decoded } from './problem.ts';
import { type ProtobufReader, protobufReader } from './protobuf-reader.ts';
import { protobufWriter } from './protobuf-writer.ts';
import { LONGEST_TOPIC } from './topics.ts';

// The RPC of gossipsub 1.1 with the relays' extension: what goes over a stream, each with its length before it.

/** Bytes of the longest frame that the framework takes. */
export const MOST_FRAME_BYTES = 1_048_476;

/** More than any frame of the framework holds of each. */
const MOST = { subscriptions: 4096, publications: 1024, grafts: 1024 } as const;
const SEQNO_BYTES = 8;
const MOST_PEER_ID_BYTES = 64;

export type Subscription = { readonly subscribe: boolean; readonly topic: string };

export type Publication = {
  /** Id of the peer that published it; nobody checks it, the envelope tells who signed. */
  readonly from: Uint8Array;
  readonly data: Uint8Array;
  /** Of 8 bytes; null where there is none. */
  readonly seqno: Uint8Array | null;
  readonly topic: string;
};

/** What is read of a frame, and what is written into one. The rest of gossipsub, such as what a mesh offers, is passed over. */
export type GossipFrame = {
  readonly subscriptions: readonly Subscription[];
  readonly publications: readonly Publication[];
  /** Topics of which the sender wants the reader in its mesh, and of which it wants it there no more. */
  readonly grafts: readonly string[];
  readonly prunes: readonly string[];
  /** The sender is a relay. */
  readonly iAmRelay: boolean | null;
  /** The sender takes the reader into its mesh of relays, or takes it out, and how many relays it has. */
  readonly included: { readonly included: boolean; readonly meshSize: number } | null;
  readonly meshSize: number | null;
};

const EMPTY: GossipFrame = {
  subscriptions: [],
  publications: [],
  grafts: [],
  prunes: [],
  iAmRelay: null,
  included: null,
  meshSize: null,
};

/** A frame without its length. */
export function encodeFrame(frame: Partial<GossipFrame>): Uint8Array {
  const { subscriptions, publications, grafts, prunes, iAmRelay, included, meshSize } = { ...EMPTY, ...frame };
  const rpc = protobufWriter();
  for (const { subscribe, topic } of subscriptions) {
    const one = protobufWriter();
    one.number(1, subscribe ? 1 : 0);
    one.text(2, topic);
    rpc.bytes(1, one.done());
  }
  for (const { from, data, seqno, topic } of publications) {
    const one = protobufWriter();
    one.bytes(1, from);
    one.bytes(2, data);
    if (seqno !== null) one.bytes(3, seqno);
    one.text(4, topic);
    rpc.bytes(2, one.done());
  }
  const control = protobufWriter();
  for (const topic of grafts) control.bytes(3, topicOnly(topic));
  for (const topic of prunes) control.bytes(4, topicOnly(topic));
  if (iAmRelay !== null) control.number(5, iAmRelay ? 1 : 0);
  if (included !== null) {
    const one = protobufWriter();
    one.number(1, included.included ? 1 : 0);
    one.number(2, included.meshSize);
    control.bytes(6, one.done());
  }
  if (meshSize !== null) control.number(7, meshSize);
  const controlBytes = control.done();
  if (controlBytes.length > 0) rpc.bytes(3, controlBytes);
  return rpc.done();
}

function topicOnly(topic: string): Uint8Array {
  const one = protobufWriter();
  one.text(1, topic);
  return one.done();
}

type Draft = { -readonly [Name in keyof GossipFrame]: GossipFrame[Name] } & {
  subscriptions: Subscription[];
  publications: Publication[];
  grafts: string[];
  prunes: string[];
};

/** Reads a frame. A topic that is too long for any is omitted with what it says. Never throws. */
export function decodeFrame(bytes: Uint8Array): Decoded<GossipFrame> {
  return decoded(() => {
    const frame: Draft = { ...EMPTY, subscriptions: [], publications: [], grafts: [], prunes: [] };
    const reader = protobufReader(bytes);
    for (let field = reader.field(); field !== null; field = reader.field()) {
      if (field === 1) readSubscription(reader, frame);
      else if (field === 2) readPublication(reader, frame);
      else if (field === 3) readControl(reader.message(), frame);
      else reader.skip();
    }
    return frame;
  });
}

/** A field of the words about a mesh, as it stands in a frame. */
export type ControlField = { readonly field: number; readonly isNumber: boolean };

/** Which fields the words about a mesh have; none where the frame is none. Never throws. */
export function controlFields(bytes: Uint8Array): readonly ControlField[] {
  const read = decoded(() => {
    const found: ControlField[] = [];
    const reader = protobufReader(bytes);
    for (let field = reader.field(); field !== null; field = reader.field()) {
      if (field !== 3) {
        reader.skip();
        continue;
      }
      const control = reader.message();
      for (let inner = control.field(); inner !== null; inner = control.field()) {
        found.push({ field: inner, isNumber: control.isNumber() });
        control.skip();
      }
    }
    return found;
  });
  return read.ok ? read.value : [];
}

function readSubscription(reader: ProtobufReader, { subscriptions }: Draft): void {
  const inner = reader.message();
  let subscribe = false;
  let topic: string | null = null;
  for (let field = inner.field(); field !== null; field = inner.field()) {
    if (field === 1) subscribe = inner.number() !== 0;
    else if (field === 2) topic = readTopic(inner);
    else inner.skip();
  }
  if (subscriptions.length >= MOST.subscriptions) reader.fail(`at most ${MOST.subscriptions} subscriptions`);
  if (topic !== null) subscriptions.push({ subscribe, topic });
}

function readPublication(reader: ProtobufReader, { publications }: Draft): void {
  const inner = reader.message();
  let [from, data, seqno]: [Uint8Array, Uint8Array, Uint8Array | null] = [new Uint8Array(0), new Uint8Array(0), null];
  let topic: string | null = null;
  for (let field = inner.field(); field !== null; field = inner.field()) {
    if (field === 1) from = inner.bytes(MOST_FRAME_BYTES);
    else if (field === 2) data = inner.bytes(MOST_FRAME_BYTES);
    else if (field === 3) seqno = inner.bytes(MOST_FRAME_BYTES);
    else if (field === 4) topic = readTopic(inner);
    else inner.skip();
  }
  if (publications.length >= MOST.publications) reader.fail(`at most ${MOST.publications} publications`);
  // The framework loses a message whose number or sender is none, and keeps the link.
  const isSound = from.length <= MOST_PEER_ID_BYTES && (seqno === null || [0, SEQNO_BYTES].includes(seqno.length));
  if (topic !== null && isSound) publications.push({ from, data, seqno: seqno?.length === 0 ? null : seqno, topic });
}

function readControl(reader: ProtobufReader, frame: Draft): void {
  for (let field = reader.field(); field !== null; field = reader.field()) {
    if (field === 3 || field === 4) readTopicOnly(reader, field === 3 ? frame.grafts : frame.prunes);
    // The same number says "I do not want" in newer releases of gossipsub, which have a message there.
    else if (field === 5 && reader.isNumber()) frame.iAmRelay = reader.number() !== 0;
    else if (field === 6 && !reader.isNumber()) frame.included = readIncluded(reader.message());
    else if (field === 7 && reader.isNumber()) frame.meshSize = reader.number();
    else reader.skip();
  }
}

function readTopicOnly(reader: ProtobufReader, topics: string[]): void {
  const inner = reader.message();
  for (let field = inner.field(); field !== null; field = inner.field()) {
    const topic = field === 1 ? readTopic(inner) : inner.skip();
    if (typeof topic === 'string' && topics.length < MOST.grafts) topics.push(topic);
  }
}

function readIncluded(reader: ProtobufReader): { included: boolean; meshSize: number } {
  let [included, meshSize] = [false, 0];
  for (let field = reader.field(); field !== null; field = reader.field()) {
    if (field === 1) included = reader.number() !== 0;
    else if (field === 2) meshSize = reader.number();
    else reader.skip();
  }
  return { included, meshSize };
}

function readTopic(reader: ProtobufReader): string | null {
  const bytes = reader.bytes(MOST_FRAME_BYTES);
  if (bytes.length > LONGEST_TOPIC) return null;
  return utf8Text(bytes);
}
