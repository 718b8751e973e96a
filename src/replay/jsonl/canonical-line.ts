import type { Role } from '../../events/catalog.ts';
import type { Uuid } from '../../primitives/ids.ts';
import { createHeadScanner } from './head-scanner.ts';
import { type LazyPayload, LazyTransaction } from './lazy.ts';
import { type PayloadForm, type TypePlan, typePlans } from './line-plan.ts';
import { NOT_CANONICAL, PayloadScanner } from './payload-scanner.ts';
import { portableMemory, type ScanMemory, wasmMemory } from './wasm-hex.ts';

// The canonical form of a line is what the log writer makes:
//
//   {"stream":"taker-swap/<uuid>","seq":N,"at":N,"type":"X","version":1,"data":…,"hash":"<64 hex digits>"}
//
// members in this order, no white space, hex in lower case, plain ASCII, payload members in the schema's order. The scan
// accepts a subset of the lines that the parser accepts, and reads them alike; whatever it does not accept is no fault,
// but goes to the parser.

const LITERALS = {
  taker: '{"stream":"taker-swap/',
  maker: '{"stream":"maker-swap/',
  seq: '","seq":',
  at: ',"at":',
  type: ',"type":"',
  hash: ',"hash":"',
  txHex: '{"tx_hex":"',
  txHash: '","tx_hash":"',
  spend: '{"transaction":',
  secret: ',"secret":"',
  nothing: 'null',
} as const;

const FRONT_LENGTH = LITERALS.taker.length;
const KEY_START = '{"stream":"'.length;
const KEY_END = FRONT_LENGTH + 36;
const HEADER_LENGTH = KEY_END + LITERALS.seq.length;
const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CLOSING_BRACE = 0x7d;

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

/** Scans lines in the given memory, each up to its line feed, with which every run of lines must end. */
export class CanonicalScanner {
  readonly memory: ScanMemory;
  /** What the latest scan found. */
  readonly line: CanonicalLine = {
    role: 'taker',
    sameStream: false,
    seq: 0,
    at: 0,
    type: '',
    data: null,
    lazy: undefined,
  };
  private readonly payloads: PayloadScanner;
  private readonly scanHead: (at: number, until: number) => number;
  private readonly literals: Readonly<Record<keyof typeof LITERALS, number>>;
  private readonly plans: Readonly<Record<Role, readonly TypePlan[]>>;
  // Which type followed which last time: swaps take the same few ways.
  private readonly followers: Readonly<Record<Role, Int16Array>>;
  private readonly noted: number;
  private notedRole: Role | undefined;
  private previous = 0;

  constructor(memory: ScanMemory) {
    this.memory = memory;
    this.noted = memory.notes;
    this.payloads = new PayloadScanner(memory);
    this.scanHead = createHeadScanner(memory);
    const literals = Object.entries(LITERALS).map(([name, text]) => [name, memory.literal(text)]);
    this.literals = Object.fromEntries(literals) as Record<keyof typeof LITERALS, number>;
    const taker = typePlans('taker', { memory, payloads: this.payloads });
    const maker = typePlans('maker', { memory, payloads: this.payloads });
    this.plans = { taker, maker };
    this.followers = { taker: new Int16Array(taker.length + 1), maker: new Int16Array(maker.length + 1) };
  }

  /** The end of the canonical line at `at`, with its line feed; {@link NOT_CANONICAL} where the parser has to read it. */
  scan(start: number, until: number): number {
    const { line, literals, memory, payloads } = this;
    line.lazy = undefined;
    payloads.until = until;
    let at = this.scanStream(start, until);
    if (at < 0) return NOT_CANONICAL;
    at = payloads.digits(at);
    if (at < 0 || memory.same(at, literals.at, LITERALS.at.length) === 0) return NOT_CANONICAL;
    line.seq = payloads.number;
    at = payloads.digits(at + LITERALS.at.length);
    if (at < 0 || memory.same(at, literals.type, LITERALS.type.length) === 0) return NOT_CANONICAL;
    line.at = payloads.number;
    at += LITERALS.type.length;
    const index = this.typeAt(at);
    const plan = this.plans[line.role][index];
    if (plan === undefined) return NOT_CANONICAL;
    line.type = plan.type;
    at = this.scanPayload(plan.payload, at + plan.length);
    if (at < 0) return NOT_CANONICAL;
    at = this.scanEnd(at);
    if (at < 0 || at > until) return NOT_CANONICAL;
    this.previous = index + 1;
    return at;
  }

  /** Stream key and UUID of the line at `at`, which was found canonical; its stream is from now on the noted one. */
  note(at: number): { readonly key: string; readonly uuid: Uuid } {
    this.memory.bytes.copyWithin(this.noted, at, at + HEADER_LENGTH);
    this.notedRole = this.line.role;
    const key = this.memory.text(at + KEY_START, at + KEY_END);
    return { key, uuid: key.slice(FRONT_LENGTH - KEY_START) as Uuid };
  }

  /** Notes the stream of the given key, which a line in another spelling had. */
  noteKey(key: string): void {
    const header = `{"stream":"${key}${LITERALS.seq}`;
    for (let index = 0; index < header.length; index++)
      this.memory.bytes[this.noted + index] = header.charCodeAt(index);
    this.notedRole = key.startsWith('taker') ? 'taker' : 'maker';
  }

  /** Forgets the noted stream, and the latest line. */
  forget(): void {
    this.notedRole = undefined;
    this.line.data = null;
    this.line.lazy = undefined;
  }

