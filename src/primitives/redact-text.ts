import { isWords } from './names-of-words.ts';
import { REDACTED } from './secret.ts';

/** What may be shown although it looks like a secret, and what may not however it looks. */
export type RedactOptions = {
  /** Whether a run of hex, in lower case without 0x, is an id that everyone may see. @defaultValue none is */
  readonly isId?: (digits: string) => boolean;
  /** Whether what is left of a text still holds something that must not be seen. @defaultValue nothing is known */
  readonly holds?: (text: string) => boolean;
  /** Longest text that comes out, in characters. @defaultValue 10 000 */
  readonly most?: number;
};

const LONGEST = 10_000;

/** Fewest digits of hex that hold 16 bytes. */
const CARRIER_DIGITS = 32;

/**
 * A text of someone else (a node, an adapter, an exception) without what opens a wallet or a node. It fails safe: what is not known to
 * be harmless is replaced, because nobody can know all spellings of a secret.
 *
 * - Z1: users and passwords before a host, all that follows the host of a web address, headers of authorization, and the values of
 *   members that are named like a secret are replaced.
 * - Z2: whatever could carry 16 bytes is replaced, in hex, base58, base64, percent signs, lists of numbers or long decimals, in one
 *   piece or in groups, and so are twelve words in a row that could be a phrase. What stays are words, short numbers and known ids.
 * - Z3: a text that still holds a known secret after that is not shown at all.
 *
 * @example
 * ```ts
 * import { redactText } from 'swapfold/runtime';
 *
 * redactText('401 of https://alice:pw@node.example/v3/4f1c'); // →
 * //   '401 of https://[redacted]@node.example/[redacted]'
 * redactText('the pin is 2468'); // → 'the pin is [redacted]'
 * redactText('refused: insufficient funds'); // → 'refused: insufficient funds'
 * ```
 */
export function redactText(text: string, { isId = noId, holds = nothing, most = LONGEST }: RedactOptions = {}): string {
  const shown = redactCarriers(redactCredentials(cutText(text, most)), isId);
  return holds(shown) ? REDACTED : shown;
}

const noId = (): boolean => false;
const nothing = (): boolean => false;

