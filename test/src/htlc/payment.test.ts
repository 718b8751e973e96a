import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { htlcInputScripts } from '../../../src/htlc/htlc-input.ts';
import { inputKey, keyInputScripts, keyScriptLike } from '../../../src/htlc/key-input.ts';
import { moduleSwapId } from '../../../src/htlc/module-swap-id.ts';
import {
  findPaymentOutput,
  paymentOutputs,
  paymentProblem,
  paymentScript,
  takenBy,
} from '../../../src/htlc/payment.ts';
import {
  type HtlcTerms,
  htlcRedeemScript,
  opReturnData,
  p2pkhScript,
  p2shScript,
  p2wpkhScript,
  paidScript,
  payToScript,
  type ScriptScheme,
} from '../../../src/htlc/script.ts';
import { secretHashMatches, secretHashOf } from '../../../src/htlc/secret-hash.ts';
import { hash160 } from '../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';
import { unixSecondsOf } from '../../../src/primitives/time.ts';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const scheme = fc.constantFrom<ScriptScheme>('p2sh', 'p2wsh');
const terms: fc.Arbitrary<HtlcTerms> = fc.record({
  lockTime: fc.nat(0xffff_ffff).map(unixSecondsOf),
  senderKey: bytes(33),
  receiverKey: bytes(33),
  secretHash: fc.oneof(bytes(20), bytes(32)),
});
const value = fc.bigInt({ min: 1n, max: 10n ** 17n });
const [sample] = fc.sample(terms, { seed: 8, numRuns: 1 }) as [HtlcTerms];
const change = { value: 77n, script: p2pkhScript(new Uint8Array(20)) };

describe('the outputs of a payment', () => {
  it('are the locked value and the hash as negotiated, found again and judged sound', () => {
    fc.assert(
      fc.property(scheme, terms, value, (by, own, locked) => {
        const payment = { terms: own, scheme: by, value: locked };
        const [first, second] = paymentOutputs(payment);
        expect(first).toEqual({ value: locked, script: payToScript(htlcRedeemScript(own), by) });
        expect(paidScript(first?.script ?? new Uint8Array())?.scheme).toBe(by);
        expect(second?.value).toBe(0n);
        expect(opReturnData(second?.script ?? new Uint8Array())).toEqual(own.secretHash);
        const outputs = [...paymentOutputs(payment), change];
        expect(paymentProblem({ outputs }, payment)).toBeNull();
        expect(findPaymentOutput({ outputs }, payment)).toEqual({ vout: 0, value: locked });
        const other = by === 'p2sh' ? 'p2wsh' : 'p2sh';
        expect(paymentProblem({ outputs }, { ...payment, scheme: other })).toContain("script pubkey doesn't match");
        expect(findPaymentOutput({ outputs }, { ...payment, scheme: other })).toBeUndefined();
      }),
    );
  });

  it('may carry the whole script, as on Pirate', () => {
    const [, data] = paymentOutputs({ terms: sample, value: 1n }, { carries: 'redeemScript' });
    expect(opReturnData(data?.script ?? new Uint8Array())).toEqual(htlcRedeemScript(sample));
  });

  it('are refused in the words of KDF if the place, the script or the value differs', () => {
    const payment = { terms: sample, value: 500n };
    const outputs = paymentOutputs(payment);
    const problem = (found: typeof outputs, of = payment) => paymentProblem({ outputs: found }, of);
    expect(problem([])).toBe('Payment tx has no outputs');
    expect(problem(outputs, { ...payment, value: 499n })).toBe(
      "Provided payment tx output value doesn't match expected 500 499",
    );
    expect(problem(outputs, { ...payment, value: 501n })).toContain('500 501');
    expect(problem([change, ...outputs])).toContain(bytesToHex(paymentScript(payment)));
    expect(findPaymentOutput({ outputs: [change, ...outputs] }, payment)).toEqual({ vout: 1, value: 500n });
    const late = { ...sample, lockTime: unixSecondsOf((sample.lockTime + 1) % 2 ** 32) };
    expect(problem(outputs, { ...payment, terms: late })).toContain("doesn't match expected");
    expect(problem(outputs, { ...payment, terms: { ...sample, senderKey: sample.receiverKey } })).not.toBeNull();
  });

  it('have the form that reveals the scheme, and nothing else has', () => {
    fc.assert(fc.property(scheme, bytes(60), (by, script) => paidScript(payToScript(script, by))?.scheme === by));
    const other = [
      p2pkhScript(new Uint8Array(20)),
      p2wpkhScript(new Uint8Array(20)),
      new Uint8Array(23),
      new Uint8Array(34),
    ];
    for (const script of other) expect(paidScript(script)).toBeUndefined();
  });
});