  private scanStream(at: number, until: number): number {
    const { line, literals, memory, notedRole } = this;
    line.sameStream = notedRole !== undefined && memory.same(at, this.noted, HEADER_LENGTH) === 1;
    if (line.sameStream && notedRole !== undefined) {
      line.role = notedRole;
      return at + HEADER_LENGTH;
    }
    if (at + HEADER_LENGTH > until) return NOT_CANONICAL;
    if (memory.same(at, literals.taker, FRONT_LENGTH) === 1) line.role = 'taker';
    else if (memory.same(at, literals.maker, FRONT_LENGTH) === 1) line.role = 'maker';
    else return NOT_CANONICAL;
    const end = this.payloads.uuid(at + FRONT_LENGTH);
    return end >= 0 && memory.same(end, literals.seq, LITERALS.seq.length) === 1 ? at + HEADER_LENGTH : NOT_CANONICAL;
  }

  /** The index of the type plan whose text starts at `at`; -1 where there is none. */
  private typeAt(at: number): number {
    const plans = this.plans[this.line.role];
    const follower = this.followers[this.line.role];
    const likely = follower[this.previous] ?? 0;
    const plan = plans[likely];
    if (plan !== undefined && this.memory.same(at, plan.literal, plan.length) === 1) return likely;
    const index = plans.findIndex(({ literal, length }) => this.memory.same(at, literal, length) === 1);
    if (index >= 0) follower[this.previous] = index;
    return index;
  }

  private scanPayload(payload: PayloadForm, at: number): number {
    const { line, payloads } = this;
    const { until } = payloads;
    line.data = null;
    switch (payload.form) {
      case 'transaction':
        return payload.nullable && this.isNothing(at) ? at + 4 : this.scanTransaction(at, until);
      case 'nothing':
        return this.isNothing(at) ? at + 4 : NOT_CANONICAL;
      case 'spend':
        return this.scanSpend(at, until);
      case 'head':
        return this.scanHead(at, until);
      case 'record': {
        const end = payloads.scan(payload.plan, at);
        if (end < 0) return NOT_CANONICAL;
        line.data = payloads.record;
        line.lazy = payloads.record;
        return end;
      }
    }
  }

  private isNothing(at: number): boolean {
    return this.memory.same(at, this.literals.nothing, 4) === 1;
  }

  /** Scans `{"tx_hex":"…","tx_hash":"…"}`. */
  private scanTransaction(at: number, until: number): number {
    const { line, literals, memory } = this;
    if (memory.same(at, literals.txHex, LITERALS.txHex.length) === 0) return NOT_CANONICAL;
    const hexStart = at + LITERALS.txHex.length;
    const hexEnd = memory.hexRun(hexStart, until);
    if (((hexEnd - hexStart) & 1) === 1) return NOT_CANONICAL;
    if (memory.same(hexEnd, literals.txHash, LITERALS.txHash.length) === 0) return NOT_CANONICAL;
    const hashStart = hexEnd + LITERALS.txHash.length;
    const hashEnd = memory.hexRun(hashStart, until);
    if (((hashEnd - hashStart) & 1) === 1 || !this.isClosed(hashEnd)) return NOT_CANONICAL;
    const found = new LazyTransaction(memory);
    found.hexStart = hexStart;
    found.hexEnd = hexEnd;
    found.hashStart = hashStart;
    found.hashEnd = hashEnd;
    line.data = found;
    line.lazy = found;
    return hashEnd + 2;
  }

  /** Scans `{"transaction":{…},"secret":"…"}`. */
  private scanSpend(at: number, until: number): number {
    const { line, literals, memory } = this;
    if (memory.same(at, literals.spend, LITERALS.spend.length) === 0) return NOT_CANONICAL;
    const end = this.scanTransaction(at + LITERALS.spend.length, until);
    if (end < 0 || memory.same(end, literals.secret, LITERALS.secret.length) === 0) return NOT_CANONICAL;
    const secret = end + LITERALS.secret.length;
    const secretEnd = secret + 64;
    if (memory.hexRun(secret, secretEnd) !== secretEnd || !this.isClosed(secretEnd)) return NOT_CANONICAL;
    line.data = { transaction: line.data, secret: memory.text(secret, secretEnd) };
    return secretEnd + 2;
  }

  private scanEnd(at: number): number {
    const { memory } = this;
    if (memory.same(at, this.literals.hash, LITERALS.hash.length) === 0) return NOT_CANONICAL;
    const hash = at + LITERALS.hash.length;
    const end = hash + 64;
    if (memory.hexRun(hash, end) !== end || !this.isClosed(end)) return NOT_CANONICAL;
    return memory.bytes[end + 2] === LINE_FEED ? end + 3 : NOT_CANONICAL;
  }

  /** A quotation mark and a closing brace stand at `at`. */
  private isClosed(at: number): boolean {
    return this.memory.bytes[at] === QUOTE && this.memory.bytes[at + 1] === CLOSING_BRACE;
  }
}

/** A scanner whose memory grew for a very long line is not kept. */
const MAX_SPARE_BYTES = 32 * 1024 * 1024;

let spare: CanonicalScanner | undefined;

/**
 * A scanner in the quickest memory that the platform offers. One replay after the other gets the same one: laying out the
 * literals and compiling the loops is done once.
 */
export function takeCanonicalScanner(): CanonicalScanner {
  const scanner = spare ?? new CanonicalScanner(wasmMemory() ?? portableMemory());
  spare = undefined;
  return scanner;
}

/** Returns a scanner; the caller must not use it, or its memory, any more. */
export function giveBackCanonicalScanner(scanner: CanonicalScanner): void {
  scanner.forget();
  if (scanner.memory.bytes.length <= MAX_SPARE_BYTES) spare = scanner;
}
