import { OP_0, OP_1, OP_PUSHDATA1, OP_PUSHDATA2, OP_PUSHDATA4 } from '../../htlc/script.ts';

export const OP_1NEGATE = 0x4f;
export const OP_RESERVED = 0x50;
export const OP_16 = 0x60;
export const OP_NOP = 0x61;
export const OP_VER = 0x62;
export const OP_NOTIF = 0x64;
export const OP_VERIF = 0x65;
export const OP_VERNOTIF = 0x66;
export const OP_VERIFY = 0x69;
export const OP_TOALTSTACK = 0x6b;
export const OP_FROMALTSTACK = 0x6c;
export const OP_2DROP = 0x6d;
export const OP_2DUP = 0x6e;
export const OP_3DUP = 0x6f;
export const OP_2OVER = 0x70;
export const OP_2ROT = 0x71;
export const OP_2SWAP = 0x72;
export const OP_IFDUP = 0x73;
export const OP_DEPTH = 0x74;
export const OP_NIP = 0x77;
export const OP_OVER = 0x78;
export const OP_PICK = 0x79;
export const OP_ROLL = 0x7a;
export const OP_ROT = 0x7b;
export const OP_SWAP = 0x7c;
export const OP_TUCK = 0x7d;
export const OP_CAT = 0x7e;
export const OP_SUBSTR = 0x7f;
export const OP_LEFT = 0x80;
export const OP_RIGHT = 0x81;
export const OP_INVERT = 0x83;
export const OP_AND = 0x84;
export const OP_OR = 0x85;
export const OP_XOR = 0x86;
export const OP_RESERVED1 = 0x89;
export const OP_RESERVED2 = 0x8a;
export const OP_1ADD = 0x8b;
export const OP_1SUB = 0x8c;
export const OP_2MUL = 0x8d;
export const OP_2DIV = 0x8e;
export const OP_NEGATE = 0x8f;
export const OP_ABS = 0x90;
export const OP_NOT = 0x91;
export const OP_0NOTEQUAL = 0x92;
export const OP_ADD = 0x93;
export const OP_SUB = 0x94;
export const OP_MUL = 0x95;
export const OP_DIV = 0x96;
export const OP_MOD = 0x97;
export const OP_LSHIFT = 0x98;
export const OP_RSHIFT = 0x99;
export const OP_BOOLAND = 0x9a;
export const OP_BOOLOR = 0x9b;
export const OP_NUMEQUAL = 0x9c;
export const OP_NUMEQUALVERIFY = 0x9d;
export const OP_NUMNOTEQUAL = 0x9e;
export const OP_LESSTHAN = 0x9f;
export const OP_GREATERTHAN = 0xa0;
export const OP_LESSTHANOREQUAL = 0xa1;
export const OP_GREATERTHANOREQUAL = 0xa2;
export const OP_MIN = 0xa3;
export const OP_MAX = 0xa4;
export const OP_WITHIN = 0xa5;
export const OP_RIPEMD160 = 0xa6;
export const OP_SHA1 = 0xa7;
export const OP_SHA256 = 0xa8;
export const OP_HASH256 = 0xaa;
export const OP_CODESEPARATOR = 0xab;
export const OP_CHECKSIGVERIFY = 0xad;
export const OP_CHECKMULTISIG = 0xae;
export const OP_CHECKMULTISIGVERIFY = 0xaf;
export const OP_NOP1 = 0xb0;
export const OP_NOP3 = 0xb2;
/** What OP_NOP3 became in Bitcoin and its later descendants (BIP 112). */
export const OP_CHECKSEQUENCEVERIFY = OP_NOP3;
export const OP_NOP4 = 0xb3;
export const OP_NOP5 = 0xb4;
export const OP_NOP6 = 0xb5;
export const OP_NOP7 = 0xb6;
export const OP_NOP8 = 0xb7;
export const OP_NOP9 = 0xb8;
export const OP_NOP10 = 0xb9;
/** Takes a fulfillment and a condition, and pushes whether the one satisfies the other. Smart chains only. */
export const OP_CHECKCRYPTOCONDITION = 0xcc;
export const OP_CHECKCRYPTOCONDITIONVERIFY = 0xcd;
export const OP_INVALIDOPCODE = 0xff;

