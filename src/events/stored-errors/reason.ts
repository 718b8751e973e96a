/**
 * What a stored error text says, without what only the program that wrote it needs: the places in its code, the request that was refused, whole
 * transactions, and the quotes around quotes. It is for people alone: no rule of the engine depends on it.
 */
export function reasonIn(error: string): string {
  const said = unwrapped(error.slice(0, MOST_READ), MOST_LAYERS);
  const plain = said
    .replace(LOCATION, '')
    .replace(RAW_TRANSACTION, '')
    .replace(LONG_HEX, (hex) => `${hex.slice(0, 16)}…`)
    .replace(LONG_FRACTION, '$1…')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length <= MOST_SHOWN ? plain : `${plain.slice(0, MOST_SHOWN)}…`;
}

/** Longer texts are no errors that a node wrote. */
const MOST_READ = 200_000;
const MOST_SHOWN = 2000;
const MOST_LAYERS = 8;

/** `lp_swap:1888] `: a file and a line, in front of each text that an error was wrapped in (stored-swap errors of the real node). */
const LOCATION = /(?<![\w:])[a-z][a-z0-9_]{0,60}:\d{1,6}\]\s?/g;
/** ElectrumX puts the transaction that was refused behind the reason. */
const RAW_TRANSACTION = /\s?\[[0-9a-f]{20,}\]/g;
const LONG_HEX = /(?<![0-9a-f])(?:0x)?[0-9a-f]{129,}(?![0-9a-f])/g;
/** No chain has more than 18 digits behind the point: what follows is left from a division. */
const LONG_FRACTION = /(?<!\d)(\d{1,20}\.\d{8})\d{11,}/g;

function unwrapped(text: string, layers: number): string {
  const trimmed = text.trim();
  if (layers === 0) return trimmed;
  const inner = copied(trimmed) ?? quoted(trimmed) ?? ofRpc(trimmed);
  return inner === undefined ? withoutTransactions(trimmed) : unwrapped(inner, layers - 1);
}

/** What a log that was made from the other side's took over: `Origin Taker error event: MakerPaymentWaitConfirmFailed(SwapError { error: "…" })`. */
function copied(text: string): string | undefined {
  const head = /^Origin (?:Taker|Maker) error event: \w{1,60}\(SwapError \{ error: (?=")/.exec(text);
  return head === null ? undefined : quotedAt(text, head[0].length)?.inner;
}

/** A text that is one quoted text as a whole, whatever stands for its place in the code. */
function quoted(text: string): string | undefined {
  const start = text.replace(/^(?:[a-z][a-z0-9_]{0,60}:\d{1,6}\]\s?)+/, '');
  if (!start.startsWith('"')) return undefined;
  const found = quotedAt(start, 0);
  return found === undefined || found.end !== start.length ? undefined : found.inner;
}

/** Where an error of a request begins, and the message in it. */
const RPC_ERRORS = [
  { head: /JsonRpcError \{/, cause: /\berror: (?:Transport|Response|Internal|InvalidRequest|Parse)\(/g },
  { head: /RPC error: (?=Error \{)/, cause: /Error \{/g },
] as const;
const MESSAGE = /(?:"message"|\bmessage): (?:String\()?(?=")/g;

function ofRpc(text: string): string | undefined {
  for (const { head, cause } of RPC_ERRORS) {
    const begin = head.exec(text);
    if (begin === null) continue;
    // The request names arguments that may look like anything, so the last cause counts.
    const last = [...text.slice(begin.index).matchAll(cause)].at(-1);
    if (last === undefined) continue;
    const from = begin.index + last.index + last[0].length;
    MESSAGE.lastIndex = from;
    const named = MESSAGE.exec(text);
    const at = named === null ? text.indexOf('"', from) : named.index + named[0].length;
    const message = at === -1 ? undefined : quotedAt(text, at)?.inner;
    if (message !== undefined) return `${text.slice(0, begin.index)}${message}`;
  }
  return undefined;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '0': '\0' };

/** The text in the quotes that begin at `start`, and where they have ended. */
function quotedAt(text: string, start: number): { readonly inner: string; readonly end: number } | undefined {
  const parts: string[] = [];
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') return { inner: parts.join(''), end: at + 1 };
    if (character === '\\') {
      at += 1;
      const escaped = text.charAt(at);
      parts.push(ESCAPES[escaped] ?? escaped);
    } else parts.push(character);
  }
  return undefined;
}

/** Instead of a transaction with all its members, three dots. */
function withoutTransactions(text: string): string {
  const begin = text.search(/\bTransaction \{/);
  if (begin === -1) return text;
  const open = text.indexOf('{', begin);
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (depth === 0) return `${text.slice(0, begin)}…${withoutTransactions(text.slice(at + 1))}`;
  }
  return `${text.slice(0, begin)}…`;
}