/** A long text ends before the run of characters in which it is cut: half a secret is a secret. */
function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = most;
  while (end > 0 && !SPACE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

const SPACE = /\s/;

/** A run without a space that names a user before a host; whatever stands before the last @ may be a password. */
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\/|^\/\//i;
const HOST = /^[\w.[-]/;

/** The path, query and fragment of an address, where providers of nodes put their keys. */
const PATH_OF_ADDRESS = /(\b(?:https?|wss?):\/\/[^\s/?#"']+)[/?#][^\s"']+/gi;
const PEM = /-----BEGIN[\s\S]*?(?:-----END[^-\n]{0,80}-----|$)/g;
const HEADER =
  /\b((?:proxy-)?authorization|(?:set-)?cookie|x-[a-z-]{0,20}(?:key|token|auth))\b["']?\s{0,9}[:=][^\r\n]*/gi;
const BEARER = /\b(bearer)\s+[^\s,;"']+/gi;
const BASIC = /\b([Bb]asic)\s+(?=[^\s]{0,200}[A-Z0-9=+/])[^\s,;"']{4,}/g;

const NAMES =
  'pass(?:word|phrase|wd|code)?|pwd|secret(?:[_-]?key)?|mnemonic|seed(?:[_ -]?phrase)?|priv(?:ate)?(?:[_ -]?key)?|wif|xprv|' +
  'api[_ -]?key|access[_-]?key|token|credentials?|pin|rpc[_-]?user|rpcauth|username';
/** A value in quotes or brackets, to the last of them. */
const QUOTED = `"(?:[^"\\\\]|\\\\[\\s\\S])*"?|'(?:[^'\\\\]|\\\\[\\s\\S])*'?|\\\\"[^"]*"?|\\[[^\\]]*\\]?`;
/** Behind an equals sign a value ends where the next member of a query begins; elsewhere an ampersand is a part of it. */
const MEMBER = `(\\bthe )?((?:${NAMES})s?(?:\\\\?["'])?\\s{0,9}`;
const ASSIGNED = new RegExp(`${MEMBER}=(?!>)\\s{0,9})(${QUOTED}|[^\\s,;&)}\\]]+)`, 'gi');
const NAMED = new RegExp(`${MEMBER}(?::|=>|->)\\s{0,9})(${QUOTED}|[^\\s,;)}\\]]+)`, 'gi');
/** In a sentence a stop, a comma or a bracket ends a value only where the run of characters ends too. */
const TOLD = `${QUOTED}|(?:[^\\s,;.)}\\]]|[,;.)}\\]]+(?=[^\\s,;.)}\\]"']))+`;
/** Behind a name of many words (a phrase) to the end of the line. */
const PHRASE =
  /((?:pass ?phrase|mnemonic|seed(?:[_ -]?phrase)?|recovery phrase)s?["']?\s{0,9}(?::|=|\bis\b))([^\r\n]*)/gi;

/** What a sentence says of a secret without telling it, and the words by which it goes on to say it. */
const REMARKS =
  'invalid|missing|wrong|paused|unknown|empty|incorrect|required|expired|locked|absent|hidden|public|known|set|given|another|' +
  'rejected|refused|unsupported|unavailable|disabled|malformed|none of 32 bytes';
const LINKS = 'not|none|no|a|an|the|that|one|of|or|and|already|too|also|still|this|node|coin|wallet|short|long|here';
const SAYING = new RegExp(
  `((?:${NAMES})s?(?:\\\\?["'])?\\s{0,9}\\bis\\b\\s{0,9})((?:(?!none of 32 bytes)(?:${LINKS})\\s{1,9}){0,4})` +
    `(?:(${REMARKS})(?=[,;:.!?)]*(?:\\s|$)|:)(?::\\s{0,9}(${TOLD}))?|(${TOLD}))`,
  'gi',
);
/** What a secret is not, is no secret. */
const DENIAL = /^(?:not|none|no)\s+\w+\s/i;
const PLAIN_WORD = /^[a-z]{1,12}$/;
/** Remarks alone to the end of the line: behind any other word a phrase may begin. */
const REMARK_OF_LINE = new RegExp(`^(?:\\s{1,9}(?:${REMARKS}|${LINKS})){1,8}[\\s.!)]*$`, 'i');
/** An error of a contract, by the last word of its name. */
const ERROR_NAME =
  /^(?:[A-Z][a-z]{2,12}){1,4}(?:Balance|Denied|Error|Exceeded|Expired|Failed|Invalid|Missing|Paused|Refused|Reverted)[.!)]*$/;

function sayingWithout(...found: readonly string[]): string {
  const [all = '', name = '', lead = '', remark, told, value = ''] = found;
  if (remark !== undefined)
    return told === undefined || ERROR_NAME.test(told) ? all : `${name}${lead}${remark}: ${REDACTED}`;
  const isSentence = (DENIAL.test(lead) && PLAIN_WORD.test(value)) || LINK.test(value);
  return isSentence ? all : `${name}${lead}${REDACTED}`;
}

const LINK = new RegExp(`^(?:${LINKS})$`, 'i');

function namedWithout(...found: readonly string[]): string {
  const [all = '', the, name = '', value = ''] = found;
  const isError = the !== undefined && /^token:/i.test(name) && ERROR_NAME.test(value);
  return isError ? all : `${the ?? ''}${name}${REDACTED}`;
}

function phraseWithout(...found: readonly string[]): string {
  const [all = '', name = '', rest = ''] = found;
  return name.endsWith('is') && REMARK_OF_LINE.test(rest) ? all : `${name} ${REDACTED}`;
}

/** A name and its value with nothing but a space between them, as people write it. */
const SAID =
  /\b((?:rpc)?pass(?:word|phrase|wd)|userpass)\s+(?!(?:is|was|for|of|and|or|not|the|in|to|has|must|missing|required|incorrect|wrong|invalid|rejected|failed|mismatch|authentication)\b)[^\s.,;:]+/gi;

/** Z1 alone: for texts whose ids and numbers are one's own. */
export function redactCredentials(text: string): string {
  return redactAddresses(text.replace(PEM, REDACTED))
    .replace(HEADER, `$1: ${REDACTED}`)
    .replace(PHRASE, phraseWithout)
    .replace(SAYING, sayingWithout)
    .replace(ASSIGNED, namedWithout)
    .replace(NAMED, namedWithout)
    .replace(SAID, `$1 ${REDACTED}`)
    .replace(BEARER, `$1 ${REDACTED}`)
    .replace(BASIC, `$1 ${REDACTED}`);
}

/** The addresses of a text without what opens them: the host stays, its user and its path do not. */
export function redactAddresses(text: string): string {
  const hosts = text.includes('@') ? text.replace(/\S+/g, withoutUser) : text;
  return hosts.replace(PATH_OF_ADDRESS, `$1/${REDACTED}`);
}

function withoutUser(run: string): string {
  const last = run.lastIndexOf('@');
  if (last <= 0 || !HOST.test(run.slice(last + 1))) return run;
  return `${SCHEME.exec(run)?.[0] ?? ''}${REDACTED}${run.slice(last)}`;
}

const GAP = String.raw`(?:\\[nrt]|[^0-9a-z]){1,4}`;
/** Hex in groups of two digits or more: in one piece, or split by anything short. */
const HEX = new RegExp(`(?<![0-9a-z])(?:0x)?[0-9a-f]{2,}(?:${GAP}(?:0x)?[0-9a-f]{2,})*(?![0-9a-z])`, 'gi');
/** Sixteen numbers or more that could be bytes, decimal or hex, whatever stands between them. */
const BYTES =
  /(?<![0-9a-z])(?:0?x|u00)?(?:[0-9a-f]{1,3}(?:[^0-9a-z]{1,4}(?:0?x|u00)?)){15,}[0-9a-f]{1,3}(?![0-9a-z])/gi;
const RUN = /[A-Za-z0-9+/=_\\%-]{22,}/g;
/** Words that no list of wallets' phrases has and that hardly a sentence is without. */
const SENTENCE =
  'the|and|for|has|not|was|are|were|with|from|its|had|but|than|into|which|been|because|cannot|does|did|they|there|their';
/** Twelve words of three to eight letters in a row, as such a phrase has them. */
const WORDS = new RegExp(`(?:\\b(?:\\d{1,2}[.):] ?)?(?!(?:${SENTENCE})\\b)[a-z]{3,8}\\b[\\s,;]{0,3}){12,}`, 'g');

function redactCarriers(text: string, isId: (digits: string) => boolean): string {
  const { plain, restore } = withoutIds(text, isId);
  const shown = plain
    .replace(BYTES, REDACTED)
    .replace(HEX, (match) => (digitsOf(match).length < CARRIER_DIGITS ? match : REDACTED))
    .replace(RUN, (run) => (isWords(run) ? run : REDACTED))
    .replace(WORDS, `${REDACTED} `);
  return restore(shown);
}

function digitsOf(match: string): string {
  return match.toLowerCase().replace(/0x|[^0-9a-f]/g, '');
}

const ID_LIKE = /(?<![0-9a-z])(?:0x)?(?:[0-9a-f]{40,130}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-z])/gi;
/** Characters that no text means anything by: each stands for a known id while the rest is looked at. */
const FIRST_PLACE = 0xe000;
const MOST_IDS = 1000;
const PLACES = /[\ue000-\uf8ff]/g;

/** The text with a place in the stead of each known id, and how to put them back. */
function withoutIds(text: string, isId: (digits: string) => boolean) {
  const ids: string[] = [];
  const plain = text.replace(PLACES, '?').replace(ID_LIKE, (found) => {
    if (ids.length >= MOST_IDS || !isId(digitsOf(found))) return found;
    ids.push(found);
    return String.fromCharCode(FIRST_PLACE + ids.length - 1);
  });
  const restore = (shown: string): string =>
    ids.length === 0 ? shown : shown.replace(PLACES, (place) => ids[place.charCodeAt(0) - FIRST_PLACE] ?? '');
  return { plain, restore };
}
