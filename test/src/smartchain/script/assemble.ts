import { concatBytes } from '../../../../src/htlc/byte-writer.ts';
import { OP_1, pushData } from '../../../../src/htlc/script.ts';
import { hexToBytes } from '../../../../src/primitives/hex.ts';
import type { SignatureChecker } from '../../../../src/smartchain/script/machine.ts';
import { opcodeName } from '../../../../src/smartchain/script/opcodes.ts';
import { encodeScriptNumber } from '../../../../src/smartchain/script/script-number.ts';

const CODES: ReadonlyMap<string, number> = new Map([
  ...Array.from({ length: 256 }, (_, code) => [opcodeName(code).replace('OP_', ''), code] as const),
  ['CLTV', 0xb1],
  ['CSV', 0xb2],
]);

/** A script from words: numbers in their shortest push, `<hex>` as a push, `0xhex` as bytes, operations without their `OP_`. */
export function assemble(text: string): Uint8Array {
  const words = text.split(' ').filter((word) => word !== '');
  return concatBytes(words.map(assembleWord));
}

function assembleWord(word: string): Uint8Array {
  if (word.startsWith('<')) return pushData(hexToBytes(word.slice(1, -1)));
  if (word.startsWith('0x')) return hexToBytes(word.slice(2));
  if (/^-?\d+$/.test(word)) {
    const value = Number(word);
    if (value === 0) return Uint8Array.of(0);
    return value >= -1 && value <= 16 ? Uint8Array.of(OP_1 - 1 + value) : pushData(encodeScriptNumber(value));
  }
  const code = CODES.get(word);
  if (code === undefined) throw new Error(`no operation is called ${word}`);
  return Uint8Array.of(code);
}

/** A checker that refuses everything but what is given. */
export function checkerWith(answers: Partial<SignatureChecker> = {}): SignatureChecker {
  return {
    checkSignature: () => false,
    checkLockTime: () => false,
    checkSequence: () => false,
    checkCryptoCondition: () => 'invalid',
    ...answers,
  };
}
