import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactSize, concatBytes, uint64Bytes, uintBytes } from '../../../src/htlc/byte-writer.ts';
import { MAX_SCRIPT_BYTES, pushData } from '../../../src/htlc/script.ts';
import {
  SIGHASH_ALL,
  SIGHASH_ANYONECANPAY,
  SIGHASH_FORKID,
  SIGHASH_NONE,
  SIGHASH_SINGLE,
  type SignableTransaction,
  type SignedPart,
  signatureHasher,
  witnessSignatureHash,
} from '../../../src/htlc/signature-hash.ts';
import type { DecodedTransaction } from '../../../src/htlc/transaction.ts';
import { encodeTransaction } from '../../../src/htlc/transaction-encoding.ts';
import { hash256 } from '../../../src/primitives/hash.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';

const bytes = (minLength: number, maxLength: number) => fc.uint8Array({ minLength, maxLength });
const uint32 = fc.nat(0xffff_ffff);
const input = fc.record({
  txid: bytes(32, 32).map(bytesToHex),
  vout: uint32,
  sequence: uint32,
  scriptSig: bytes(0, 9),
});
const output = fc.record({ value: fc.bigInt({ min: 0n, max: (1n << 63n) - 1n }), script: bytes(0, 30) });
const legacy = fc.record({
  format: fc.constant('legacy' as const),
  version: fc.nat(0x7fff_ffff),
  inputs: fc.array(input, { minLength: 1, maxLength: 4 }),
  outputs: fc.array(output, { minLength: 1, maxLength: 4 }),
  lockTime: uint32,
}) satisfies fc.Arbitrary<DecodedTransaction>;
/** With a time, and a text at the end as NAV has it. */
const stake = fc
  .tuple(legacy, uint32, fc.option(bytes(0, 20), { nil: undefined }))
  .map(([tx, nTime, comment]): DecodedTransaction => {
    return { ...tx, format: 'proofOfStake', nTime, ...(comment === undefined ? {} : { comment }) };
  });

const CODESEPARATOR = Uint8Array.of(0xab);
const op = fc.oneof(
  { arbitrary: fc.constant(CODESEPARATOR), weight: 2 },
  // Bytes that look like a separator where they are none.
  { arbitrary: fc.array(fc.oneof(fc.constant(0xab), fc.nat(255)), { maxLength: 90 }).map(pushOf), weight: 3 },
  { arbitrary: fc.integer({ min: 0x4f, max: 0xff }).map((opcode) => Uint8Array.of(opcode)), weight: 3 },
);
const isSeparator = (one: Uint8Array) => one.length === 1 && one[0] === 0xab;

function pushOf(data: readonly number[]): Uint8Array {
  return pushData(Uint8Array.from(data));
}

const KINDS = [SIGHASH_ALL, SIGHASH_NONE, SIGHASH_SINGLE];
const hashType = fc
  .tuple(fc.constantFrom(...KINDS, 0, 4, 0x1f), fc.constantFrom(0, SIGHASH_ANYONECANPAY), fc.constantFrom(0, 0x20))
  .map(([kind, anyone, other]) => kind | anyone | other);

const EMPTY = new Uint8Array();
const BLANK = { value: (1n << 64n) - 1n, script: EMPTY };

/** Bitcoin's first signature hash by its definition: a copy of the transaction, changed by the hash type, written, and hashed. */
function byDefinition(tx: DecodedTransaction, { input: own, hashType: type, scriptCode }: SignedPart) {
  const kind = type & 0x1f;
  if (own === undefined || own >= tx.inputs.length) return undefined;
  if (kind === SIGHASH_SINGLE && own >= tx.outputs.length) return undefined;
  const rest = kind === SIGHASH_NONE || kind === SIGHASH_SINGLE;
  const all = tx.inputs.map((each, index) =>
    index === own
      ? { ...each, scriptSig: scriptCode }
      : { ...each, scriptSig: EMPTY, sequence: rest ? 0 : each.sequence },
  );
  const inputs = (type & SIGHASH_ANYONECANPAY) === 0 ? all : all.slice(own, own + 1);
  const single = tx.outputs.slice(0, own + 1).map((each, index) => (index === own ? each : BLANK));
  const outputs = kind === SIGHASH_NONE ? [] : kind === SIGHASH_SINGLE ? single : tx.outputs;
  return hash256(concatBytes([encodeTransaction({ ...tx, inputs, outputs }), uintBytes(type, 4)]));
}

