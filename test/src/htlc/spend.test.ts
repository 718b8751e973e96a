import { secp256k1 } from '@noble/curves/secp256k1.js';
import { describe, expect, it } from 'vitest';
import { parseHtlcInput } from '../../../src/htlc/htlc-input.ts';
import { type HtlcTerms, p2pkhScript, p2wpkhScript } from '../../../src/htlc/script.ts';
import { secretHashOf } from '../../../src/htlc/secret-hash.ts';
import {
  SIGHASH_ALL,
  SIGHASH_FORKID,
  signatureHasher,
  witnessSignatureHash,
} from '../../../src/htlc/signature-hash.ts';
import {
  BITCOIN_FORM,
  SMART_CHAIN_FORM,
  type SpendRequest,
  signedSpend,
  spendSize,
  unsignedSpend,
  virtualSize,
} from '../../../src/htlc/spend.ts';
import { decodeTransaction, isTransactionProblem } from '../../../src/htlc/transaction.ts';
import { encodeTransaction, transactionId } from '../../../src/htlc/transaction-encoding.ts';
import { hash160 } from '../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';
import { unixSecondsOf } from '../../../src/primitives/time.ts';
import { describeShared } from '../../support/shared.ts';
import { paymentsOf, recordedSwaps, transactionOf } from './corpus.ts';

const SENDER = hexToBytes('0b'.padStart(64, '0'));
const RECEIVER = hexToBytes('0d'.padStart(64, '0'));
const SECRET = hexToBytes('5e'.repeat(32));
const keyOf = (secretKey: Uint8Array) => secp256k1.getPublicKey(secretKey, true);
const sign = (hash: Uint8Array, key: Uint8Array) => secp256k1.sign(hash, key, { prehash: false, format: 'der' });
const verify = (signature: Uint8Array, hash: Uint8Array | undefined, key: Uint8Array) =>
  hash !== undefined && secp256k1.verify(signature, hash, key, { prehash: false, format: 'der', lowS: false });

const terms: HtlcTerms = {
  lockTime: unixSecondsOf(1_734_579_600),
  senderKey: keyOf(SENDER),
  receiverKey: keyOf(RECEIVER),
  secretHash: secretHashOf(SECRET),
};
const request = (changes: Partial<SpendRequest> = {}): SpendRequest => ({
  kind: 'claim',
  form: BITCOIN_FORM,
  terms,
  funding: { txid: 'c4'.repeat(32), vout: 3, value: 123_456_789n },
  to: p2wpkhScript(hash160(terms.receiverKey)),
  fee: 2_345n,
  ...changes,
});
const inputOf = (spend: { readonly transaction: { readonly inputs: readonly object[] } }) =>
  spend.transaction.inputs[0];

