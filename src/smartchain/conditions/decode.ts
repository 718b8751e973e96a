import { type ByteReader, byteReader, failReading, remainingBytes } from '../../htlc/byte-reader.ts';
import { MAX_SCRIPT_BYTES } from '../../htlc/script.ts';
import { rememberingBytes } from '../../primitives/remember.ts';
import {
  CONDITION_TYPE,
  type Condition,
  cost,
  type HiddenCondition,
  isCompound,
  MAX_CONDITION_DEPTH,
} from './condition.ts';
import { compareBytes, MAX_UNSIGNED, nestedTag, readBitSet, readElement, readUnsigned, simpleTag } from './der.ts';

const KNOWN_TYPES: ReadonlySet<number> = new Set(Object.values(CONDITION_TYPE));

/**
 * The condition that an output commits to. Undefined unless the bytes are DER to the last bit, of a type that the smart-chain
 * node knows (RSA is not one), with a cost of at most four bytes. All byte arrays are views of `bytes`.
 */
export function decodeCondition(bytes: Uint8Array): HiddenCondition | undefined {
  return wholly(bytes, readCondition);
}

/**
 * A fulfillment as a condition with its signatures: a threshold requires as many parts as are shown, and the others are hidden ones. Undefined unless
 * the bytes are canonical DER, at most 16 levels deep and no longer than the longest script. Does not verify signatures. All byte arrays are views of
 * `bytes`.
 *
 * The node insists on one encoding of each: lengths and numbers in the shortest form, sets in their order, parts shown if they can be. So whatever is
 * read is written again with the same bytes, and nobody can change the id of a transaction without touching a signature.
 */
export function decodeFulfillment(bytes: Uint8Array): Condition | undefined {
  const condition = wholly(bytes, (reader) => readFulfillment(reader, 1));
  return condition === undefined || cost(condition) > MAX_UNSIGNED ? undefined : condition;
}

/** As many as an usual transaction has inputs, and what a fulfillment may take in memory beside them. */
const REMEMBERED = 256;
const LONGEST_KEPT = 2048;
const decoded = rememberingBytes(decodeFulfillment, REMEMBERED);

/** The same as {@link decodeFulfillment}, for rules that ask about one several times in a row. The byte arrays are no views of `bytes`. */
export function decodeFulfillmentAgain(bytes: Uint8Array): Condition | undefined {
  return bytes.length > LONGEST_KEPT ? decodeFulfillment(bytes) : decoded(bytes);
}

function wholly<Item>(bytes: Uint8Array, read: (reader: ByteReader) => Item | undefined): Item | undefined {
  if (bytes.length > MAX_SCRIPT_BYTES) return undefined;
  const reader = byteReader(bytes);
  const item = read(reader);
  return reader.problem === undefined && remainingBytes(reader) === 0 ? item : undefined;
}

function readCondition(reader: ByteReader): HiddenCondition | undefined {
  const start = reader.offset;
  const typeId = (reader.bytes[start] ?? 0) & 0x1f;
  if (!KNOWN_TYPES.has(typeId)) return refuse(reader, `holds a condition of type ${typeId}`);
  const fields = byteReader(readElement(reader, nestedTag(typeId)));
  const fingerprint = readElement(fields, simpleTag(0));
  const cost = readUnsigned(fields, simpleTag(1));
  const subtypes = isCompound(typeId) ? readBitSet(fields, simpleTag(2)) : 0;
  if (fingerprint.length !== 32 || !isRead(fields)) return refuse(reader, 'holds a condition of an unknown form');
  return { type: 'hidden', der: reader.bytes.subarray(start, reader.offset), typeId, fingerprint, cost, subtypes };
}

function readFulfillment(reader: ByteReader, depth: number): Condition | undefined {
  if (depth > MAX_CONDITION_DEPTH) return refuse(reader, 'holds too many nested conditions');
  const typeId = (reader.bytes[reader.offset] ?? 0) & 0x1f;
  const fields = byteReader(readElement(reader, nestedTag(typeId)));
  const condition = readFields(fields, { typeId, depth });
  return condition !== undefined && isRead(fields)
    ? condition
    : refuse(reader, 'holds a fulfillment of an unknown form');
}

function readFields(
  fields: ByteReader,
  of: { readonly typeId: number; readonly depth: number },
): Condition | undefined {
  switch (of.typeId) {
    case CONDITION_TYPE.preimage:
      return { type: 'preimage', preimage: readElement(fields, simpleTag(0)) };
    case CONDITION_TYPE.eval:
      return { type: 'eval', code: readElement(fields, simpleTag(0)) };
    case CONDITION_TYPE.key:
    case CONDITION_TYPE.ed25519: {
      const type = of.typeId === CONDITION_TYPE.key ? 'key' : 'ed25519';
      const key = readElement(fields, simpleTag(0));
      const signature = readElement(fields, simpleTag(1));
      return key.length === (type === 'key' ? 33 : 32) && signature.length === 64
        ? { type, key, signature }
        : undefined;
    }
    case CONDITION_TYPE.prefix: {
      const prefix = readElement(fields, simpleTag(0));
      const maxMessageLength = readUnsigned(fields, simpleTag(1));
      const inner = byteReader(readElement(fields, nestedTag(2)));
      const condition = readFulfillment(inner, of.depth + 1);
      return condition !== undefined && isRead(inner)
        ? { type: 'prefix', prefix, maxMessageLength, condition }
        : undefined;
    }
    case CONDITION_TYPE.threshold:
      return readThreshold(fields, of.depth);
    default:
      return undefined;
  }
}

function readThreshold(fields: ByteReader, depth: number): Condition | undefined {
  const shown = readSet(readElement(fields, nestedTag(0)), (reader) => readFulfillment(reader, depth + 1));
  const rest = readSet<Condition>(readElement(fields, nestedTag(1)), readCondition);
  if (shown === undefined || rest === undefined || shown.length === 0) return undefined;
  return { type: 'threshold', threshold: shown.length, conditions: [...shown, ...rest] };
}

/** Elements of a SET OF, which must be sorted. */
function readSet<Item>(content: Uint8Array, read: (reader: ByteReader) => Item | undefined): Item[] | undefined {
  const reader = byteReader(content);
  const items: Item[] = [];
  let before = content.subarray(0, 0);
  while (remainingBytes(reader) > 0) {
    const start = reader.offset;
    const item = read(reader);
    const element = content.subarray(start, reader.offset);
    if (item === undefined || compareBytes(before, element) > 0) return undefined;
    items.push(item);
    before = element;
  }
  return reader.problem === undefined ? items : undefined;
}

function isRead(reader: ByteReader): boolean {
  return reader.problem === undefined && remainingBytes(reader) === 0;
}

function refuse(reader: ByteReader, problem: string): undefined {
  failReading(reader, problem);
}
