import { compactSize, concatBytes } from '../../src/htlc/byte-writer.ts';
import { p2shScript, pushData } from '../../src/htlc/script.ts';
import { signatureHasher } from '../../src/htlc/signature-hash.ts';
import { BITCOIN_FORM } from '../../src/htlc/spend.ts';
import type { DecodedTransaction, TransactionOutput } from '../../src/htlc/transaction.ts';
import type { OutPoint } from '../../src/htlc/transaction-encoding.ts';
import { publicKeyOf, signDer } from '../../src/smartchain/keys/secp256k1.ts';
import { secretKeyOfSeed } from '../../src/smartchain/keys/seed.ts';
import { encodeChainTransaction } from '../../src/smartchain/transaction.ts';

const ORDER = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe_baae_dce6_af48_a03b_bfd2_5e8c_d036_4141n;

export type KeyForm = 'compressed' | 'long' | 'hybrid' | 'headless';

const SECRETS = ['a', 'b', 'c', 'd', 'e', 'f'].map(secretKeyOfSeed);
export const KEY_COUNT = SECRETS.length;

export function secretAt(index: number): Uint8Array {
  return SECRETS[index % KEY_COUNT] as Uint8Array;
}

/** A public key as an output may name it; the last form has a header that no key has. */
export function keyAt(index: number, form: KeyForm = 'compressed'): Uint8Array {
  const key = publicKeyOf(secretAt(index), form === 'compressed' || form === 'headless');
  if (form === 'hybrid') key[0] = 6 + ((key[64] as number) & 1);
  if (form === 'headless') key[0] = 5;
  return key;
}

/** What is done to a signature after it was made. */
export type Damage = 'none' | 'flipped' | 'highS' | 'padded' | 'cut' | 'long' | 'emptied' | 'typeless';

/** A part of an input script. */
export type Piece =
  | {
      readonly is: 'signature';
      readonly key: number;
      readonly hashType: number;
      readonly damage: Damage;
      readonly at: number;
    }
  | { readonly is: 'push'; readonly bytes: Uint8Array }
  | { readonly is: 'script'; readonly bytes: Uint8Array };

/** How one output is locked, and how a transaction tries to spend it. */
export type Recipe = {
  readonly kind: string;
  readonly lock: Uint8Array;
  /** Whether the lock stands behind its hash (BIP 16). */
  readonly hashed: boolean;
  readonly pieces: readonly Piece[];
  readonly lockTime: number;
  readonly sequence: number;
  /** Bytes of the lock that signatures do not sign: up to an OP_CODESEPARATOR. */
  readonly signedFrom: number;
  /** Further outputs that the transaction has. */
  readonly outputs?: readonly TransactionOutput[];
  /** Alters the written transaction. */
  readonly spoil?: (raw: Uint8Array) => Uint8Array;
};

/** Satoshis of every output to be spent. */
export const COIN_VALUE = 200_000n;
const PAID = 100_000n;

/** Where spends pay to: a standard script, long enough that no transaction is too small to be relayed. */
const PAYEE = concatBytes([Uint8Array.of(0x76, 0xa9, 20), new Uint8Array(20).fill(7), Uint8Array.of(0x88, 0xac)]);

export function outputOf({ lock, hashed }: Recipe): Uint8Array {
  return hashed ? p2shScript(lock) : lock;
}

/** Writes the transaction that spends an output locked as the recipe says. */
export function spendOf(recipe: Recipe, from: OutPoint): Uint8Array {
  const draft = plain({
    inputs: [{ ...from, scriptSig: new Uint8Array(0), sequence: recipe.sequence }],
    outputs: recipe.outputs ?? [{ value: PAID, script: PAYEE }],
    lockTime: recipe.lockTime,
  });
  const hasher = signatureHasher(draft);
  const scriptCode = recipe.lock.subarray(recipe.signedFrom);
  const parts = recipe.pieces.map((piece) => {
    if (piece.is === 'script') return piece.bytes;
    if (piece.is === 'push') return pushData(piece.bytes);
    const hash = hasher({ input: 0, scriptCode, amount: COIN_VALUE, hashType: piece.hashType }) ?? new Uint8Array(32);
    const der = signDer({ hash, secretKey: secretAt(piece.key) });
    return pushData(damaged(concatBytes([der, Uint8Array.of(piece.hashType)]), piece));
  });
  if (recipe.hashed) parts.push(pushData(recipe.lock));
  const scriptSig = concatBytes(parts);
  const raw = encodeChainTransaction({ ...draft, inputs: draft.inputs.map((input) => ({ ...input, scriptSig })) });
  return recipe.spoil?.(raw) ?? raw;
}

export function plain(parts: Pick<DecodedTransaction, 'inputs' | 'outputs' | 'lockTime'>): DecodedTransaction {
  return { ...BITCOIN_FORM, ...parts };
}

function damaged(signature: Uint8Array, { damage, at }: { damage: Damage; at: number }): Uint8Array {
  const changed = signature.slice();
  switch (damage) {
    case 'none':
      return signature;
    case 'flipped': {
      const index = at % changed.length;
      changed[index] = (changed[index] as number) ^ (1 << ((at >> 8) % 8));
      return changed;
    }
    case 'cut':
      return signature.subarray(0, at % signature.length);
    case 'emptied':
      return new Uint8Array(0);
    case 'typeless':
      return signature.subarray(0, -1);
    case 'highS':
      return rebuilt(signature, (s) => ORDER - s);
    case 'padded':
      return rebuilt(signature, (s) => s, 1);
    case 'long':
      return concatBytes([signature.subarray(0, -1), Uint8Array.of(at & 0xff), signature.subarray(-1)]);
  }
}

/** The signature with another S, and with so many zeros before R that need not be there. */
function rebuilt(signature: Uint8Array, edit: (s: bigint) => bigint, zeros = 0): Uint8Array {
  const lengthR = signature[3] as number;
  const r = signature.subarray(4, 4 + lengthR);
  const s = edit(BigInt(`0x${Buffer.from(signature.subarray(6 + lengthR, -1)).toString('hex')}`));
  const digits = s.toString(16);
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  const second = (bytes[0] as number) & 0x80 ? concatBytes([Uint8Array.of(0), bytes]) : bytes;
  const first = concatBytes([new Uint8Array(zeros), r]);
  const body = [Uint8Array.of(2, first.length), first, Uint8Array.of(2, second.length), second];
  const inner = concatBytes(body);
  return concatBytes([Uint8Array.of(0x30), compactSize(inner.length), inner, signature.subarray(-1)]);
}

/** Whether an output script is a segregated witness program, of which this project knows nothing: a version and 2 to 40 bytes. */
export function isWitnessProgram(script: Uint8Array): boolean {
  const [version = -1, length] = script;
  const versioned = version === 0 || (version >= 0x51 && version <= 0x60);
  return versioned && script.length >= 4 && script.length <= 42 && length === script.length - 2;
}
