import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concatBytes } from '../../../../src/htlc/byte-writer.ts';
import { p2shScript, pushData } from '../../../../src/htlc/script.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { MANDATORY_FLAGS, type ScriptFlags, STANDARD_FLAGS } from '../../../../src/smartchain/script/flags.ts';
import { verifyScript } from '../../../../src/smartchain/script/interpreter.ts';
import { MAX_FULFILLMENT_BYTES } from '../../../../src/smartchain/script/machine.ts';
import { assemble, checkerWith } from './assemble.ts';
import { leaves, type Setting } from './running.ts';

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
    const long = (rest: number) => leaves([...new Array<string>(19).fill(drop), `<${'00'.repeat(rest)}>`].join(' '));
    expect(long(99)).toBe('00'.repeat(99));
    expect(long(100)).toBe('SCRIPT_SIZE');
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

  it('leaves nothing else if the stack must be clean', () => {
    const flags = { cleanStack: true, p2sh: true };
    expect(verify('1 1', '', { flags })).toBe('CLEANSTACK');
    expect(verify('1', '', { flags })).toBe('OK');
    const redeem = assemble('1');
    expect(verify('5 <51>', p2shScript(redeem), { flags })).toBe('CLEANSTACK');
    expect(verify('<51>', p2shScript(redeem), { flags })).toBe('OK');
  });

  it('only pushes if the flag says so, and in any spend of a script hash', () => {
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

  it('pushes in the shortest form if the flag says so', () => {
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

  it('of a hash time lock accepts the secret, or the lock time', () => {
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