/** BIP 143 by its definition. */
function witnessByDefinition(tx: SignableTransaction, { input: own, hashType: type, scriptCode, amount }: SignedPart) {
  const spent = tx.inputs[own ?? -1];
  if (spent === undefined || own === undefined) return undefined;
  const zeros = new Uint8Array(32);
  const kind = type & 0x1f;
  const point = ({ txid, vout }: { txid: string; vout: number }) =>
    concatBytes([Uint8Array.from(Buffer.from(txid, 'hex').reverse()), uintBytes(vout, 4)]);
  const paid = ({ value, script }: { value: bigint; script: Uint8Array }) =>
    concatBytes([uint64Bytes(value), compactSize(script.length), script]);
  const anyone = (type & SIGHASH_ANYONECANPAY) !== 0;
  const bare = kind === SIGHASH_NONE || kind === SIGHASH_SINGLE;
  const beside = tx.outputs[own];
  const single = kind === SIGHASH_SINGLE && beside !== undefined ? hash256(paid(beside)) : zeros;
  return hash256(
    concatBytes([
      uintBytes(tx.version, 4),
      anyone ? zeros : hash256(concatBytes(tx.inputs.map(point))),
      anyone || bare ? zeros : hash256(concatBytes(tx.inputs.map(({ sequence }) => uintBytes(sequence, 4)))),
      point(spent),
      compactSize(scriptCode.length),
      scriptCode,
      uint64Bytes(amount),
      uintBytes(spent.sequence, 4),
      bare ? single : hash256(concatBytes(tx.outputs.map(paid))),
      uintBytes(tx.lockTime, 4),
      uintBytes(type, 4),
    ]),
  );
}

const part = fc.record({ input: fc.nat(4), scriptCode: bytes(0, 60), amount: fc.bigInt(0n, 1n << 51n), hashType });
const hexOf = (hash: Uint8Array | undefined) => (hash === undefined ? null : bytesToHex(hash));

describe('the hash that a signature of an input without witness signs', () => {
  it('is that of a copy of the transaction, changed by the hash type and written', () => {
    fc.assert(
      fc.property(fc.oneof(legacy, stake), part, fc.array(op, { maxLength: 8 }), (tx, asked, ops) => {
        const scriptCode = concatBytes(ops.filter((one) => !isSeparator(one)));
        const signed = { ...asked, scriptCode };
        expect(hexOf(signatureHasher(tx)(signed))).toBe(hexOf(byDefinition(tx, signed)));
      }),
      { numRuns: 300 },
    );
  });

  it('leaves out only the separators of the script, wherever they are', () => {
    fc.assert(
      fc.property(legacy, part, fc.array(op, { maxLength: 12 }), (tx, asked, ops) => {
        const hash = signatureHasher(tx);
        const own = asked.input % tx.inputs.length;
        const without = concatBytes(ops.filter((one) => !isSeparator(one)));
        const signed = { ...asked, input: own, hashType: SIGHASH_ALL };
        expect(hexOf(hash({ ...signed, scriptCode: concatBytes(ops) }))).toBe(
          hexOf(byDefinition(tx, { ...signed, scriptCode: without })),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('uses a script that cannot be read unchanged', () => {
    const [tx] = fc.sample(legacy, { numRuns: 1, seed: 7 });
    const signed = { input: 0, amount: 0n, hashType: SIGHASH_ALL };
    const cutOff = Uint8Array.of(0xab, 0x51, 0x05, 0xab);
    const tooLong = new Uint8Array(MAX_SCRIPT_BYTES + 1).fill(0xab);
    for (const scriptCode of [cutOff, tooLong]) {
      const sound = tx as DecodedTransaction;
      expect(hexOf(signatureHasher(sound)({ ...signed, scriptCode }))).toBe(
        hexOf(byDefinition(sound, { ...signed, scriptCode })),
      );
    }
  });
});

it('the hash of BIP 143 is that of its definition, separators and all', () => {
  fc.assert(
    fc.property(legacy, part, fc.constantFrom(0, SIGHASH_FORKID), (tx, asked, fork) => {
      const signed = { ...asked, hashType: asked.hashType | fork };
      expect(hexOf(witnessSignatureHash(tx, signed))).toBe(hexOf(witnessByDefinition(tx, signed)));
    }),
    { numRuns: 300 },
  );
});
