/** A value cut out of a long JSON text: a value at the root, or an entry of a list below it. */
export type JsonPart = {
  /** Its text in pieces, without the entries of lists in it that came before as parts of their own. */
  readonly pieces: readonly Uint8Array[];
  /** JSON pointer of its place. A value at the root has none: how many there are is not known before the last one. */
  readonly path: string;
  /** Objects and lists around it. */
  readonly depth: number;
  /** Entries of lists in it that came before as parts of their own. */
  readonly entries: number;
  /** The list that it is an entry of: one object for all its entries. Null for a value at the root. */
  readonly list: object | null;
};

export type JsonCutterOptions = {
  /** Names of members whose lists are cut into their entries. A list at the root, or in such a list, is too. */
  readonly lists: ReadonlySet<string>;
  /** Largest part, in bytes. */
  readonly maxBytes: number;
  readonly onPart: (part: JsonPart) => void;
};

/** Why cutting a text cannot continue, with the place and the number of bytes before it. */
export type CutFault = { readonly kind: 'character' | 'end' | 'size'; readonly at: number; readonly path: string };

export type JsonCutter = {
  /** Takes the next bytes, which must not change afterwards. @returns the fault at which the text cannot be cut on. */
  readonly push: (chunk: Uint8Array) => CutFault | undefined;
  /** The text has ended. */
  readonly end: () => CutFault | undefined;
};

/**
 * Cuts a JSON text of any length into parts, each small enough to parse: the entries of the lists of interest, in the order of the text, and after
 * them what surrounds them. It reads only brackets, quotes and the names on the way; the parser decides whether a part is JSON.
 */
export function createJsonCutter(options: JsonCutterOptions): JsonCutter {
  return new Cutter(options);
}

const [QUOTE, BACKSLASH, COMMA, COLON, SPACE] = [0x22, 0x5c, 0x2c, 0x3a, 0x20] as const;
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d] as const;

/** Longer names are none of those that are looked for. */
const MAX_NAME_BYTES = 32;

/** An object on the way to a list of interest, or the list itself. */
type Level = {
  readonly isList: boolean;
  readonly path: string;
  readonly depth: number;
  /** Of an object: the name of the member under reading, and whether its value is due. */
  name: string;
  valueDue: boolean;
  /** Of a list: entries so far, and what may come. */
  count: number;
  due: 'first' | 'entry' | 'comma';
};

/** A part under reading. */
type Frame = {
  readonly levels: Level[];
  readonly path: string;
  readonly depth: number;
  readonly list: Level | null;
  readonly pieces: Uint8Array[];
  size: number;
  entries: number;
};

/** What the bytes under reading are in: `nested` is a value that is passed over, `between` the space between entries or values at the root. */
type Mode = 'between' | 'object' | 'name' | 'string' | 'nested' | 'scalar';

class Cutter implements JsonCutter {
  readonly #options: JsonCutterOptions;
  readonly #frames: Frame[] = [];
  #mode: Mode = 'between';
  #inString = false;
  #escaped = false;
  #nested = 0;
  #name: number[] = [];
  #fault: CutFault | undefined;
  /** Bytes of the chunks before. */
  #before = 0;
  #chunk: Uint8Array = new Uint8Array(0);
  /** From where on the bytes of the chunk belong to the innermost part; -1 between the entries of a list. */
  #from = -1;

  constructor(options: JsonCutterOptions) {
    this.#options = options;
  }

