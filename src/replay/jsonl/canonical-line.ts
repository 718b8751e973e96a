import { catalog, type Role } from '../../events/catalog.ts';
import { IMPORTED } from '../../events/jsonl.ts';
import {
  instructions,
  noData,
  optionalTransaction,
  revealingSpend,
  transaction,
  transactionOrNoData,
} from '../../events/payloads.ts';
import type { Uuid } from '../../primitives/ids.ts';
import { createHeadScanner } from './head-scanner.ts';
import { type LazyPayload, LazyTransaction } from './lazy.ts';
import { createPayloadScanner, NOT_CANONICAL, type RecordPlan } from './payload-scanner.ts';
import { templateOf } from './template.ts';
import type { ScanMemory } from './wasm-hex.ts';

// The canonical form of a line is what the log writer makes:
//
//   {"stream":"taker-swap/<uuid>","seq":N,"at":N,"type":"X","version":1,"data":…,"hash":"<64 hex digits>"}
//
// members in this order, no white space, hex in lower case, plain ASCII, payload members in the schema's order. The scan
// accepts a subset of the lines that the parser accepts, and reads them alike; whatever it does not accept is no fault,
// but goes to the parser.

const TAKER_FRONT = '{"stream":"taker-swap/';
const MAKER_FRONT = '{"stream":"maker-swap/';
const FRONT_LENGTH = 22;
const UUID_LENGTH = 36;
const SEQ = '","seq":';
const SEQ_LENGTH = 8;
const HEADER_LENGTH = FRONT_LENGTH + UUID_LENGTH + SEQ_LENGTH;
const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CLOSING_BRACE = 0x7d;

type PayloadForm =
  | { readonly form: 'transaction'; readonly nullable: boolean }
  | { readonly form: 'nothing' }
  | { readonly form: 'spend' }
  | { readonly form: 'head' }
  | { readonly form: 'record'; readonly plan: RecordPlan };

type TypePlan = {
  readonly type: string;
  readonly literal: number;
  readonly length: number;
  readonly payload: PayloadForm;
};

/** A line in canonical form. `lazy` is what `data` still reads from the scan memory. */
export type CanonicalLine = {
  role: Role;
  /** The line belongs to the stream of the line noted last. */
  sameStream: boolean;
  seq: number;
  at: number;
  type: string;
  data: unknown;
  lazy: LazyPayload | undefined;
};

export type CanonicalScanner = {
  /** The end of the canonical line at `at`, with its line feed; {@link NOT_CANONICAL} where the parser has to read it. */
  readonly scan: (at: number, until: number) => number;
  /** What the latest scan found. */
  readonly line: CanonicalLine;
  /** Stream key and UUID of the line at `at`, which was found canonical; its stream is from now on the noted one. */
  readonly note: (at: number) => { readonly key: string; readonly uuid: Uuid };
  /** Notes the stream of the given key, which a line in another spelling had. */
  readonly noteKey: (key: string) => void;
};

function emptyLine(): CanonicalLine {
  return { role: 'taker', sameStream: false, seq: 0, at: 0, type: '', data: null, lazy: undefined };
}

