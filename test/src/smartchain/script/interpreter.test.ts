import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concatBytes } from '../../../../src/htlc/byte-writer.ts';
import { p2shScript, pushData } from '../../../../src/htlc/script.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import type { ScriptError } from '../../../../src/smartchain/script/errors.ts';
import { MANDATORY_FLAGS, type ScriptFlags, STANDARD_FLAGS } from '../../../../src/smartchain/script/flags.ts';
import { evaluateScript, verifyScript } from '../../../../src/smartchain/script/interpreter.ts';
import { MAX_FULFILLMENT_BYTES, type SignatureChecker } from '../../../../src/smartchain/script/machine.ts';
import { assemble, checkerWith } from './assemble.ts';

type Setting = { readonly flags?: ScriptFlags; readonly checker?: SignatureChecker };

/** What a script leaves on an empty stack, in hexadecimal, or why it fails. */
function leaves(text: string, { flags = MANDATORY_FLAGS, checker = checkerWith() }: Setting = {}) {
  const stack: Uint8Array[] = [];
  return evaluateScript(stack, assemble(text), { flags, checker }) ?? stack.map(bytesToHex).join(' ');
}

/** Two scripts that leave the same. */
function agree(rows: Readonly<Record<string, string>>): void {
  for (const [text, result] of Object.entries(rows)) expect([text, leaves(text)]).toEqual([text, leaves(result)]);
}

function fail(rows: Readonly<Record<string, ScriptError>>, setting: Setting = {}): void {
  for (const [text, error] of Object.entries(rows)) expect([text, leaves(text, setting)]).toEqual([text, error]);
}

describe('operations on the stack', () => {
  it('move elements as named', () => {
    agree({
      '7 8 DROP': '7',
      '7 8 9 2DROP': '7',
      '7 DUP': '7 7',
      '7 8 2DUP': '7 8 7 8',
      '7 8 9 3DUP': '7 8 9 7 8 9',
      '7 8 9 10 2OVER': '7 8 9 10 7 8',
      '1 2 3 4 5 6 2ROT': '3 4 5 6 1 2',
      '1 2 3 4 2SWAP': '3 4 1 2',
      '1 2 NIP': '2',
      '1 2 OVER': '1 2 1',
      '1 2 3 ROT': '2 3 1',
      '1 2 SWAP': '2 1',
      '1 2 TUCK': '2 1 2',
      '5 6 7 2 PICK': '5 6 7 5',
      '5 6 7 0 PICK': '5 6 7 7',
      '5 6 7 2 ROLL': '6 7 5',
      '0 IFDUP': '0',
      '3 IFDUP': '3 3',
      '1 2 DEPTH': '1 2 2',
      '<0102030405> SIZE': '<0102030405> 5',
      '7 TOALTSTACK 8 FROMALTSTACK': '8 7',
    });
  });

  it('need what they take', () => {
    const needs = {
      DUP: 1,
      '2DROP': 2,
      '3DUP': 3,
      '2OVER': 4,
      '2ROT': 6,
      '2SWAP': 4,
      PICK: 2,
      ROLL: 2,
      WITHIN: 3,
      ADD: 2,
    };
    for (const [name, count] of Object.entries({
      ...needs,
      TOALTSTACK: 1,
      SIZE: 1,
      SHA256: 1,
      EQUAL: 2,
      VERIFY: 1,
      CHECKSIG: 2,
    })) {
      expect(leaves(`${'1 '.repeat(count - 1)}${name}`)).toBe('INVALID_STACK_OPERATION');
    }
    fail({
      FROMALTSTACK: 'INVALID_ALTSTACK_OPERATION',
      '1 1 PICK': 'INVALID_STACK_OPERATION',
      '1 -1 ROLL': 'INVALID_STACK_OPERATION',
    });
  });
});