  push(chunk: Uint8Array): CutFault | undefined {
    if (this.#fault !== undefined) return this.#fault;
    this.#chunk = chunk;
    this.#from = this.#frames.length > 0 && this.#mode !== 'between' ? 0 : -1;
    for (let at = 0; at < chunk.length && this.#fault === undefined; ) at = this.#step(at);
    this.#keep(chunk.length);
    if ((this.#frames.at(-1)?.size ?? 0) > this.#options.maxBytes) this.#fail('size', 0);
    this.#before += chunk.length;
    return this.#fault;
  }

  end(): CutFault | undefined {
    if (this.#fault === undefined && this.#frames.length > 0) {
      this.#chunk = new Uint8Array(0);
      this.#fail('end', 0);
    }
    return this.#fault;
  }

  /** Takes what begins at a place of the chunk. @returns where to go on. */
  #step(at: number): number {
    if (this.#inString) return this.#takeString(at);
    if (this.#mode === 'nested') return this.#passOver(at);
    const byte = this.#chunk[at] as number;
    if (this.#mode === 'scalar') return this.#takeScalar(byte, at);
    if (byte > SPACE) {
      if (this.#mode === 'object') this.#takeMember(byte, at);
      else this.#takeBetween(byte, at);
    }
    return at + 1;
  }

  #takeString(from: number): number {
    const chunk = this.#chunk;
    const isName = this.#mode === 'name';
    let escaped = this.#escaped;
    let at = from;
    for (; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (escaped) escaped = false;
      else if (byte === BACKSLASH) escaped = true;
      else if (byte === QUOTE) break;
      if (isName && this.#name.length < MAX_NAME_BYTES) this.#name.push(byte);
    }
    this.#escaped = escaped;
    if (at < chunk.length) this.#endString(at);
    return at + 1;
  }

  #endString(at: number): void {
    this.#inString = false;
    if (this.#mode === 'nested') return;
    const level = this.#level();
    if (this.#mode === 'name' && level !== undefined) level.name = String.fromCharCode(...this.#name);
    if (level === undefined) this.#closeFrame(at + 1);
    else this.#mode = 'object';
  }

  #passOver(from: number): number {
    const chunk = this.#chunk;
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (byte === QUOTE) {
        this.#inString = true;
        return at + 1;
      }
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#nested += 1;
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        this.#nested -= 1;
        if (this.#nested > 0) continue;
        this.#mode = 'object';
        return at + 1;
      }
    }
    return chunk.length;
  }

  #takeScalar(byte: number, at: number): number {
    if (byte > SPACE && byte !== COMMA && byte !== CLOSE_BRACKET && byte !== CLOSE_BRACE) return at + 1;
    this.#closeFrame(at);
    return at;
  }

  #takeMember(byte: number, at: number): void {
    const level = this.#level() as Level;
    if (byte === QUOTE) {
      this.#inString = true;
      this.#mode = level.valueDue ? 'string' : 'name';
      this.#name = [];
    } else if (byte === COLON) level.valueDue = true;
    else if (byte === COMMA) level.valueDue = false;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#openMember(level, byte, at);
    else if (byte === CLOSE_BRACE) this.#closeLevel(at);
    else if (byte === CLOSE_BRACKET) this.#fail('character', at);
  }

  #openMember(level: Level, byte: number, at: number): void {
    const isList = byte === OPEN_BRACKET;
    if (!level.valueDue || !this.#options.lists.has(level.name)) {
      this.#mode = 'nested';
      this.#nested = 1;
      return;
    }
    this.#openLevel(isList);
    if (isList) this.#keep(at + 1);
  }

  /** Between the values at the root, or the entries of a list. */
  #takeBetween(byte: number, at: number): void {
    const list = this.#level();
    if (list?.due === 'comma' && byte === COMMA) list.due = 'entry';
    else if (list !== undefined && byte === CLOSE_BRACKET && list.due !== 'entry') {
      this.#from = at;
      this.#closeLevel(at);
    } else if (this.#mayBegin(byte, list)) this.#openFrame(byte, at);
    else this.#fail('character', at);
  }

  #mayBegin(byte: number, list: Level | undefined): boolean {
    if (list === undefined) return byte === OPEN_BRACE || byte === OPEN_BRACKET;
    const isPunctuation = byte === COMMA || byte === COLON || byte === CLOSE_BRACE || byte === CLOSE_BRACKET;
    return list.due !== 'comma' && !isPunctuation;
  }

  #openFrame(byte: number, at: number): void {
    const list = this.#level() ?? null;
    const path = list === null ? '' : `${list.path}/${list.count}`;
    const depth = list === null ? 0 : list.depth + 1;
    this.#frames.push({ levels: [], path, depth, list, pieces: [], size: 0, entries: 0 });
    this.#from = at;
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      this.#openLevel(byte === OPEN_BRACKET);
      if (byte === OPEN_BRACKET) this.#keep(at + 1);
    } else {
      this.#inString = byte === QUOTE;
      this.#mode = this.#inString ? 'string' : 'scalar';
    }
  }

  #closeFrame(until: number): void {
    this.#keep(until);
    const { pieces, path, depth, entries, list } = this.#frames.pop() as Frame;
    if (list !== null) {
      list.count += 1;
      list.due = 'comma';
      (this.#frames.at(-1) as Frame).entries += 1;
    }
    this.#mode = 'between';
    this.#options.onPart({ pieces, path, depth, entries, list });
  }

  #openLevel(isList: boolean): void {
    const frame = this.#frames.at(-1) as Frame;
    const around = frame.levels.at(-1);
    const path = around === undefined ? frame.path : `${around.path}/${around.name}`;
    const depth = around === undefined ? frame.depth : around.depth + 1;
    frame.levels.push({ isList, path, depth, name: '', valueDue: false, count: 0, due: 'first' });
    this.#mode = isList ? 'between' : 'object';
  }

  #closeLevel(at: number): void {
    this.#frames.at(-1)?.levels.pop();
    if (this.#level() === undefined) this.#closeFrame(at + 1);
    else this.#mode = 'object';
  }

  #level(): Level | undefined {
    return this.#frames.at(-1)?.levels.at(-1);
  }

  /** Keeps the bytes of the innermost part up to a place of the chunk. */
  #keep(until: number): void {
    const frame = this.#frames.at(-1);
    if (this.#from >= 0 && until > this.#from && frame !== undefined) {
      frame.pieces.push(this.#chunk.subarray(this.#from, until));
      frame.size += until - this.#from;
    }
    this.#from = -1;
  }

  #fail(kind: CutFault['kind'], at: number): void {
    const level = this.#level();
    const path = level === undefined ? (this.#frames.at(-1)?.path ?? '') : level.path;
    this.#fault = { kind, at: this.#before + at, path: level?.isList === true ? `${path}/${level.count}` : path };
  }
}
