import fc from 'fast-check';
import { concatBytes } from '../../src/htlc/byte-writer.ts';
import { OP_1, p2pkhScript, pushData } from '../../src/htlc/script.ts';
import { hash160 } from '../../src/primitives/hash.ts';
import { encodeScriptNumber } from '../../src/smartchain/script/script-number.ts';
import { type Damage, KEY_COUNT, type KeyForm, keyAt, type Piece, type Recipe } from './recipes.ts';

const FINAL = 0xffff_ffff;
const CHECKSIG = 0xac;
const CHECKMULTISIG = 0xae;
const CODESEPARATOR = 0xab;
const CLTV = 0xb1;
const CSV = 0xb2;
const DROP = 0x75;

const bytes = (maxLength: number) => fc.uint8Array({ maxLength });
const op = (...codes: readonly number[]) => Uint8Array.from(codes);

const damage: fc.Arbitrary<Damage> = fc.oneof(
  { weight: 10, arbitrary: fc.constant<Damage>('none') },
  {
    weight: 7,
    arbitrary: fc.constantFrom<Damage>('flipped', 'highS', 'padded', 'cut', 'long', 'emptied', 'typeless'),
  },
);

const hashType = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(1, 2, 0x81, 0x82) },
  { weight: 2, arbitrary: fc.constantFrom(3, 0x83) },
  { weight: 1, arbitrary: fc.constantFrom(0, 4, 0x1f, 0x41, 0x80, 0xc1, 0xff) },
);

const form: fc.Arbitrary<KeyForm> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<KeyForm>('compressed') },
  { weight: 2, arbitrary: fc.constant<KeyForm>('long') },
  { weight: 1, arbitrary: fc.constantFrom<KeyForm>('hybrid', 'headless') },
);

const keyIndex = fc.nat(KEY_COUNT - 1);

function signature(key: number, wrongKey = false): fc.Arbitrary<Piece> {
  const signer = wrongKey ? key + 1 : key;
  return fc.record({ hashType, damage, at: fc.nat(0xffff) }).map((rest) => ({ is: 'signature', key: signer, ...rest }));
}

const push = (data: Uint8Array): Piece => ({ is: 'push', bytes: data });
const script = (data: Uint8Array): Piece => ({ is: 'script', bytes: data });

const frame = { hashed: false, lockTime: 0, sequence: FINAL, signedFrom: 0 };
const rarely = fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0);

const payToKey = fc
  .record({ key: keyIndex, form, wrong: rarely, hashed: fc.boolean() })
  .chain(({ key, form: as, wrong, hashed }) =>
    signature(key, wrong).map((signed): Recipe => {
      const lock = concatBytes([pushData(keyAt(key, as)), op(CHECKSIG)]);
      return { ...frame, kind: 'pay to key', lock, hashed, pieces: [signed] };
    }),
  );

const payToKeyHash = fc
  .record({ key: keyIndex, form, wrong: rarely, other: rarely, hashed: fc.boolean() })
  .chain((drawn) =>
    signature(drawn.key, drawn.wrong).map((signed): Recipe => {
      const lock = p2pkhScript(hash160(keyAt(drawn.key, drawn.form)));
      const shown = keyAt(drawn.other ? drawn.key + 1 : drawn.key, drawn.form);
      return { ...frame, kind: 'pay to key hash', lock, hashed: drawn.hashed, pieces: [signed, push(shown)] };
    }),
  );

/** m of n keys; mostly as many signatures as asked for, in the order of the keys. */
const multisig = fc
  .record({
    keys: fc.array(fc.record({ key: keyIndex, form }), { minLength: 1, maxLength: 5 }),
    required: fc.integer({ min: 0, max: 5 }),
    hashed: fc.boolean(),
    orderly: fc.integer({ min: 0, max: 4 }).map((drawn) => drawn > 0),
    dummy: fc.oneof(
      { weight: 8, arbitrary: fc.constant(op(0)) },
      { weight: 1, arbitrary: fc.constantFrom(op(), op(OP_1), op(1, 0)) },
    ),
    miscount: fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(-1, 1) }),
  })
  .chain(({ keys, required, hashed, orderly, dummy, miscount }) => {
    const asked = Math.min(required, keys.length);
    const signers = orderly ? keys.slice(keys.length - asked) : [...keys].reverse().slice(0, asked);
    const count = (value: number) => (value === 0 ? op(0) : op(OP_1 - 1 + value));
    const lock = concatBytes([
      count(asked),
      ...keys.map(({ key, form: as }) => pushData(keyAt(key, as))),
      count(Math.max(0, keys.length + miscount)),
      op(CHECKMULTISIG),
    ]);
    return fc
      .tuple(...signers.map(({ key }) => signature(key)))
      .map((signed): Recipe => ({ ...frame, kind: 'multisig', lock, hashed, pieces: [script(dummy), ...signed] }));
  });