/** A scanner of canonical lines in the given memory. */
export function createCanonicalScanner(memory: ScanMemory): CanonicalScanner {
  const { same, hexRun, literal, text } = memory;
  const payloads = createPayloadScanner(memory);
  const scanHead = createHeadScanner(memory);
  const literals = {
    taker: literal(TAKER_FRONT),
    maker: literal(MAKER_FRONT),
    seq: literal(SEQ),
    at: literal(',"at":'),
    type: literal(',"type":"'),
    hash: literal(',"hash":"'),
    txHex: literal('{"tx_hex":"'),
    txHash: literal('","tx_hash":"'),
    spend: literal('{"transaction":'),
    secret: literal(',"secret":"'),
    nothing: literal('null'),
  };
  const plans: Readonly<Record<Role, readonly TypePlan[]>> = { taker: plansOf('taker'), maker: plansOf('maker') };
  // Which type followed which last time: swaps take the same few ways.
  const followers: Readonly<Record<Role, Int16Array>> = {
    taker: new Int16Array(plans.taker.length + 1),
    maker: new Int16Array(plans.maker.length + 1),
  };
  const noted = memory.notes;
  let notedRole: Role | undefined;
  let previous = 0;
  const line: CanonicalLine = emptyLine();

  function plansOf(role: Role): TypePlan[] {
    const plan = (type: string, payload: PayloadForm): TypePlan => {
      const text = `${type}","version":1,"data":`;
      return { type, literal: literal(text), length: text.length, payload };
    };
    const known = [...catalog[role].values()].flatMap(({ type, payload }) => {
      const form = formOf(payload);
      return form === undefined ? [] : [plan(type, form)];
    });
    return [plan(IMPORTED, { form: 'head' }), ...known];
  }

  function formOf(schema: unknown): PayloadForm | undefined {
    if (schema === transaction) return { form: 'transaction', nullable: false };
    if (schema === optionalTransaction) return { form: 'transaction', nullable: true };
    if (schema === noData || schema === transactionOrNoData || schema === instructions) return { form: 'nothing' };
    if (schema === revealingSpend) return { form: 'spend' };
    const template = templateOf(schema as Parameters<typeof templateOf>[0]);
    const plan = template === undefined ? undefined : payloads.plan(template);
    return plan === undefined ? undefined : { form: 'record', plan };
  }

  const scanStream = (at: number, until: number): number => {
    if (notedRole !== undefined && same(at, noted, HEADER_LENGTH) === 1) {
      line.role = notedRole;
      line.sameStream = true;
      return at + HEADER_LENGTH;
    }
    if (at + HEADER_LENGTH > until) return NOT_CANONICAL;
    line.sameStream = false;
    if (same(at, literals.taker, FRONT_LENGTH) === 1) line.role = 'taker';
    else if (same(at, literals.maker, FRONT_LENGTH) === 1) line.role = 'maker';
    else return NOT_CANONICAL;
    const end = payloads.uuid(at + FRONT_LENGTH);
    return end >= 0 && same(end, literals.seq, SEQ_LENGTH) === 1 ? end + SEQ_LENGTH : NOT_CANONICAL;
  };

  const scanType = (at: number): { readonly index: number; readonly plan: TypePlan } | undefined => {
    const ofRole = plans[line.role];
    const follower = followers[line.role];
    const likely = follower[previous] as number;
    const plan = ofRole[likely];
    if (plan !== undefined && same(at, plan.literal, plan.length) === 1) return { index: likely, plan };
    for (const [index, other] of ofRole.entries()) {
      if (same(at, other.literal, other.length) === 0) continue;
      follower[previous] = index;
      return { index, plan: other };
    }
    return undefined;
  };

  /** Scans `{"tx_hex":"…","tx_hash":"…"}`. */
  const scanTransaction = (at: number, until: number): number => {
    if (same(at, literals.txHex, 11) === 0) return NOT_CANONICAL;
    const hexStart = at + 11;
    const hexEnd = hexRun(hexStart, until);
    if (((hexEnd - hexStart) & 1) === 1 || same(hexEnd, literals.txHash, 13) === 0) return NOT_CANONICAL;
    const hashStart = hexEnd + 13;
    const hashEnd = hexRun(hashStart, until);
    const { bytes } = memory;
    if (((hashEnd - hashStart) & 1) === 1 || bytes[hashEnd] !== QUOTE || bytes[hashEnd + 1] !== CLOSING_BRACE) {
      return NOT_CANONICAL;
    }
    const found = new LazyTransaction(memory);
    found.hexStart = hexStart;
    found.hexEnd = hexEnd;
    found.hashStart = hashStart;
    found.hashEnd = hashEnd;
    line.data = found;
    line.lazy = found;
    return hashEnd + 2;
  };

  /** Scans `{"transaction":{…},"secret":"…"}`. */
  const scanSpend = (at: number, until: number): number => {
    if (same(at, literals.spend, 15) === 0) return NOT_CANONICAL;
    const end = scanTransaction(at + 15, until);
    if (end < 0 || same(end, literals.secret, 11) === 0) return NOT_CANONICAL;
    const secret = end + 11;
    if (hexRun(secret, secret + 64) !== secret + 64) return NOT_CANONICAL;
    if (memory.bytes[secret + 64] !== QUOTE || memory.bytes[secret + 65] !== CLOSING_BRACE) return NOT_CANONICAL;
    line.data = { transaction: line.data, secret: text(secret, secret + 64) };
    return secret + 66;
  };

  const scanPayload = (payload: PayloadForm, at: number, until: number): number => {
    switch (payload.form) {
      case 'transaction':
        if (!payload.nullable || same(at, literals.nothing, 4) === 0) return scanTransaction(at, until);
        line.data = null;
        return at + 4;
      case 'nothing':
        line.data = null;
        return same(at, literals.nothing, 4) === 1 ? at + 4 : NOT_CANONICAL;
      case 'spend':
        return scanSpend(at, until);
      case 'head':
        line.data = undefined;
        return scanHead(at, until);
      case 'record': {
        const end = payloads.scan(payload.plan, at, until);
        if (end < 0) return NOT_CANONICAL;
        const record = payloads.record();
        line.data = record;
        line.lazy = record;
        return end;
      }
    }
  };

  const scanEnd = (at: number): number => {
    if (same(at, literals.hash, 9) === 0) return NOT_CANONICAL;
    const end = at + 9 + 64;
    if (hexRun(at + 9, end) !== end) return NOT_CANONICAL;
    const { bytes } = memory;
    const closed = bytes[end] === QUOTE && bytes[end + 1] === CLOSING_BRACE && bytes[end + 2] === LINE_FEED;
    return closed ? end + 3 : NOT_CANONICAL;
  };

  const scan = (start: number, until: number): number => {
    line.lazy = undefined;
    let at = scanStream(start, until);
    if (at < 0) return NOT_CANONICAL;
    at = payloads.digits(at);
    if (at < 0 || same(at, literals.at, 6) === 0) return NOT_CANONICAL;
    line.seq = payloads.number();
    at = payloads.digits(at + 6);
    if (at < 0 || same(at, literals.type, 9) === 0) return NOT_CANONICAL;
    line.at = payloads.number();
    const found = scanType(at + 9);
    if (found === undefined) return NOT_CANONICAL;
    line.type = found.plan.type;
    at = scanPayload(found.plan.payload, at + 9 + found.plan.length, until);
    if (at < 0) return NOT_CANONICAL;
    at = scanEnd(at);
    if (at < 0 || at > until) return NOT_CANONICAL;
    previous = found.index + 1;
    return at;
  };

  return {
    scan,
    line,
    note(at) {
      memory.bytes.copyWithin(noted, at, at + HEADER_LENGTH);
      notedRole = line.role;
      const key = text(at + 11, at + FRONT_LENGTH + UUID_LENGTH);
      return { key, uuid: key.slice(11) as Uuid };
    },
    noteKey(key) {
      const header = `{"stream":"${key}${SEQ}`;
      for (let index = 0; index < header.length; index++) memory.bytes[noted + index] = header.charCodeAt(index);
      notedRole = key.startsWith('taker') ? 'taker' : 'maker';
    },
  };
}
