import { DecodeError, pointerStep } from '../../events/decode-error.ts';
import { type DecodedSwap, decodePart, LISTS_OF_SWAPS, MAX_STRANGERS, moreStrangers } from '../../events/wrappers.ts';
import { type CutFault, createJsonCutter, type JsonPart } from './json-parts.ts';
import { decoded, isStranger, onlyStrangers } from './swaps-of-text.ts';

/** Reads the swaps of a JSON text piece by piece. */
export type PartReader = {
  /** Takes the next bytes, which must not change afterwards. @returns what keeps the reader from going on. */
  readonly push: (chunk: Uint8Array) => CutFault['kind'] | undefined;
  /** The text has ended. @returns the count of values at its root. */
  readonly end: () => number;
  /** The text breaks off, for a reason that its reader tells. */
  readonly stop: () => void;
  /** What was read since the last call. */
  readonly take: () => readonly DecodedSwap[];
};

/**
 * Reads a text of any length in the parts that a cutter makes of it. The swaps come in the order of the text; what a list holds beside them is told as
 * in a text that is read at once.
 */
export function createPartReader(maxBytes: number): PartReader {
  const swaps = createCollector();
  const roots = createRoots(swaps);
  const cutter = createJsonCutter({
    lists: LISTS_OF_SWAPS,
    maxBytes,
    onPart: (part) => (part.list === null ? roots.add(part) : swaps.addEntry(part, part.list)),
  });
  const finish = (fault: CutFault | undefined): void => {
    roots.end();
    swaps.end(fault === undefined ? undefined : notJson(fault));
  };
  return {
    push(chunk) {
      const fault = cutter.push(chunk);
      if (fault !== undefined) finish(fault.kind === 'size' ? undefined : fault);
      return fault?.kind;
    },
    end() {
      finish(cutter.end());
      return roots.count();
    },
    stop: () => finish(undefined),
    take: swaps.take,
  };
}

type Collector = ReturnType<typeof createCollector>;

/** The values at the root. Whether they are numbered, the second one tells. */
function createRoots(swaps: Collector) {
  let count = 0;
  let first: JsonPart | undefined;
  const giveFirst = (path: string): void => {
    if (first !== undefined) swaps.addRoot(first, path);
    first = undefined;
  };
  return {
    count: () => count,
    add(part: JsonPart): void {
      swaps.endLists();
      count += 1;
      if (count === 1) first = part;
      else {
        giveFirst(pointerStep(0));
        swaps.addRoot(part, pointerStep(count - 1));
      }
    },
    end: () => giveFirst(''),
  };
}

/** Entries of a list that are no swaps, so far. */
type Strangers = { count: number; readonly path: string };

function createCollector() {
  let ready: DecodedSwap[] = [];
  // Entries that are no swaps wait for the first swap: without any they are told as one.
  let waiting: DecodedSwap[] | undefined = [];
  let strangers = 0;
  const lists = new Map<object, Strangers>();

  const give = (swap: DecodedSwap): void => {
    if (waiting !== undefined && !isStranger(swap)) {
      ready.push(...waiting);
      waiting = undefined;
    }
    (waiting ?? ready).push(swap);
  };
  const endLists = (): void => {
    for (const { count, path } of lists.values()) {
      if (count > MAX_STRANGERS) give(moreStrangers(count - MAX_STRANGERS, path));
    }
    lists.clear();
  };
  return {
    endLists,
    addRoot(part: JsonPart, path: string): void {
      for (const swap of swapsIn(part, path)) give(swap);
    },
    addEntry(part: JsonPart, list: object): void {
      const known = lists.get(list) ?? { count: 0, path: part.path.slice(0, part.path.lastIndexOf('/')) };
      lists.set(list, known);
      for (const swap of swapsIn(part, part.path)) {
        const isStrange = isStranger(swap);
        strangers += Number(isStrange);
        known.count += Number(isStrange);
        if (!isStrange || known.count <= MAX_STRANGERS) give(swap);
      }
    },
    end(fault: DecodedSwap | undefined): void {
      endLists();
      if (fault !== undefined) give(fault);
      if (waiting !== undefined) ready.push(...(strangers > 1 ? [onlyStrangers(strangers)] : waiting));
      waiting = undefined;
    },
    take(): readonly DecodedSwap[] {
      const taken = ready;
      ready = [];
      return taken;
    },
  };
}

function swapsIn({ pieces, depth, list, entries }: JsonPart, path: string): readonly DecodedSwap[] {
  const [only] = pieces;
  const bytes = only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
  const place = { path, depth, isEntry: list !== null, isRest: entries > 0 };
  return decoded(bytes, path, (text) => decodePart(text, place));
}

function notJson({ kind, at, path }: CutFault): DecodedSwap {
  const error = new DecodeError('NOT_JSON', 'The text is not JSON.', {
    path,
    found:
      kind === 'end'
        ? 'the end of the text in the middle of a value'
        : `an unexpected character at position ${at} (in bytes)`,
    next:
      'Everything before it was read. Check that the file is complete: an interrupted download or a half-written ' +
      'file ends in the middle of a value.',
  });
  return { ok: false, path, uuid: null, error };
}