describe('a claim and a refund', () => {
  it('take the payment with one input and pay all but the fee', () => {
    for (const kind of ['claim', 'refund'] as const) {
      const { transaction } = unsignedSpend(request({ kind }));
      expect(transaction.inputs).toHaveLength(1);
      expect(transaction.inputs[0]).toMatchObject({ txid: 'c4'.repeat(32), vout: 3 });
      expect(transaction.outputs).toEqual([{ value: 123_454_444n, script: request().to }]);
    }
  });

  it('have the sequences and lock times of KDF, or those that signal replacement', () => {
    const seen = (changes: Partial<SpendRequest>) => {
      const { lockTime, inputs } = unsignedSpend(request(changes)).transaction;
      return [inputs[0]?.sequence, lockTime];
    };
    expect(seen({})).toEqual([0xffff_ffff, 1_734_579_600]);
    expect(seen({ kind: 'refund' })).toEqual([0xffff_fffe, 1_734_579_600]);
    expect(seen({ replaceable: true })).toEqual([0xffff_fffd, 0]);
    expect(seen({ kind: 'refund', replaceable: true })).toEqual([0xffff_fffd, 1_734_579_600]);
    const later = unixSecondsOf(1_734_579_999);
    expect(seen({ kind: 'refund', lockTime: later })).toEqual([0xffff_fffe, 1_734_579_999]);
    expect(seen({ lockTime: unixSecondsOf(12) })).toEqual([0xffff_ffff, 12]);
  });

  it('sign what their chain asks for', () => {
    const part = { input: 0, amount: 123_456_789n };
    for (const kind of ['claim', 'refund'] as const) {
      const plain = unsignedSpend(request({ kind }));
      const all = { ...part, scriptCode: plain.redeemScript, hashType: SIGHASH_ALL };
      expect(plain.signatureHash).toEqual(signatureHasher(plain.transaction)(all));
      const witness = unsignedSpend(request({ kind, scheme: 'p2wsh' }));
      expect(witness.signatureHash).toEqual(witnessSignatureHash(witness.transaction, all));
      const forked = unsignedSpend(request({ kind, hashType: SIGHASH_ALL | SIGHASH_FORKID }));
      expect(forked.signatureHash).toEqual(witnessSignatureHash(forked.transaction, { ...all, hashType: 0x41 }));
      const komodo = unsignedSpend(request({ kind, form: SMART_CHAIN_FORM }));
      expect(komodo.signatureHash).toEqual(signatureHasher(komodo.transaction)(all));
      const later = unsignedSpend(request({ kind, form: SMART_CHAIN_FORM, branchId: 0xc2d6_d0b4 }));
      expect(later.signatureHash).not.toEqual(komodo.signatureHash);
      const hashes = [plain, witness, forked, komodo].map(({ signatureHash }) => bytesToHex(signatureHash));
      expect(new Set(hashes).size).toBe(4);
    }
  });

  it('are read back with their branch, hash type and secret', () => {
    for (const scheme of ['p2sh', 'p2wsh'] as const) {
      const unsigned = unsignedSpend(request({ scheme, hashType: scheme === 'p2sh' ? 0x41 : 1 }));
      const signature = sign(unsigned.signatureHash, RECEIVER);
      const claim = signedSpend(unsigned, { signature, secret: SECRET });
      const typed = Uint8Array.from([...signature, unsigned.hashType]);
      expect(parseHtlcInput(inputOf(claim) as never)).toMatchObject({
        kind: 'spend',
        scheme,
        secret: SECRET,
        signature: typed,
      });
      expect(claim.txid).toBe(transactionId(claim.bytes, claim.transaction));
      expect(encodeTransaction(claim.transaction)).toEqual(claim.bytes);
      expect(parseHtlcInput(inputOf(signedSpend(unsigned, { signature })) as never)?.kind).toBe('spendPreimage');
      const refund = unsignedSpend(request({ kind: 'refund', scheme }));
      expect(parseHtlcInput(inputOf(signedSpend(refund, { signature })) as never)?.kind).toBe('refund');
    }
  });

  it('are no larger than was said, and at most a few bytes smaller', () => {
    for (const form of [BITCOIN_FORM, SMART_CHAIN_FORM]) {
      for (const kind of ['claim', 'refund'] as const) {
        for (const scheme of form === BITCOIN_FORM ? (['p2sh', 'p2wsh'] as const) : (['p2sh'] as const)) {
          const asked = request({ kind, form, scheme });
          const unsigned = unsignedSpend(asked);
          const signature = sign(unsigned.signatureHash, kind === 'claim' ? RECEIVER : SENDER);
          const { transaction } = signedSpend(unsigned, { signature, ...(kind === 'claim' ? { secret: SECRET } : {}) });
          const spare = spendSize(asked) - virtualSize(transaction);
          expect(spare).toBeGreaterThanOrEqual(0);
          expect(spare).toBeLessThanOrEqual(2);
        }
      }
    }
  });

  it.each<[string, Partial<SpendRequest>]>([
    ['a fee of 123456789 base units leaves nothing of 123456789', { fee: 123_456_789n }],
    ['a fee of -1 base units leaves nothing of 123456789', { fee: -1n }],
    [
      'a refund with lock time 1734579599 is before the lock time of the payment, 1734579600',
      { kind: 'refund', lockTime: unixSecondsOf(1_734_579_599) },
    ],
    ['a transaction of the form sapling has no witness', { form: SMART_CHAIN_FORM, scheme: 'p2wsh' }],
    [
      'a transaction gets its witness when it is signed: give the form legacy',
      { form: { format: 'segwit', version: 1 } },
    ],
    ['the output script is empty', { to: new Uint8Array(0) }],
  ])('are not made if no chain would accept them: %s', (problem, changes) => {
    expect(() => unsignedSpend(request(changes))).toThrow(
      expect.objectContaining({ code: 'HTLC_SPEND_INVALID', facts: { problem } }),
    );
  });

  it('show the right secret or none', () => {
    const claim = unsignedSpend(request());
    const signature = sign(claim.signatureHash, RECEIVER);
    const refuse = (act: () => unknown) => expect(act).toThrow(expect.objectContaining({ code: 'HTLC_SPEND_INVALID' }));
    refuse(() => signedSpend(claim, { signature, secret: new Uint8Array(32) }));
    refuse(() => signedSpend(claim, { signature, secret: SECRET.subarray(1) }));
    refuse(() => signedSpend(unsignedSpend(request({ kind: 'refund' })), { signature, secret: SECRET }));
    try {
      signedSpend(claim, { signature, secret: new Uint8Array(32).fill(0xee) });
    } catch (error) {
      expect(String(error)).not.toContain('ee'.repeat(8));
    }
  });
});

