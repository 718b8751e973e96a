/**
 * How a file holds its swaps: one JSON text (`whole`), one JSON text a line (`lines`), or one record of an event log a
 * line (`records`).
 */
export type SwapForm = 'whole' | 'lines' | 'records';

/** Bytes of a file by which its form is found out. */
export const SNIFF_BYTES = 1024 * 1024;

/** Lines of a file by which its form is found out. */
const SNIFF_LINES = 64;

const LINE_FEED = 10;

/** Whether a head of a file is enough for {@link formOf}. */
export function holdsEnough(head: Uint8Array): boolean {
  return head.length >= SNIFF_BYTES || endOfLines(head) !== undefined;
}

/**
 * Determines the form from the first lines, of which single ones may be damaged: JSON Lines if lines are records or whole swaps, or if the name says
 * so. In a mixed file, the majority of lines decides.
 */
export function formOf(head: Uint8Array, file: string): SwapForm {
  const end = endOfLines(head) ?? Math.min(head.length, SNIFF_BYTES);
  const text = Buffer.from(head.buffer, head.byteOffset, end).toString('utf8');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return 'whole';
  const named = /\.jsonl(\.gz)?$/i.test(file);
  const kinds = lines.map((line) => kindOf(line.trim(), lines.length === 1));
  const count = (kind: LineKind) => kinds.filter((found) => found === kind).length;
  const records = count('record');
  const swaps = count('value');
  if (records > 0 && records >= swaps) return 'records';
  if (named) return swaps === 0 && text.includes('"stream"') ? 'records' : 'lines';
  if (lines.length === 1) return 'whole';
  if (kinds[0] === 'value') return 'lines';
  return swaps > 0 && count('part') === 0 ? 'lines' : 'whole';
}

/** Where the lines to look at end; undefined where there are fewer. */
function endOfLines(head: Uint8Array): number | undefined {
  let end = 0;
  for (let count = 0; count < SNIFF_LINES; count++) {
    const lineFeed = head.indexOf(LINE_FEED, end);
    if (lineFeed < 0 || lineFeed >= SNIFF_BYTES) return undefined;
    end = lineFeed + 1;
  }
  return end;
}

/** `part`: a piece of a JSON text that is written on many lines. */
type LineKind = 'record' | 'value' | 'part' | 'damaged';

function kindOf(line: string, alone: boolean): LineKind {
  if (/^\{"stream":"[a-z]+-swap\//.test(line) && line.endsWith('}')) return 'record';
  // A file of one line is read the same as a whole, which spares parsing it twice.
  if (alone && !line.includes('"stream"')) return 'damaged';
  if (/^[\]}]|[[{,:]$/.test(line)) return 'part';
  if (!/^[[{]/.test(line)) return 'damaged';
  try {
    return isRecord(JSON.parse(line)) ? 'record' : 'value';
  } catch {
    return line.startsWith('[') ? 'part' : 'damaged';
  }
}

function isRecord(value: unknown): boolean {
  return !Array.isArray(value) && typeof (value as { readonly stream?: unknown }).stream === 'string';
}