describe('how a payment was spent', () => {
  const outPoint = { txid: 'ab'.repeat(32), vout: 2 };
  const parts = { signature: new Uint8Array(71), redeemScript: htlcRedeemScript(sample) };
  const input = (scripts: ReturnType<typeof htlcInputScripts>) => ({ ...outPoint, sequence: 0, ...scripts });
  const secret = new Uint8Array(32).fill(7);

  it.each(['p2sh', 'p2wsh'] as const)('is recognized by the input that spends it, under %s', (by) => {
    const claim = input(htlcInputScripts({ ...parts, scheme: by, kind: 'spend', secret }));
    const refund = input(htlcInputScripts({ ...parts, scheme: by, kind: 'refund' }));
    const foreign = { ...claim, txid: 'cd'.repeat(32) };
    expect(takenBy({ inputs: [foreign, claim] }, outPoint)).toEqual({ how: 'secret', secret });
    expect(takenBy({ inputs: [refund] }, outPoint)).toEqual({ how: 'refund' });
    expect(takenBy({ inputs: [foreign, { ...claim, vout: 1 }] }, outPoint)).toBeUndefined();
    expect(takenBy({ inputs: [{ ...claim, scriptSig: new Uint8Array(3), witness: [] }] }, outPoint)).toEqual({
      how: 'unknown',
    });
  });
});

describe('inputs of keys', () => {
  const key = hexToBytes('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798');
  const signature = new Uint8Array(72);

  it.each([
    ['p2pkh', p2pkhScript],
    ['p2wpkh', p2wpkhScript],
  ] as const)('%s shows the key, which the output pays to', (by, script) => {
    const scripts = keyInputScripts({ scheme: by, signature, key });
    expect(inputKey(scripts)).toEqual(key);
    const output = script(hash160(key));
    expect(keyScriptLike(output, key)).toEqual(output);
    expect(keyScriptLike(script(new Uint8Array(20)), key)).toEqual(output);
  });

  it('show none if the last item is not a compressed key, and fit no other output', () => {
    expect(inputKey({ scriptSig: new Uint8Array(0) })).toBeUndefined();
    expect(inputKey({ scriptSig: new Uint8Array(0), witness: [signature] })).toBeUndefined();
    expect(keyScriptLike(p2shScript(key), key)).toBeUndefined();
  });
});

it('a secret has the hash that is offered for it, 20 bytes or 32', () => {
  fc.assert(
    fc.property(bytes(32), fc.constantFrom<20 | 32>(20, 32), (secret, length) => {
      const hash = secretHashOf(secret, length);
      expect(hash).toHaveLength(length);
      expect(secretHashMatches(secret, hash)).toBe(true);
    }),
  );
  expect(secretHashOf(new Uint8Array(32))).toHaveLength(20);
  expect(() => secretHashOf(new Uint8Array(31))).toThrow(RangeError);
});

it('the id of a module payment binds hash, sender, receiver and coins in this order', () => {
  const payment = {
    secretHash: new Uint8Array(32),
    sender: new Uint8Array(20).fill(1),
    receiver: new Uint8Array(20).fill(2),
    coins: '5uiris',
  };
  const ids = [
    payment,
    { ...payment, sender: payment.receiver, receiver: payment.sender },
    { ...payment, coins: '6uiris' },
  ];
  expect(new Set(ids.map(moduleSwapId)).size).toBe(3);
});