describe('operations on numbers', () => {
  it('compute as named', () => {
    agree({
      '2147483647 1ADD': '2147483648',
      '-2147483647 1SUB': '-2147483648',
      '5 NEGATE': '-5',
      '0 NEGATE': '0',
      '-5 ABS': '5',
      '0 NOT 7 NOT': '1 0',
      '0 0NOTEQUAL -3 0NOTEQUAL': '0 1',
      '2147483647 DUP ADD': '4294967294',
      '3 8 SUB': '-5',
      '0 4 BOOLAND 4 4 BOOLAND': '0 1',
      '0 4 BOOLOR 0 0 BOOLOR': '1 0',
      '<0500> 5 NUMEQUAL 5 6 NUMEQUAL': '1 0',
      '5 5 NUMNOTEQUAL 5 6 NUMNOTEQUAL': '0 1',
      '5 5 NUMEQUALVERIFY': '',
      '5 6 LESSTHAN 6 6 LESSTHAN': '1 0',
      '6 5 GREATERTHAN 6 6 GREATERTHAN': '1 0',
      '6 6 LESSTHANOREQUAL 7 6 LESSTHANOREQUAL': '1 0',
      '6 6 GREATERTHANOREQUAL 5 6 GREATERTHANOREQUAL': '1 0',
      '-3 2 MIN -3 2 MAX': '-3 2',
      '1 1 3 WITHIN 3 1 3 WITHIN 0 1 3 WITHIN': '1 0 0',
    });
    expect(leaves('5 6 NUMEQUALVERIFY')).toBe('NUMEQUALVERIFY');
  });

  it('refuse more than four bytes, and longer forms where the flags say so', () => {
    const unary = ['1ADD', '1SUB', 'NEGATE', 'ABS', 'NOT', '0NOTEQUAL'];
    const binary = ['ADD', 'SUB', 'BOOLAND', 'NUMEQUALVERIFY', 'LESSTHAN', 'MAX', 'PICK', 'ROLL'];
    const texts = [
      ...unary.map((name) => `$ ${name}`),
      ...binary.map((name) => `1 $ ${name}`),
      '$ 1 ADD',
      '$ 0 0 WITHIN',
    ];
    const keys = ['$ CHECKMULTISIG', '0 $ 0 CHECKMULTISIG'];
    for (const text of [...texts, '0 $ 0 WITHIN', '0 0 $ WITHIN', ...keys]) {
      expect([text, leaves(text.replace('$', '<0000000001>'))]).toEqual([text, 'UNKNOWN_ERROR']);
      expect([text, leaves(text.replace('$', '<0000>'), { flags: { minimalData: true } })]).toEqual([
        text,
        'UNKNOWN_ERROR',
      ]);
      expect(leaves(text.replace('$', '<0000>'))).not.toBe('UNKNOWN_ERROR');
    }
  });
});