/** Names from OP_NOP on, in the order of their codes. */
const NAMES: readonly string[] = [
  'OP_NOP',
  'OP_VER',
  'OP_IF',
  'OP_NOTIF',
  'OP_VERIF',
  'OP_VERNOTIF',
  'OP_ELSE',
  'OP_ENDIF',
  'OP_VERIFY',
  'OP_RETURN',
  'OP_TOALTSTACK',
  'OP_FROMALTSTACK',
  'OP_2DROP',
  'OP_2DUP',
  'OP_3DUP',
  'OP_2OVER',
  'OP_2ROT',
  'OP_2SWAP',
  'OP_IFDUP',
  'OP_DEPTH',
  'OP_DROP',
  'OP_DUP',
  'OP_NIP',
  'OP_OVER',
  'OP_PICK',
  'OP_ROLL',
  'OP_ROT',
  'OP_SWAP',
  'OP_TUCK',
  'OP_CAT',
  'OP_SUBSTR',
  'OP_LEFT',
  'OP_RIGHT',
  'OP_SIZE',
  'OP_INVERT',
  'OP_AND',
  'OP_OR',
  'OP_XOR',
  'OP_EQUAL',
  'OP_EQUALVERIFY',
  'OP_RESERVED1',
  'OP_RESERVED2',
  'OP_1ADD',
  'OP_1SUB',
  'OP_2MUL',
  'OP_2DIV',
  'OP_NEGATE',
  'OP_ABS',
  'OP_NOT',
  'OP_0NOTEQUAL',
  'OP_ADD',
  'OP_SUB',
  'OP_MUL',
  'OP_DIV',
  'OP_MOD',
  'OP_LSHIFT',
  'OP_RSHIFT',
  'OP_BOOLAND',
  'OP_BOOLOR',
  'OP_NUMEQUAL',
  'OP_NUMEQUALVERIFY',
  'OP_NUMNOTEQUAL',
  'OP_LESSTHAN',
  'OP_GREATERTHAN',
  'OP_LESSTHANOREQUAL',
  'OP_GREATERTHANOREQUAL',
  'OP_MIN',
  'OP_MAX',
  'OP_WITHIN',
  'OP_RIPEMD160',
  'OP_SHA1',
  'OP_SHA256',
  'OP_HASH160',
  'OP_HASH256',
  'OP_CODESEPARATOR',
  'OP_CHECKSIG',
  'OP_CHECKSIGVERIFY',
  'OP_CHECKMULTISIG',
  'OP_CHECKMULTISIGVERIFY',
  'OP_NOP1',
  'OP_NOP2',
  'OP_NOP3',
  'OP_NOP4',
  'OP_NOP5',
  'OP_NOP6',
  'OP_NOP7',
  'OP_NOP8',
  'OP_NOP9',
  'OP_NOP10',
];

const OTHERS: ReadonlyMap<number, string> = new Map([
  [OP_0, '0'],
  [OP_PUSHDATA1, 'OP_PUSHDATA1'],
  [OP_PUSHDATA2, 'OP_PUSHDATA2'],
  [OP_PUSHDATA4, 'OP_PUSHDATA4'],
  [OP_1NEGATE, '-1'],
  [OP_RESERVED, 'OP_RESERVED'],
  [OP_CHECKCRYPTOCONDITION, 'OP_CHECKCRYPTOCONDITION'],
  [OP_CHECKCRYPTOCONDITIONVERIFY, 'OP_CHECKCRYPTOCONDITIONVERIFY'],
  [OP_INVALIDOPCODE, 'OP_INVALIDOPCODE'],
]);

/**
 * What the smart-chain node calls an operation. Small numbers go by their value (`0`, `16`, `-1`), 0xb1 by its old name
 * `OP_NOP2`, and a code without a meaning, such as one of a direct push, is `OP_UNKNOWN`.
 */
export function opcodeName(code: number): string {
  if (code >= OP_1 && code <= OP_16) return String(smallInteger(code));
  return NAMES[code - OP_NOP] ?? OTHERS.get(code) ?? 'OP_UNKNOWN';
}

/** The number that OP_1 to OP_16 push: 1 to 16. Meaningless for other codes. */
export function smallInteger(code: number): number {
  return code - OP_1 + 1;
}
