import { secp256k1 } from '@noble/curves/secp256k1.js';
import { describe, expect, it } from 'vitest';
import { pushData } from '../../../../src/htlc/script.ts';
import { decodeTransaction, isTransactionProblem } from '../../../../src/htlc/transaction.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { MANDATORY_FLAGS, type ScriptFlags, STANDARD_FLAGS } from '../../../../src/smartchain/script/flags.ts';
import { evaluateScript, verifyScript } from '../../../../src/smartchain/script/interpreter.ts';
import { nodeVectors } from '../../../support/node-vectors.ts';
import { describeShared } from '../../../support/shared.ts';
import { assemble, checkerWith } from './assemble.ts';

type SighashVector = {
  readonly txid: string;
  readonly input: number;
  readonly kind: string;
  readonly scriptCode: string;
  readonly sighash: string;
};

describeShared('inputs of published transactions', () => {
  const raw = new Map(
    [
      ...nodeVectors<{ txid: string; hex: string }>('txids'),
      ...nodeVectors<{ txid: string; hex: string }>('token-transactions'),
    ].map(({ txid, hex }) => [txid, hex]),
  );

  /** Undefined where the transaction itself was not published. */
  function scriptSigOf({ txid, input }: SighashVector): Uint8Array | undefined {
    const hex = raw.get(txid);
    if (hex === undefined) return undefined;
    const transaction = decodeTransaction(hexToBytes(hex));
    return isTransactionProblem(transaction) ? undefined : transaction.inputs[input]?.scriptSig;
  }

  it('that spend a key or its hash are valid by the signature over the published hash', () => {
    const normal = nodeVectors<SighashVector>('sighash').filter(({ kind }) => kind !== 'cryptocondition');
    expect(normal).toHaveLength(13);
    for (const vector of normal) {
      const scriptSig = scriptSigOf(vector);
      if (scriptSig === undefined) throw new Error(`no input ${vector.input} in ${vector.txid}`);
      const scriptPubKey = hexToBytes(vector.scriptCode);
      const verify = (sighash: string) =>
        verifyScript({
          scriptSig,
          scriptPubKey,
          flags: STANDARD_FLAGS,
          checker: checkerWith({
            checkSignature: ({ signature, publicKey, scriptCode }) => {
              expect(bytesToHex(scriptCode)).toBe(vector.scriptCode);
              const der = { format: 'der', prehash: false } as const;
              return secp256k1.verify(signature.slice(0, -1), hexToBytes(sighash), publicKey, der);
            },
          }),
        });
      expect(verify(vector.sighash)).toBeUndefined();
      expect(verify(vector.sighash.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')))).toBe('EVAL_FALSE');
    }
  });

  it('that spend a condition ask for it with the fulfillment that was published', () => {
    const fulfillments = new Map(
      nodeVectors<{ txid: string; input: number; fulfillment: string }>('fulfillments').map(
        ({ txid, input, fulfillment }) => [`${txid}:${input}`, fulfillment],
      ),
    );
    const conditions = nodeVectors<SighashVector>('sighash').filter(({ kind }) => kind === 'cryptocondition');
    expect(conditions).toHaveLength(36);
    // Of three inputs there is the fulfillment alone; their script is made of it here.
    expect(conditions.filter((vector) => scriptSigOf(vector) !== undefined)).toHaveLength(33);
    for (const vector of conditions) {
      const published = fulfillments.get(`${vector.txid}:${vector.input}`) ?? '';
      const scriptSig = scriptSigOf(vector) ?? pushData(hexToBytes(`${published}01`));
      const asked: string[] = [];
      const checker = checkerWith({
        checkCryptoCondition: ({ condition, fulfillment, scriptCode }) => {
          asked.push(bytesToHex(condition), bytesToHex(fulfillment.subarray(0, -1)), bytesToHex(scriptCode));
          return 'ok';
        },
      });
      const scriptPubKey = hexToBytes(vector.scriptCode);
      const outcome = verifyScript({ scriptSig, scriptPubKey, flags: STANDARD_FLAGS, checker });
      expect(outcome).toBeUndefined();
      expect(asked).toEqual([vector.scriptCode.slice(2, -2), published, vector.scriptCode]);
    }
  });
});

/** A signature of the right form; the checker of these tests goes by its R, which the name of the signer gives. */
const signatureOf = (signer: string) => `30060201${signer}02010101`;
const keyOf = (signer: string) => `02${signer.repeat(32)}`;
const checker = checkerWith({
  checkSignature: ({ signature, publicKey }) => signature[4] === publicKey[1],
});

function run(text: string, flags: ScriptFlags = MANDATORY_FLAGS) {
  const words = text.replace(/sig:(..)/g, (_, signer: string) => `<${signatureOf(signer)}>`);
  const stack: Uint8Array[] = [];
  const script = assemble(words.replace(/key:(..)/g, (_, signer: string) => `<${keyOf(signer)}>`));
  return evaluateScript(stack, script, { flags, checker }) ?? stack.map(bytesToHex).join(' ');
}

describe('check of a signature', () => {
  it('pushes the verdict, or stops if it must be true', () => {
    expect(run('sig:01 key:01 CHECKSIG')).toBe('01');
    expect(run('sig:01 key:02 CHECKSIG')).toBe('');
    expect(run('0 key:02 CHECKSIG NOT')).toBe('01');
    expect(run('sig:01 key:01 CHECKSIGVERIFY')).toBe('');
    expect(run('sig:01 key:02 CHECKSIGVERIFY')).toBe('CHECKSIGVERIFY');
  });

  it('looks at the form first', () => {
    expect(run('<01> key:01 CHECKSIG')).toBe('SIG_DER');
    expect(run('sig:01 <01> CHECKSIG', { strictEncoding: true })).toBe('PUBKEYTYPE');
    expect(run('sig:01 key:02 CHECKSIG', { nullFail: true })).toBe('NULLFAIL');
    expect(run('0 key:02 CHECKSIG NOT', { nullFail: true })).toBe('01');
  });
});

describe('check of several signatures', () => {
  it('takes them in the order of the keys', () => {
    expect(run('0 sig:01 sig:02 2 key:01 key:02 key:03 3 CHECKMULTISIG')).toBe('01');
    expect(run('0 sig:01 sig:03 2 key:01 key:02 key:03 3 CHECKMULTISIG')).toBe('01');
    expect(run('0 sig:02 sig:01 2 key:01 key:02 key:03 3 CHECKMULTISIG')).toBe('');
    expect(run('0 sig:01 sig:01 2 key:01 key:02 key:03 3 CHECKMULTISIG')).toBe('');
    expect(run('0 0 key:01 1 CHECKMULTISIG')).toBe('01');
    expect(run('0 0 0 CHECKMULTISIG')).toBe('01');
  });

  it('takes one element too much', () => {
    expect(run('7 0 sig:01 1 key:01 1 CHECKMULTISIG')).toBe('07 01');
    expect(run('sig:01 1 key:01 1 CHECKMULTISIG')).toBe('INVALID_STACK_OPERATION');
    // It is missed before any signature or key is looked at.
    expect(run('<01> 1 key:01 1 CHECKMULTISIG')).toBe('INVALID_STACK_OPERATION');
    expect(run('sig:01 1 <05> 1 CHECKMULTISIG', { strictEncoding: true })).toBe('INVALID_STACK_OPERATION');
    expect(run('5 sig:01 1 key:01 1 CHECKMULTISIG')).toBe('01');
    expect(run('5 sig:01 1 key:01 1 CHECKMULTISIG', { nullDummy: true })).toBe('SIG_NULLDUMMY');
    expect(run('0 sig:01 1 key:01 1 CHECKMULTISIG', { nullDummy: true })).toBe('01');
  });

  it('needs counts that fit each other and the stack', () => {
    expect(run('0 0 -1 CHECKMULTISIG')).toBe('PUBKEY_COUNT');
    expect(run('0 -1 0 CHECKMULTISIG')).toBe('SIG_COUNT');
    expect(run('0 sig:01 2 key:01 1 CHECKMULTISIG')).toBe('SIG_COUNT');
    expect(run('key:01 2 CHECKMULTISIG')).toBe('INVALID_STACK_OPERATION');
    expect(run('1 key:01 1 CHECKMULTISIG')).toBe('INVALID_STACK_OPERATION');
    expect(run('CHECKMULTISIG')).toBe('INVALID_STACK_OPERATION');
  });

  it('looks at the forms from the last one on, until too few keys are left', () => {
    expect(run('0 <01> sig:02 2 key:01 key:02 2 CHECKMULTISIG')).toBe('SIG_DER');
    expect(run('0 <01> sig:09 2 key:01 key:02 2 CHECKMULTISIG')).toBe('');
    expect(run('0 sig:02 1 <05> key:02 2 CHECKMULTISIG', { strictEncoding: true })).toBe('01');
    expect(run('0 sig:01 1 <05> key:02 2 CHECKMULTISIG', { strictEncoding: true })).toBe('PUBKEYTYPE');
  });

  it('stops if it must be true, and if a failed one must be empty', () => {
    expect(run('0 sig:01 1 key:01 1 CHECKMULTISIGVERIFY')).toBe('');
    expect(run('0 sig:01 1 key:02 1 CHECKMULTISIGVERIFY')).toBe('CHECKMULTISIGVERIFY');
    expect(run('0 sig:01 1 key:02 1 CHECKMULTISIG', { nullFail: true })).toBe('NULLFAIL');
    expect(run('0 0 1 key:02 1 CHECKMULTISIG', { nullFail: true })).toBe('');
  });
});