describe('hashes and comparison', () => {
  it('give the published digests of nothing', () => {
    expect(leaves('0 SHA1')).toBe('da39a3ee5e6b4b0d3255bfef95601890afd80709');
    expect(leaves('0 RIPEMD160')).toBe('9c1185a5c5e9fc54612808977ee8f548b2258d31');
    expect(leaves('0 SHA256')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(leaves('0 HASH160')).toBe('b472a266d0bd89c13706a4132ccfb16f7c3b9fcb');
    expect(leaves('0 HASH256')).toBe('5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456');
  });

  it('compare bytes and not values', () => {
    agree({ '<0500> 5 EQUAL': '0', '5 5 EQUAL': '1', '5 5 EQUALVERIFY': '', '3 VERIFY': '' });
    fail({ '<0500> 5 EQUALVERIFY': 'EQUALVERIFY', '<80> VERIFY': 'VERIFY' });
  });
});

describe('branches', () => {
  it('run one side', () => {
    agree({
      '1 IF 2 ELSE 3 ENDIF': '2',
      '0 IF 2 ELSE 3 ENDIF': '3',
      '1 NOTIF 2 ELSE 3 ENDIF': '3',
      '0 NOTIF 2 ENDIF': '2',
      '1 IF 2 ELSE 3 ELSE 4 ENDIF': '2 4',
      '0 IF 1 IF RETURN ELSE RETURN ENDIF ENDIF 5': '5',
      '<80> IF 2 ELSE 3 ENDIF': '3',
      '0 IF VER RESERVED 0xba RETURN CHECKCRYPTOCONDITION <00> ENDIF 1': '1',
    });
  });

  it('are balanced, and some operations fail even where they do not run', () => {
    fail({
      '1 IF': 'UNBALANCED_CONDITIONAL',
      IF: 'UNBALANCED_CONDITIONAL',
      ELSE: 'UNBALANCED_CONDITIONAL',
      ENDIF: 'UNBALANCED_CONDITIONAL',
      '0 IF VERIF ENDIF': 'BAD_OPCODE',
      '0 IF VERNOTIF ENDIF': 'BAD_OPCODE',
      '0 IF 2MUL ENDIF': 'DISABLED_OPCODE',
      '0 IF CODESEPARATOR ENDIF': 'DISABLED_OPCODE',
      RETURN: 'OP_RETURN',
      VER: 'BAD_OPCODE',
      RESERVED: 'BAD_OPCODE',
      '0xba': 'BAD_OPCODE',
      '0x05ff': 'BAD_OPCODE',
    });
  });

  it('take a minimal condition where the flag says so', () => {
    const flags = { minimalIf: true };
    for (const condition of ['2', '<0100>', '<00>'])
      expect(leaves(`${condition} IF ENDIF`, { flags })).toBe('MINIMALIF');
    for (const condition of ['0', '1']) expect(leaves(`${condition} NOTIF ENDIF`, { flags })).toBe('');
  });

  it('hold disabled operations in none of their forms', () => {
    const names = ['CAT', 'SUBSTR', 'LEFT', 'RIGHT', 'INVERT', 'AND', 'OR', 'XOR', '2MUL', '2DIV', 'MUL', 'DIV', 'MOD'];
    for (const name of [...names, 'LSHIFT', 'RSHIFT']) expect(leaves(`1 1 1 ${name}`)).toBe('DISABLED_OPCODE');
  });
});

describe('lock times', () => {
  const seen: bigint[] = [];
  const checker = checkerWith({
    checkLockTime: (lockTime) => seen.push(lockTime) > 0 && lockTime < 600_000_000n,
    checkSequence: (sequence) => seen.push(sequence) > 0 && sequence < 100n,
  });

  it('are asked of the checker and stay on the stack', () => {
    expect(leaves('4294967295 CLTV', { checker })).toBe('UNSATISFIED_LOCKTIME');
    expect(leaves('599999999 CLTV', { checker })).toBe('ff45c323');
    expect(seen).toEqual([4_294_967_295n, 599_999_999n]);
    fail(
      { '-1 CLTV': 'NEGATIVE_LOCKTIME', CLTV: 'INVALID_STACK_OPERATION', '<010203040506> CLTV': 'UNKNOWN_ERROR' },
      { checker },
    );
  });

  it('do nothing without their flag, unless such operations are discouraged', () => {
    expect(leaves('-1 CLTV CSV', { flags: {} })).toBe('81');
    expect(leaves('-1 CSV')).toBe('81');
    const flags = { discourageUpgradableNops: true };
    for (const name of ['CLTV', 'CSV', 'NOP1', 'NOP10'])
      expect(leaves(name, { flags })).toBe('DISCOURAGE_UPGRADABLE_NOPS');
    expect(leaves('NOP 0 IF NOP10 ENDIF', { flags })).toBe('');
  });

  it('of an input are asked of the checker unless the sequence is off', () => {
    const flags = { checkSequenceVerify: true };
    expect(leaves('99 CSV', { flags, checker })).toBe('63');
    expect(leaves('100 CSV', { flags, checker })).toBe('UNSATISFIED_LOCKTIME');
    expect(leaves('2147483648 CSV DROP', { flags })).toBe('');
    expect(leaves('4294967296 CSV', { flags })).toBe('UNSATISFIED_LOCKTIME');
    expect(leaves('-1 CSV', { flags })).toBe('NEGATIVE_LOCKTIME');
  });
});

describe('limits of a script', () => {
  it('are 10,000 bytes, 520 bytes an element, 201 operations and 1,000 elements', () => {
    const nops = (count: number) => `0x${'61'.repeat(count)}`;
    expect(leaves(`0x${'51'.repeat(1000)}`)).not.toBe('STACK_SIZE');
    expect(leaves(`0x${'51'.repeat(1001)}`)).toBe('STACK_SIZE');
    expect(leaves(`TOALTSTACK`.padStart(3000, '1 '))).toBe('STACK_SIZE');
    expect(leaves(nops(201))).toBe('');
    expect(leaves(nops(202))).toBe('OP_COUNT');
    expect(leaves(`0 IF ${nops(200)} ENDIF`)).toBe('OP_COUNT');
    expect(leaves(`<${'00'.repeat(520)}> DROP`)).toBe('');
    expect(leaves(`<${'00'.repeat(521)}> DROP`)).toBe('PUSH_SIZE');
    expect(leaves(`0 IF <${'00'.repeat(521)}> ENDIF`)).toBe('PUSH_SIZE');
    const drop = `<${'00'.repeat(517)}> DROP`;
    expect(leaves(`${drop} `.repeat(19) + `<${'00'.repeat(100)}>`)).not.toBe('SCRIPT_SIZE');
    expect(leaves(`0x${'00'.repeat(10_001)}`)).toBe('SCRIPT_SIZE');
  });

  it('count each key of a multisig as an operation', () => {
    const keys = (count: number) => `0 0 ${'0 '.repeat(count)}${count} CHECKMULTISIG DROP `;
    expect(leaves(keys(20).repeat(9))).toBe('');
    expect(leaves(keys(20).repeat(10))).toBe('OP_COUNT');
    expect(leaves(`0 0 ${'0 '.repeat(21)}21 CHECKMULTISIG`)).toBe('PUBKEY_COUNT');
  });
});

describe('any script', () => {
  const opcode = fc.oneof(
    fc.integer({ min: 0x4f, max: 0xba }),
    fc.constantFrom(0, 0x51, 0x52, 0x53, 0xcc, 0xcd),
    fc.nat(255),
  );
  const script = fc.array(opcode, { maxLength: 300 }).map((bytes) => Uint8Array.from(bytes));
  const flags = fc.record(
    Object.fromEntries(
      [
        ...Object.keys(STANDARD_FLAGS),
        'signaturePushOnly',
        'checkSequenceVerify',
        'nullFail',
        'minimalIf',
        'bitcoinScriptCode',
      ].map((name) => [name, fc.boolean()]),
    ),
  );

  it('ends, and asks the checker at most 201 times for each of three scripts', () => {
    fc.assert(
      fc.property(script, script, flags, fc.boolean(), (scriptSig, scriptPubKey, chosen, answer) => {
        let questions = 0;
        const checkSignature = () => ++questions > 0 && answer;
        const checker = checkerWith({ checkSignature, checkLockTime: () => answer, checkCryptoCondition: () => 'ok' });
        const outcome = verifyScript({ scriptSig, scriptPubKey, flags: chosen, checker });
        expect([undefined, 'string']).toContain(outcome === undefined ? undefined : typeof outcome);
        expect(questions).toBeLessThanOrEqual(603);
      }),
      { numRuns: 500 },
    );
  });

  it('that more flags allow is allowed with fewer', () => {
    fc.assert(
      fc.property(script, (scriptPubKey) => {
        const verify = (chosen: ScriptFlags) =>
          verifyScript({ scriptSig: Uint8Array.of(0x51), scriptPubKey, flags: chosen, checker: checkerWith() });
        if (verify(STANDARD_FLAGS) === undefined) expect(verify(MANDATORY_FLAGS)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });
});

describe('spending', () => {
  const verify = (scriptSig: string, scriptPubKey: string | Uint8Array, setting: Setting = {}) =>
    verifyScript({
      scriptSig: assemble(scriptSig),
      scriptPubKey: typeof scriptPubKey === 'string' ? assemble(scriptPubKey) : scriptPubKey,
      flags: setting.flags ?? MANDATORY_FLAGS,
      checker: setting.checker ?? checkerWith(),
    }) ?? 'OK';

  it('needs a true element on top at the end', () => {
    expect(verify('1', '')).toBe('OK');
    expect(verify('0', '')).toBe('EVAL_FALSE');
    expect(verify('', '')).toBe('EVAL_FALSE');
    expect(verify('1', 'DROP')).toBe('EVAL_FALSE');
    expect(verify('1 2', '<80>')).toBe('EVAL_FALSE');
    expect(verify('RETURN', '1')).toBe('OP_RETURN');
    expect(verify('1 IF', 'ENDIF 1')).toBe('UNBALANCED_CONDITIONAL');
    expect(verify('1 TOALTSTACK', 'FROMALTSTACK')).toBe('INVALID_ALTSTACK_OPERATION');
  });

  it('leaves nothing else where the stack is to be clean', () => {
    const flags = { cleanStack: true, p2sh: true };
    expect(verify('1 1', '', { flags })).toBe('CLEANSTACK');
    expect(verify('1', '', { flags })).toBe('OK');
    const redeem = assemble('1');
    expect(verify('5 <51>', p2shScript(redeem), { flags })).toBe('CLEANSTACK');
    expect(verify('<51>', p2shScript(redeem), { flags })).toBe('OK');
  });

  it('only pushes where the flag says so, and in any spend of a script hash', () => {
    expect(verify('NOP 1', '', { flags: { signaturePushOnly: true } })).toBe('SIG_PUSHONLY');
    expect(verify('NOP 1', '')).toBe('OK');
    expect(verify('NOP <51>', p2shScript(assemble('1')))).toBe('SIG_PUSHONLY');
    expect(verify('NOP <51>', p2shScript(assemble('1')), { flags: {} })).toBe('OK');
  });

  it('runs the redeem script of a script hash', () => {
    const redeem = assemble('5 EQUAL');
    const push = `0x${bytesToHex(pushData(redeem))}`;
    expect(verify(`5 ${push}`, p2shScript(redeem))).toBe('OK');
    expect(verify(`6 ${push}`, p2shScript(redeem))).toBe('EVAL_FALSE');
    expect(verify(`6 ${push}`, p2shScript(redeem), { flags: {} })).toBe('OK');
    expect(verify(push, p2shScript(redeem))).toBe('INVALID_STACK_OPERATION');
    expect(verify('5 <00>', p2shScript(redeem))).toBe('EVAL_FALSE');
    expect(verify('', p2shScript(redeem))).toBe('INVALID_STACK_OPERATION');
  });

  it('pushes in the shortest form where the flag says so', () => {
    const flags = { minimalData: true };
    const longer = ['0x4c00', '0x0101', '0x0110', '0x0181', '0x4c0105', '0x4c0207ff', '0x4d010007', '0x4e0100000007'];
    for (const push of longer) {
      expect([push, verify(`${push} DROP 1`, '', { flags })]).toEqual([push, 'MINIMALDATA']);
      expect(verify(`0 IF ${push} ENDIF 1`, '', { flags })).toBe('OK');
      expect(verify(`${push} DROP 1`, '')).toBe('OK');
    }
    for (const length of [0, 1, 75, 76, 255, 256, 520]) {
      expect(verify(`<${'17'.repeat(length)}> DROP 1`, '', { flags })).toBe('OK');
    }
    expect(verify(`0x4d4c00${'17'.repeat(76)} DROP 1`, '', { flags })).toBe('MINIMALDATA');
    expect(verify(`0x4e00010000${'17'.repeat(256)} DROP 1`, '', { flags })).toBe('MINIMALDATA');
    expect(verify('0x0111 DROP 0x0100 DROP 1', '', { flags })).toBe('OK');
  });

  describe('a crypto-condition', () => {
    const condition = '2ea22c8020';
    const output = concatBytes([assemble(`<${condition}> CHECKCRYPTOCONDITION`)]);
    const asked: string[] = [];
    const answering = (answer: 'ok' | 'false' | 'invalid') =>
      checkerWith({
        checkCryptoCondition: (question) => {
          asked.push(bytesToHex(question.condition), bytesToHex(question.fulfillment), bytesToHex(question.scriptCode));
          return answer;
        },
      });

    it('asks the checker, and every answer has its outcome', () => {
      expect(verify('<aabb01>', output, { checker: answering('ok') })).toBe('OK');
      expect(asked).toEqual([condition, 'aabb01', bytesToHex(output)]);
      expect(verify('<aabb01>', output, { checker: answering('false') })).toBe('EVAL_FALSE');
      expect(verify('<aabb01>', output, { checker: answering('invalid') })).toBe('CRYPTOCONDITION_INVALID_FULFILLMENT');
    });

    it('is spent by one push of up to 2,048 bytes', () => {
      const checker = answering('ok');
      const push = (length: number) =>
        `0x4d${bytesToHex(Uint8Array.of(length & 255, length >> 8))}${'01'.repeat(length)}`;
      expect(verify(push(MAX_FULFILLMENT_BYTES), output, { checker })).toBe('OK');
      expect(verify(push(MAX_FULFILLMENT_BYTES + 1), output, { checker })).toBe('PUSH_SIZE');
      expect(verify('<01> <01>', output, { checker })).toBe('INVALID_STACK_OPERATION');
      expect(verify('1', output, { checker })).toBe('INVALID_STACK_OPERATION');
      expect(verify('0', output, { checker })).toBe('INVALID_STACK_OPERATION');
      expect(verify('', output, { checker })).toBe('BAD_OPCODE');
      expect(verify('0x05ff', output, { checker })).toBe('BAD_OPCODE');
      expect(verify('0x4c00', output, { checker })).toBe('EVAL_FALSE');
    });

    it('drops what its output carries besides', () => {
      const tail = concatBytes([output, assemble('<aabbcc> DROP')]);
      const flags = STANDARD_FLAGS;
      expect(verify('<aabb01>', tail, { flags, checker: answering('ok') })).toBe('OK');
    });

    it('may be verified in place', () => {
      const checker = answering('ok');
      expect(leaves('<01> <02> CHECKCRYPTOCONDITIONVERIFY', { checker })).toBe('');
      expect(leaves('<01> <02> CHECKCRYPTOCONDITIONVERIFY', { checker: answering('false') })).toBe(
        'CRYPTOCONDITION_VERIFY',
      );
      expect(leaves('<01> CHECKCRYPTOCONDITION', { checker })).toBe('INVALID_STACK_OPERATION');
      expect(leaves('0 <02> CHECKCRYPTOCONDITION', { checker })).toBe('');
    });

    it('does not exist without its flag', () => {
      expect(verify('<aabb01>', output, { flags: { p2sh: true }, checker: answering('ok') })).toBe('BAD_OPCODE');
      expect(leaves('CHECKCRYPTOCONDITION', { flags: {} })).toBe('BAD_OPCODE');
    });
  });

  it('of a hash time lock takes the secret, or the lock time', () => {
    const secret = '11'.repeat(32);
    const keys = { sender: `02${'aa'.repeat(32)}`, receiver: `03${'bb'.repeat(32)}` };
    const redeem = assemble(
      `IF <00e1f51d> CLTV DROP <${keys.sender}> CHECKSIG ELSE SIZE <20> EQUALVERIFY HASH160 <${leaves(`<${secret}> HASH160`)}> EQUALVERIFY <${keys.receiver}> CHECKSIG ENDIF`,
    );
    const output = p2shScript(redeem);
    const push = `0x${bytesToHex(pushData(redeem))}`;
    const signature = '300602010102010101';
    const spend = (key: string, lockTimeKept: boolean): Setting => ({
      flags: STANDARD_FLAGS,
      checker: checkerWith({
        checkSignature: ({ publicKey, scriptCode }) =>
          bytesToHex(publicKey) === key && bytesToHex(scriptCode) === bytesToHex(redeem),
        checkLockTime: (lockTime) => lockTimeKept && lockTime === 502_653_184n,
      }),
    });
    expect(leaves('<00e1f51d>')).toBe(bytesToHex(hexToBytes('00e1f51d')));
    expect(verify(`<${signature}> <${secret}> 0 ${push}`, output, spend(keys.receiver, false))).toBe('OK');
    expect(verify(`<${signature}> <${secret.slice(2)}> 0 ${push}`, output, spend(keys.receiver, false))).toBe(
      'EQUALVERIFY',
    );
    expect(verify(`<${signature}> <${secret}> 0 ${push}`, output, spend(keys.sender, false))).toBe('EVAL_FALSE');
    expect(verify(`<${signature}> 1 ${push}`, output, spend(keys.sender, true))).toBe('OK');
    expect(verify(`<${signature}> 1 ${push}`, output, spend(keys.sender, false))).toBe('UNSATISFIED_LOCKTIME');
  });
});