/** Lock times around the edges: of heights, of times, of what the chain has reached, and of how many bytes hold them. */
const lockTimes = (reached: readonly number[]) =>
  fc.oneof(
    fc.constantFrom(0, 1, 499_999_999, 500_000_000, 500_000_001, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff),
    fc.constantFrom(...reached.flatMap((value) => [value - 1, value, value + 1])),
  );

const sequences = fc.constantFrom(FINAL, FINAL - 1, 0, 1, 0x8000_0000, 0x0040_0000);

const operands = (reached: readonly number[]) =>
  fc.oneof(
    { weight: 6, arbitrary: lockTimes(reached).map((value) => pushNumber(value)) },
    { weight: 1, arbitrary: fc.integer({ min: -5, max: 20 }).map((value) => pushNumber(value)) },
    { weight: 1, arbitrary: fc.constantFrom(2 ** 39 - 1, 2 ** 39, 2 ** 40).map((value) => pushNumber(value)) },
    { weight: 1, arbitrary: bytes(6).map((data) => pushData(data)) },
  );

/** A number in its shortest push. */
export function pushNumber(value: number): Uint8Array {
  if (value === 0) return op(0);
  return value >= -1 && value <= 16 ? op(OP_1 - 1 + value) : pushData(encodeScriptNumber(value));
}

const lockTimed = (reached: readonly number[], opcode: number) =>
  fc
    .record({
      operand: operands(reached),
      lockTime: lockTimes(reached),
      sequence: sequences,
      key: keyIndex,
      hashed: fc.boolean(),
      same: fc.boolean(),
    })
    .chain(({ operand, lockTime, sequence, key, hashed }) =>
      signature(key).map((signed): Recipe => {
        const lock = concatBytes([operand, op(opcode, DROP), pushData(keyAt(key)), op(CHECKSIG)]);
        const kind = opcode === CLTV ? 'lock time' : 'sequence';
        return { ...frame, kind, lock, hashed, lockTime, sequence, pieces: [signed] };
      }),
    );

/** Signatures on both sides of an OP_CODESEPARATOR. */
const separated = fc
  .record({ key: keyIndex, hashed: fc.boolean(), behind: fc.boolean() })
  .chain(({ key, hashed, behind }) =>
    signature(key).map((signed): Recipe => {
      const head = concatBytes([pushData(keyAt(key)), op(CODESEPARATOR)]);
      const lock = concatBytes([head, op(CHECKSIG)]);
      return { ...frame, kind: 'separated', lock, hashed, pieces: [signed], signedFrom: behind ? head.length : 0 };
    }),
  );

const anyOpcode = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 0x61, max: 0xb9 }) },
  { weight: 4, arbitrary: fc.constantFrom(0, 0x4f, ...Array.from({ length: 16 }, (_, index) => OP_1 + index)) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 255 }) },
);

/** Pushes in their shortest form and in longer ones. */
const anyPush = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -20, max: 20 }).map(pushNumber) },
  { weight: 2, arbitrary: fc.integer().map(pushNumber) },
  { weight: 2, arbitrary: bytes(8).map((data) => pushData(data)) },
  { weight: 1, arbitrary: bytes(90).map((data) => pushData(data)) },
  { weight: 1, arbitrary: bytes(20).map((data) => concatBytes([op(0x4c, data.length), data])) },
  { weight: 1, arbitrary: bytes(4).map((data) => concatBytes([op(0x4d, data.length, 0), data])) },
  { weight: 1, arbitrary: keyIndex.map((key) => pushData(keyAt(key))) },
);

const anyWords = (maxLength: number) =>
  fc
    .array(
      fc.oneof(
        anyPush,
        anyOpcode.map((code) => op(code)),
      ),
      { maxLength },
    )
    .map((words) => concatBytes(words));

