import { concatBytes } from '../../src/htlc/byte-writer.ts';
import { p2shScript, pushData } from '../../src/htlc/script.ts';
import type { DecodedTransaction, TransactionOutput } from '../../src/htlc/transaction.ts';
import type { OutPoint } from '../../src/htlc/transaction-encoding.ts';
import { decodeChainTransaction, encodeChainTransaction, transactionIdOf } from '../../src/smartchain/transaction.ts';
import { pushNumber } from './arbitraries.ts';
import { OWNER, OWNER_SCRIPT, ownersSpend } from './funded-chain.ts';
import { keyAt, type Recipe, spendOf } from './recipes.ts';

/** Satoshis that every coin of the owner has, on both sides. */
export const COIN = 50n * 100_000_000n;

/** What one side has for the rows of the table. */
export type Hand = {
  /** A coin that nobody spent yet, another one at every call. */
  readonly take: () => OutPoint;
  /** A coin too young to be spent. */
  readonly young: OutPoint;
  /** A coin that a block spent, and the transaction that did. */
  readonly spent: OutPoint;
  readonly spender: Uint8Array;
  /** Height of the next block. */
  readonly height: number;
};

export type Row = {
  readonly name: string;
  /** Transactions to be submitted in this order; the verdict on the last one is compared. */
  readonly build: (hand: Hand) => readonly Uint8Array[];
};

const output = (value: bigint, script: Uint8Array = OWNER_SCRIPT): TransactionOutput => ({ value, script });
const CHANGE = output(COIN - 10_000n);
const MOST = 84_000_000n * 100_000_000n;

type Edit = (draft: DecodedTransaction) => DecodedTransaction;

/** A row with one transaction that spends one coin. */
function row(name: string, edit: Edit, outputs = [CHANGE]): Row {
  return { name, build: ({ take }) => [ownersSpend([take()], outputs, edit)] };
}

const same: Edit = (draft) => draft;

/** A row in which the input script is another one. */
function unlocked(name: string, edit: (script: Uint8Array) => Uint8Array): Row {
  const build = ({ take }: Hand) => {
    const transaction = decodeChainTransaction(ownersSpend([take()], [CHANGE]))?.transaction as DecodedTransaction;
    const inputs = transaction.inputs.map((input) => ({ ...input, scriptSig: edit(input.scriptSig) }));
    return [encodeChainTransaction({ ...transaction, inputs })];
  };
  return { name, build };
}

/** A row that pays to the hash of a script and spends that; both transactions wait. */
function hashed(name: string, recipe: (height: number) => Partial<Recipe>): Row {
  const build = ({ take, height }: Hand) => {
    const spend: Recipe = {
      kind: name,
      lock: Uint8Array.of(0x51),
      hashed: true,
      pieces: [],
      lockTime: 0,
      sequence: 0xffff_fffe,
      signedFrom: 0,
      ...recipe(height),
    };
    const paying = ownersSpend([take()], [output(200_000n, p2shScript(spend.lock)), output(COIN - 300_000n)]);
    return [paying, spendOf(spend, { txid: transactionIdOf(paying), vout: 0 })];
  };
  return { name, build };
}

const signed = (key: number) => ({ is: 'signature' as const, key, hashType: 1, damage: 'none' as const, at: 0 });
const locked = (lockTime: number) =>
  concatBytes([pushNumber(lockTime), Uint8Array.of(0xb1, 0x75), pushData(keyAt(OWNER)), Uint8Array.of(0xac)]);
const twoOfTwo = concatBytes([Uint8Array.of(0x52), pushData(keyAt(1)), pushData(keyAt(2)), Uint8Array.of(0x52, 0xae)]);
const dummy = { is: 'script' as const, bytes: Uint8Array.of(0) };
const nothing: OutPoint = { txid: '00'.repeat(32), vout: 0xffff_ffff };

