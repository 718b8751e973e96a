/**
 * Messages travel in reports of 64 bytes, padded with zeros. Each starts with `?`; the first one of a message continues
 * with `##`, its type in two bytes and its length in four, most significant first.
 */
export const REPORT_BYTES = 64;

const MARK = 0x3f;
const HASH = 0x23;
const HEAD_BYTES = 9;
const FIRST_ROOM = REPORT_BYTES - HEAD_BYTES;
const NEXT_ROOM = REPORT_BYTES - 1;

/** A message: its number in the protocol, and the bytes of its fields. */
export type WireMessage = { readonly type: number; readonly payload: Uint8Array };

export function reportsOf({ type, payload }: WireMessage): readonly Uint8Array[] {
  const first = new Uint8Array(REPORT_BYTES);
  const view = new DataView(first.buffer);
  first.set([MARK, HASH, HASH]);
  view.setUint16(3, type);
  view.setUint32(5, payload.length);
  first.set(payload.subarray(0, FIRST_ROOM), HEAD_BYTES);
  const reports = [first];
  for (let at = FIRST_ROOM; at < payload.length; at += NEXT_ROOM) {
    const report = new Uint8Array(REPORT_BYTES);
    report[0] = MARK;
    report.set(payload.subarray(at, at + NEXT_ROOM), 1);
    reports.push(report);
  }
  return reports;
}

/** What a report completed: a whole message, nothing yet, or something invalid. */
export type Assembled =
  | { readonly kind: 'message'; readonly message: WireMessage }
  | { readonly kind: 'more' }
  | { readonly kind: 'garbled'; readonly found: string };

export type Assembler = { readonly take: (report: Uint8Array) => Assembled };

/**
 * Assembles reports. After an invalid report it waits for the first one of a message again.
 *
 * @param mostBytes Limit for a message's fields: a message that announces more is `garbled` at once, and takes no
 * memory.
 */
export function createAssembler(mostBytes: number): Assembler {
  let open: { readonly type: number; readonly payload: Uint8Array; filled: number } | undefined;
  const garbled = (found: string): Assembled => {
    open = undefined;
    return { kind: 'garbled', found };
  };
  return {
    take(report) {
      if (report.length !== REPORT_BYTES) return garbled(`${report.length} bytes instead of ${REPORT_BYTES}`);
      if (report[0] !== MARK) return garbled('a report without the report marker');
      // A continuation may start with the same two marks: they start a message only between messages.
      const first = open === undefined;
      if (open === undefined) {
        if (report[1] !== HASH || report[2] !== HASH) return garbled('a report that does not start a message');
        const view = new DataView(report.buffer, report.byteOffset);
        const length = view.getUint32(5);
        if (length > mostBytes) return garbled(`a message of ${length} bytes; the limit is ${mostBytes}`);
        open = { type: view.getUint16(3), payload: new Uint8Array(length), filled: 0 };
      }
      const { type, payload } = open;
      const part = report.subarray(first ? HEAD_BYTES : 1).subarray(0, payload.length - open.filled);
      payload.set(part, open.filled);
      open.filled += part.length;
      if (open.filled < payload.length) return { kind: 'more' };
      open = undefined;
      return { kind: 'message', message: { type, payload } };
    },
  };
}