const random = fc
  .record({
    lock: anyWords(14),
    hashed: fc.boolean(),
    input: fc.array(anyPush, { maxLength: 6 }),
    loose: rarely,
    words: anyWords(6),
  })
  .map(({ lock, hashed, input, loose, words }): Recipe => {
    const pieces = [script(loose ? words : concatBytes(input))];
    return { ...frame, kind: 'random', lock, hashed: hashed && lock.length <= 520, pieces };
  });

const small = fc.integer({ min: -3, max: 5 });
const BRANCHES = [0x63, 0x64] as const;

/** Scripts that compute: most of them run to their end. */
const computing = fc
  .record({
    left: fc.oneof(small, fc.integer()),
    middle: small,
    right: fc.oneof(small, fc.integer()),
    opcode: fc.constantFrom(...range(0x6b, 0x7d), 0x82, 0x87, ...range(0x8b, 0xa5), ...range(0xa6, 0xaa)),
    branch: fc.constantFrom(...BRANCHES),
    otherwise: anyWords(3),
    branched: fc.boolean(),
    cleared: fc.boolean(),
    hashed: fc.boolean(),
  })
  .map(({ left, middle, right, opcode, branch, otherwise, branched, cleared, hashed }): Recipe => {
    const core = branched ? concatBytes([op(branch, opcode, 0x67), otherwise, op(0x68)]) : op(opcode);
    // What is left over is folded into one element, so that the stack is clean.
    const tail = cleared ? op(0x74, 0x63, 0x51, 0x67, 0x51, 0x68) : op();
    const lock = concatBytes([core, tail]);
    const pieces = [left, middle, right].map((value) => script(pushNumber(value)));
    return { ...frame, kind: 'computing', lock, hashed, pieces };
  });

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

const amounts = fc.constantFrom(
  -1n,
  0n,
  1n,
  150_000n,
  200_000n,
  200_001n,
  10n ** 8n,
  84_000_000n * 10n ** 8n,
  84_000_000n * 10n ** 8n + 1n,
  2n ** 62n,
);

/** Transactions whose form is at fault, or whose outputs are odd. */
const odd = fc
  .record({
    base: payToKeyHash,
    values: fc.array(amounts, { maxLength: 3 }),
    scripts: fc.array(anyWords(6), { minLength: 3, maxLength: 3 }),
  })
  .map(({ base, values, scripts }): Recipe => {
    const outputs = values.map((value, index) => ({
      value,
      script: concatBytes([scripts[index] as Uint8Array, new Uint8Array(30).fill(0x61)]),
    }));
    return { ...base, kind: 'odd outputs', outputs };
  });

type Edit = { readonly at: number; readonly xor: number };

const spoiled = fc
  .record({
    base: fc.oneof(payToKeyHash, payToKey, multisig),
    edits: fc.array(fc.record({ at: fc.nat(0xffff), xor: fc.integer({ min: 1, max: 255 }) }), {
      minLength: 0,
      maxLength: 3,
    }),
    cut: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(200) }),
    more: fc.oneof({ weight: 6, arbitrary: fc.constant(op()) }, { weight: 1, arbitrary: bytes(9) }),
  })
  .map(
    ({ base, edits, cut, more }): Recipe => ({
      ...base,
      kind: 'spoiled',
      spoil: (raw) => spoil(raw, { edits, cut, more }),
    }),
  );

function spoil(
  raw: Uint8Array,
  { edits, cut, more }: { edits: readonly Edit[]; cut: number; more: Uint8Array },
): Uint8Array {
  const changed = raw.slice(0, Math.max(1, raw.length - cut));
  for (const { at, xor } of edits) changed[at % changed.length] = (changed[at % changed.length] as number) ^ xor;
  return concatBytes([changed, more]);
}

/** Every kind of spend. `reached` are lock times that the chain is just at: its height and its median time. */
export function recipes(reached: readonly number[]): fc.Arbitrary<Recipe> {
  return fc.oneof(
    { weight: 10, arbitrary: payToKey },
    { weight: 10, arbitrary: payToKeyHash },
    { weight: 16, arbitrary: multisig },
    { weight: 14, arbitrary: lockTimed(reached, CLTV) },
    { weight: 3, arbitrary: lockTimed(reached, CSV) },
    { weight: 3, arbitrary: separated },
    { weight: 16, arbitrary: random },
    { weight: 14, arbitrary: computing },
    { weight: 4, arbitrary: odd },
    { weight: 10, arbitrary: spoiled },
  );
}