/** Transactions that are submitted on both sides, most of them to be refused. */
export const REFUSALS: readonly Row[] = [
  row('a plain spend', same),
  row('no outputs', same, []),
  row('a negative output', same, [output(-1n)]),
  row('an output above all money', same, [output(1n << 60n)]),
  row('outputs above all money together', same, [output(MOST), output(MOST), output(MOST)]),
  row('the same input twice', (draft) => ({ ...draft, inputs: [...draft.inputs, ...draft.inputs] })),
  row('an input that is none', (draft) => ({
    ...draft,
    inputs: [...draft.inputs, { ...nothing, scriptSig: new Uint8Array(0), sequence: 0 }],
  })),
  row('new coins', (draft) => ({
    ...draft,
    inputs: draft.inputs.map((input) => ({ ...input, ...nothing })),
  })),
  row('more out than in', same, [output(COIN + 1n)]),
  row('an unknown input', (draft) => ({
    ...draft,
    inputs: draft.inputs.map((input) => ({ ...input, txid: 'ab'.repeat(32) })),
  })),
  row('an unknown output of a known transaction', (draft) => ({
    ...draft,
    inputs: draft.inputs.map((input) => ({ ...input, vout: 7 })),
  })),
  { name: 'a young coin', build: ({ young }) => [ownersSpend([young], [CHANGE])] },
  { name: 'a spent coin', build: ({ spent }) => [ownersSpend([spent], [output(COIN - 20_000n)])] },
  { name: 'a confirmed transaction once more', build: ({ spender }) => [spender] },
  {
    name: 'another spend of a coin that a waiting transaction spends',
    build: ({ take }) => {
      const coin = take();
      return [ownersSpend([coin], [CHANGE]), ownersSpend([coin], [output(COIN - 20_000n)])];
    },
  },
  {
    name: 'a waiting transaction once more',
    build: ({ take }) => {
      const raw = ownersSpend([take()], [CHANGE]);
      return [raw, raw];
    },
  },
  {
    name: 'the 26th of a chain of waiting transactions',
    build: ({ take }) => {
      const raws: Uint8Array[] = [];
      let from = take();
      for (let value = COIN; raws.length < 26; value -= 10_000n) {
        const raw = ownersSpend([from], [output(value - 10_000n)]);
        raws.push(raw);
        from = { txid: transactionIdOf(raw), vout: 0 };
      }
      return raws;
    },
  },
  {
    name: 'a lock time that is not reached',
    build: ({ take, height }) => [
      ownersSpend([take()], [CHANGE], (draft) => ({
        ...draft,
        lockTime: height,
        inputs: draft.inputs.map((input) => ({ ...input, sequence: 0 })),
      })),
    ],
  },
  {
    name: 'a lock time that is just reached',
    build: ({ take, height }) => [
      ownersSpend([take()], [CHANGE], (draft) => ({
        ...draft,
        lockTime: height - 1,
        inputs: draft.inputs.map((input) => ({ ...input, sequence: 0xffff_fffe })),
      })),
    ],
  },
  row('version 0', (draft) => ({ ...draft, version: 0 })),
  row('an odd output', same, [CHANGE, output(1000n, Uint8Array.of(0x61, 0x61))]),
  row('a long carrier of data', same, [
    CHANGE,
    output(0n, concatBytes([Uint8Array.of(0x6a), pushData(new Uint8Array(100))])),
  ]),
  row('two carriers of data', same, [CHANGE, output(0n, Uint8Array.of(0x6a)), output(0n, Uint8Array.of(0x6a))]),
  row('dust', same, [CHANGE, output(50n)]),
  row('a fee above all measure', same, [output(COIN / 2n)]),
  row('hardly a fee', same, [output(COIN - 1n)]),
  unlocked('an input script that computes', (script) => concatBytes([script, Uint8Array.of(0x61)])),
  unlocked('a long input script', (script) =>
    concatBytes([...Array.from({ length: 4 }, () => pushData(new Uint8Array(500))), script]),
  ),
  unlocked('an input script with a push too many', (script) => concatBytes([Uint8Array.of(0x51), script])),
  unlocked('an empty input script', () => new Uint8Array(0)),
  unlocked('a damaged signature', (script) => script.map((byte, index) => (index === 40 ? byte ^ 1 : byte))),
  unlocked('a signature with another hash type', (script) =>
    script.map((byte, index) => (index === (script[0] as number) ? 2 : byte)),
  ),
  unlocked('another key', (script) => concatBytes([script.subarray(0, 1 + (script[0] as number)), pushData(keyAt(3))])),
  hashed('two of two keys', () => ({ lock: twoOfTwo, pieces: [dummy, signed(1), signed(2)] })),
  hashed('two of two keys in the wrong order', () => ({
    lock: twoOfTwo,
    pieces: [dummy, signed(2), signed(1)],
  })),
  hashed('two of two keys with a dummy that is not empty', () => ({
    lock: twoOfTwo,
    pieces: [{ is: 'push', bytes: Uint8Array.of(9, 9) }, signed(1), signed(2)],
  })),
  hashed('a script without its keys', () => ({ lock: twoOfTwo, pieces: [] })),
  hashed('a lock in the script that is reached', (height) => ({
    lock: locked(height - 1),
    lockTime: height - 1,
    pieces: [signed(OWNER)],
  })),
  hashed('a lock in the script above that of the transaction', (height) => ({
    lock: locked(height),
    lockTime: height - 1,
    pieces: [signed(OWNER)],
  })),
  hashed('a lock in the script that is not reached', (height) => ({
    lock: locked(height),
    lockTime: height,
    pieces: [signed(OWNER)],
  })),
  hashed('a lock in the script and a final input', (height) => ({
    lock: locked(height - 1),
    lockTime: height - 1,
    sequence: 0xffff_ffff,
    pieces: [signed(OWNER)],
  })),
  hashed('a lock in the script in another unit', (height) => ({
    lock: locked(500_000_000),
    lockTime: height - 1,
    pieces: [signed(OWNER)],
  })),
  hashed('a negative lock in the script', (height) => ({
    lock: locked(-1),
    lockTime: height - 1,
    pieces: [signed(OWNER)],
  })),
];
