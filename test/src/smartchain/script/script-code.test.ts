import { describe, expect, it } from 'vitest';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import type { ScriptFlags } from '../../../../src/smartchain/script/flags.ts';
import { evaluateScript } from '../../../../src/smartchain/script/interpreter.ts';
import { assemble, checkerWith } from './assemble.ts';

const BITCOIN: ScriptFlags = { bitcoinScriptCode: true };

/** The scripts that signatures of a script are asked to sign, by the flags. */
function signed(text: string, flags: ScriptFlags): readonly string[] {
  const codes: string[] = [];
  const checker = checkerWith({ checkSignature: ({ scriptCode }) => codes.push(bytesToHex(scriptCode)) > 0 });
  evaluateScript([], assemble(text), { flags, checker });
  return codes;
}

const hex = (text: string) => bytesToHex(assemble(text));

describe('script that a signature signs', () => {
  it('is the whole one in the smart-chain node', () => {
    const script = '<aa> <bb> CHECKSIG <aa> DROP';
    expect(signed(script, {})).toEqual([hex(script)]);
  });

  it('starts in Bitcoin behind the last separator that ran', () => {
    expect(signed('<aa> <bb> 0 IF CODESEPARATOR ENDIF CODESEPARATOR NOP CHECKSIG', BITCOIN)).toEqual([
      hex('NOP CHECKSIG'),
    ]);
    expect(signed('<aa> <bb> CHECKSIG CODESEPARATOR', BITCOIN)).toEqual([hex('<bb> CHECKSIG CODESEPARATOR')]);
  });

  it('lacks in Bitcoin every push of the signature, byte for byte', () => {
    expect(signed('<aa> <aa> <bb> CHECKSIG 0x4c01aa <02aa> <aa>', BITCOIN)).toEqual([
      hex('<bb> CHECKSIG 0x4c01aa <02aa>'),
    ]);
    expect(signed('<aa> <bb> CHECKSIG 0x05aa', BITCOIN)).toEqual([hex('<bb> CHECKSIG 0x05aa')]);
    expect(signed('0 <aa> <ab> 2 <b1> <b2> 2 CHECKMULTISIG', BITCOIN)).toEqual(
      new Array(2).fill(hex('0 2 <b1> <b2> 2 CHECKMULTISIG')),
    );
  });
});