it('the signature of the P2WPKH example of BIP 143 is that of its key over our hash', () => {
  const unsigned = decodeTransaction(
    hexToBytes(
      '0100000002fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f0000000000eeffffffef51e1b804cc89d182d279655c' +
        '3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a' +
        '6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac11000000',
    ),
  );
  if (isTransactionProblem(unsigned)) throw new Error(unsigned.problem);
  const key = hexToBytes('025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee6357');
  const signature = hexToBytes(
    '304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a0220573a954c4518331561406f90300e8f3358f51928d43c' +
      '212a8caed02de67eebee',
  );
  const part = { input: 1, scriptCode: p2pkhScript(hash160(key)), amount: 600_000_000n, hashType: SIGHASH_ALL };
  const hash = witnessSignatureHash(unsigned, part);
  expect(bytesToHex(hash ?? new Uint8Array())).toBe('c37af31116d1b27caf68aae9e3ac82f1477929014d5b917657d0eb49478cb670');
  expect(verify(signature, hash, key)).toBe(true);
  expect(verify(signature, witnessSignatureHash(unsigned, { ...part, amount: 600_000_001n }), key)).toBe(false);
  expect(verify(signature, witnessSignatureHash(unsigned, { ...part, input: 0 }), key)).toBe(false);
  expect(witnessSignatureHash(unsigned, { ...part, input: 2 })).toBeUndefined();
});

/** The branch of Zcash when the recorded swap was made; Komodo and its smart chains stay with that of Sapling. */
const ZEC_BRANCH = 0x2bb4_0e60; // Blossom
const branchOf = (coin: unknown) => (coin === 'ZEC' ? { branchId: ZEC_BRANCH } : {});

describeShared('the claims and refunds of recorded swaps', () => {
  it('equal what is built here from their terms, and their signatures are over the hash that is computed here', () => {
    const verified = new Map<string, number>();
    const others = new Map<string, number>();
    for (const swap of recordedSwaps()) {
      const { makerPayment, takerPayment } = paymentsOf(swap);
      const cases = [
        [makerPayment, 'MakerPaymentSpent', 'claim'],
        [makerPayment, 'MakerPaymentRefunded', 'refund'],
        [takerPayment, 'TakerPaymentSpent', 'claim'],
        [takerPayment, 'TakerPaymentRefunded', 'refund'],
      ] as const;
      for (const [payment, event, kind] of cases) {
        const stored = transactionOf(swap, event);
        const spending = stored && decodeTransaction(hexToBytes(stored.tx_hex));
        const paying = payment.transaction && decodeTransaction(hexToBytes(payment.transaction.tx_hex));
        if (!stored || !spending || !paying || isTransactionProblem(spending) || isTransactionProblem(paying)) continue;
        const [input, ...more] = spending.inputs;
        const parsed = input && parseHtlcInput(input);
        const [paid] = paying.outputs;
        const [output, ...change] = spending.outputs;
        if (!input || !parsed || !paid || !output || more.length + change.length > 0) continue;
        const { inputs: _, outputs: __, lockTime, shielded: ___, ...form } = spending;
        const hashType = parsed.signature.at(-1) ?? 0;
        const unsigned = unsignedSpend({
          ...branchOf(payment === makerPayment ? swap.started['maker_coin'] : swap.started['taker_coin']),
          kind,
          form: { ...form, format: form.format === 'segwit' ? 'legacy' : form.format },
          scheme: parsed.scheme,
          terms: parsed.terms,
          funding: { txid: input.txid, vout: input.vout, value: paid.value },
          to: output.script,
          // Komodo pays interest, so that more may come out than was paid in.
          fee: paid.value > output.value ? paid.value - output.value : 0n,
          lockTime: unixSecondsOf(lockTime),
          hashType,
        });
        const signature = parsed.signature.subarray(0, -1);
        const built = signedSpend(unsigned, {
          signature,
          ...(parsed.kind === 'spend' ? { secret: parsed.secret } : {}),
        });
        if (paid.value <= output.value) continue;
        expect(bytesToHex(built.bytes), `${swap.row.file} ${event}`).toBe(stored.tx_hex.toLowerCase());
        const key = kind === 'claim' ? parsed.terms.receiverKey : parsed.terms.senderKey;
        const name = `${kind} ${spending.format} ${hashType}`;
        const count = verify(signature, unsigned.signatureHash, key) ? verified : others;
        count.set(name, (count.get(name) ?? 0) + 1);
      }
    }
    expect(Object.fromEntries(others)).toEqual({});
    expect(Object.fromEntries(verified)).toEqual({
      'claim legacy 1': 11,
      'claim sapling 1': 67,
      'refund sapling 1': 6,
    });
  });
});
