import { isWords } from './names-of-words.ts';
import { REDACTED } from './secret.ts';

/** What may be shown although it looks like a secret, and what must not whatever it looks like. */
export type RedactOptions = {
  /** Whether a run of hex, in lower case without 0x, is a public id. @defaultValue none is */
  readonly isId?: (digits: string) => boolean;
  /** Whether the redacted text still holds something that must not be shown. @defaultValue nothing is known */
  readonly holds?: (text: string) => boolean;
  /** Maximum length of the result, in characters. @defaultValue 10 000 */
  readonly most?: number;
};

const LONGEST = 10_000;

/** Fewest digits of hex that hold 16 bytes. */
const CARRIER_DIGITS = 32;

/**
 * Foreign text (from a node, an adapter, an exception) without anything that opens a wallet or a node. It fails safe:
 * whatever is not known to be harmless is replaced, because nobody can know all spellings of a secret.
 *
 * - Z1: replaces users and passwords before a host, everything after the host of a web address, authorization headers,
 *   and the values of members that are named like a secret.
 * - Z2: replaces whatever could carry 16 bytes, in hex, base58, base64, percent-encoding, lists of numbers or long
 *   decimals, in one piece or in groups, and also twelve words in a row that could be a seed phrase. What stays are
 *   words, short numbers and known ids.
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

/** A long text is cut before the run of characters at its limit: half a secret is a secret. */
function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = most;
  while (end > 0 && !SPACE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

const SPACE = /\s/;

/** A run without a space that names a user before a host; everything before the last @ may be a password. */
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\/|^\/\//i;
const HOST = /^[\w.[-]/;

/** The path, query and fragment of an address, where node providers put their keys. */
const PATH_OF_ADDRESS = /(\b(?:https?|wss?):\/\/[^\s/?#"']+)[/?#][^\s"']+/gi;
const PEM = /-----BEGIN[\s\S]*?(?:-----END[^-\n]{0,80}-----|$)/g;
const HEADER =
  /\b((?:proxy-)?authorization|(?:set-)?cookie|x-[a-z-]{0,20}(?:key|token|auth))\b["']?\s{0,9}[:=][^\r\n]*/gi;
const BEARER = /\b(bearer)\s+[^\s,;"']+/gi;
const BASIC = /\b([Bb]asic)\s+(?=[^\s]{0,200}[A-Z0-9=+/])[^\s,;"']{4,}/g;

const NAMES =
  'pass(?:word|phrase|wd|code)?|pwd|secret(?:[_-]?key)?|mnemonic|seed(?:[_ -]?phrase)?|priv(?:ate)?(?:[_ -]?key)?|wif|xprv|' +
  'api[_ -]?key|access[_-]?key|token|credentials?|pin|rpc[_-]?user|rpcauth|username';
/** A value in quotes or brackets, up to the last one. */
const QUOTED = `"(?:[^"\\\\]|\\\\[\\s\\S])*"?|'(?:[^'\\\\]|\\\\[\\s\\S])*'?|\\\\"[^"]*"?|\\[[^\\]]*\\]?`;
/** After an equals sign a value ends where the next query parameter starts; elsewhere an ampersand belongs to it. */
const MEMBER = `(\\bthe )?((?:${NAMES})s?(?:\\\\?["'])?\\s{0,9}`;
const ASSIGNED = new RegExp(`${MEMBER}=(?!>)\\s{0,9})(${QUOTED}|[^\\s,;&)}\\]]+)`, 'gi');
const NAMED = new RegExp(`${MEMBER}(?::|=>|->)\\s{0,9})(${QUOTED}|[^\\s,;)}\\]]+)`, 'gi');
/** In a sentence a full stop, comma or bracket ends a value only if the run of characters also ends there. */
const TOLD = `${QUOTED}|(?:[^\\s,;.)}\\]]|[,;.)}\\]]+(?=[^\\s,;.)}\\]"']))+`;
/** After a name of several words (a phrase), everything to the end of the line. */
const PHRASE =
  /((?:pass ?phrase|mnemonic|seed(?:[_ -]?phrase)?|recovery phrase)s?["']?\s{0,9}(?::|=|\bis\b))([^\r\n]*)/gi;

/** Statements about a secret that do not reveal it, and the words that continue them. */
const REMARKS =
  'invalid|missing|wrong|paused|unknown|empty|incorrect|required|expired|locked|absent|hidden|public|known|set|given|another|' +
  'rejected|refused|unsupported|unavailable|disabled|malformed|none of 32 bytes';
const LINKS = 'not|none|no|a|an|the|that|one|of|or|and|already|too|also|still|this|node|coin|wallet|short|long|here';
const SAYING = new RegExp(
  `((?:${NAMES})s?(?:\\\\?["'])?\\s{0,9}\\bis\\b\\s{0,9})((?:(?!none of 32 bytes)(?:${LINKS})\\s{1,9}){0,4})` +
    `(?:(${REMARKS})(?=[,;:.!?)]*(?:\\s|$)|:)(?::\\s{0,9}(${TOLD}))?|(${TOLD}))`,
  'gi',
);
/** A statement of what a secret is not reveals nothing. */
const DENIAL = /^(?:not|none|no)\s+\w+\s/i;
const PLAIN_WORD = /^[a-z]{1,12}$/;
/** Only such statements up to the end of the line: after any other word a phrase may start. */
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

/** A name and its value with only a space between them, as people write it. */
const SAID =
  /\b((?:rpc)?pass(?:word|phrase|wd)|userpass)\s+(?!(?:is|was|for|of|and|or|not|the|in|to|has|must|missing|required|incorrect|wrong|invalid|rejected|failed|mismatch|authentication)\b)[^\s.,;:]+/gi;

/** Z1 alone: for texts whose ids and numbers are our own. */
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

/** Removes credentials from the addresses in a text: the host stays, its user and its path do not. */
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
/** Hex in groups of two digits or more: in one piece, or separated by anything short. */
const HEX = new RegExp(`(?<![0-9a-z])(?:0x)?[0-9a-f]{2,}(?:${GAP}(?:0x)?[0-9a-f]{2,})*(?![0-9a-z])`, 'gi');
/** At least sixteen numbers that could be bytes, decimal or hex, whatever separates them. */
const BYTES =
  /(?<![0-9a-z])(?:0?x|u00)?(?:[0-9a-f]{1,3}(?:[^0-9a-z]{1,4}(?:0?x|u00)?)){15,}[0-9a-f]{1,3}(?![0-9a-z])/gi;
const RUN = /[A-Za-z0-9+/=_\\%-]{22,}/g;
/** Words that are in no mnemonic word list and in almost every sentence. */
const SENTENCE =
  'the|and|for|has|not|was|are|were|with|from|its|had|but|than|into|which|been|because|cannot|does|did|they|there|their';
/** Twelve words of three to eight letters in a row, as in a seed phrase. */
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
/** Characters without meaning in any text: each replaces a known id while the rest is examined. */
const FIRST_PLACE = 0xe000;
const MOST_IDS = 1000;
const PLACES = /[\ue000-\uf8ff]/g;

/** The text with a placeholder for each known id, and how to restore them. */
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
