import { sha256 } from '../../primitives/hash.ts';
import { type JsonValue, LosslessNumber } from '../../primitives/json.ts';
import { DECIMAL_MEMBERS } from './shape.ts';

/** A changed value of a member, and what kind of change it is. */
export type Change = {
  readonly kind:
    | 'byte'
    | 'secret'
    | 'amountDigit'
    | 'time'
    | 'timestamp'
    | 'number'
    | 'flag'
    | 'uuid'
    | 'type'
    | 'text';
  readonly value: JsonValue;
};

const HEX_MEMBERS = new Set([
  'tx_hex',
  'tx_hash',
  'secret_hash',
  'maker',
  'taker',
  'my_persistent_pub',
  'maker_pubkey',
  'taker_pubkey',
  'maker_coin_htlc_pubkey',
  'taker_coin_htlc_pubkey',
  'maker_coin_swap_contract_address',
  'taker_coin_swap_contract_address',
  'maker_coin_swap_contract_addr',
  'taker_coin_swap_contract_addr',
]);

const TIME_MEMBERS = new Set([
  'maker_payment_lock',
  'taker_payment_lock',
  'maker_payment_locktime',
  'taker_payment_locktime',
  'maker_payment_wait',
  'wait_until',
  'started_at',
  'lock_duration',
]);

const UUID_MEMBERS = new Set(['uuid', 'my_order_uuid']);

const HOUR_MS = 3_600_000;

type Member = { readonly name: string; readonly path: string };

/** The changed values of one member; none for an empty text, null, or an absent value. */
export function leafChanges(value: JsonValue | undefined, member: Member): readonly Change[] {
  if (Array.isArray(value)) return byteListChanges(value as readonly number[], member);
  if (typeof value === 'string') return textChanges(value, member);
  if (typeof value === 'number') return numberChanges(value, member);
  if (value instanceof LosslessNumber) {
    return digitChanges(value.value, member).map(({ kind, value: text }) => ({
      kind,
      value: new LosslessNumber(String(text)),
    }));
  }
  return typeof value === 'boolean' ? [{ kind: 'flag', value: !value }] : [];
}

function textChanges(text: string, member: Member): readonly Change[] {
  const { name, path } = member;
  if (text === '') return [];
  if (DECIMAL_MEMBERS.has(name)) return digitChanges(text, member);
  if (name === 'secret' || HEX_MEMBERS.has(name)) {
    const kind = name === 'secret' ? 'secret' : 'byte';
    return positions(path, text.length >> 1).map((at) => ({ kind, value: withFlippedByte(text, { at, path }) }));
  }
  if (UUID_MEMBERS.has(name)) {
    const at = text.length - 1 - chosen(path, 12);
    return [{ kind: 'uuid', value: withCharacter(text, at, text[at] === '0' ? '1' : '0') }];
  }
  const at = chosen(path, text.length);
  return [{ kind: name === 'type' ? 'type' : 'text', value: withCharacter(text, at, text[at] === 'X' ? 'Y' : 'X') }];
}

function digitChanges(text: string, { path }: Member): readonly Change[] {
  const digits = [...text].flatMap((character, at) => (character >= '0' && character <= '9' ? [at] : []));
  return positions(path, digits.length).map((nth) => {
    const at = digits[nth] as number;
    return { kind: 'amountDigit', value: withCharacter(text, at, String((Number(text[at]) + 1) % 10)) };
  });
}

function numberChanges(value: number, { name, path }: Member): readonly Change[] {
  if (TIME_MEMBERS.has(name)) {
    const between = 2 + chosen(path, 3598);
    return [1, -1, between, -between, 3600, -3600].map((by) => ({ kind: 'time', value: Math.max(0, value + by) }));
  }
  if (name !== 'timestamp') return [{ kind: 'number', value: value + 1 }];
  return [1, -1, HOUR_MS, -HOUR_MS].map((by) => ({ kind: 'timestamp', value: Math.max(0, value + by) }));
}

function byteListChanges(bytes: readonly number[], { path }: Member): readonly Change[] {
  return positions(path, bytes.length).map((at) => ({
    kind: 'byte',
    value: bytes.with(at, (bytes[at] as number) ^ mask(path)),
  }));
}

/** The first, one between, and the last of `count` positions, each once. */
function positions(path: string, count: number): readonly number[] {
  return count === 0 ? [] : [...new Set([0, chosen(path, count), count - 1])];
}

function withFlippedByte(hex: string, { at, path }: { at: number; path: string }): string {
  const byte = Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16) ^ mask(path);
  return `${hex.slice(0, 2 * at)}${byte.toString(16).padStart(2, '0')}${hex.slice(2 * at + 2)}`;
}

function withCharacter(text: string, at: number, character: string): string {
  return `${text.slice(0, at)}${character}${text.slice(at + 1)}`;
}

const encoder = new TextEncoder();

/** A position that depends on the member's place alone. */
function chosen(path: string, below: number): number {
  const hash = sha256(encoder.encode(path));
  return new DataView(hash.buffer, hash.byteOffset, 4).getUint32(0) % below;
}

/** Which bits of a byte are flipped: one to eight, by the member's place. */
function mask(path: string): number {
  return 1 + chosen(`${path} mask`, 255);
}
