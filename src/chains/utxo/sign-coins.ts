import { concatBytes } from '../../htlc/byte-writer.ts';
import { keyInputScripts } from '../../htlc/key-input.ts';
import { p2pkhScript, p2wpkhScript, pushData } from '../../htlc/script.ts';
import { SIGHASH_FORKID, type SignedPart, signatureHasher, witnessSignatureHash } from '../../htlc/signature-hash.ts';
import { virtualSize } from '../../htlc/spend.ts';
import { type DecodedTransaction, REPLACEABLE_SEQUENCE, type TransactionOutput } from '../../htlc/transaction.ts';
import { encodeTransaction, type OutPoint, transactionId } from '../../htlc/transaction-encoding.ts';
import type { Signer } from '../../ports/signer.ts';
import { hash160 } from '../../primitives/hash.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import type { UtxoCoin } from './coin.ts';
import type { Made } from './made.ts';

/** An output of the own key. */
export type Coin = OutPoint & {
  readonly value: bigint;
  /** Whether it pays to the bare key, as rewards of blocks often do. What takes it shows no key. */
  readonly bare: boolean;
};

/** The output script of the own address. */
export function ownScript({ address }: Pick<UtxoCoin, 'address'>, key: Uint8Array): Uint8Array {
  return address === 'p2wpkh' ? p2wpkhScript(hash160(key)) : p2pkhScript(hash160(key));
}

const OP_CHECKSIG = 0xac;

/** The output script that pays to the bare key. */
export function bareScript(key: Uint8Array): Uint8Array {
  return concatBytes([pushData(key), Uint8Array.of(OP_CHECKSIG)]);
}

/**
 * Scripts of all outputs that count as the wallet's, in hex: of its address, and of the bare key where that has no witness.
 *
 * @example
 * ```ts
 * import { ownScripts } from 'swapfold/chains/utxo';
 * import { hexToBytes } from 'swapfold/htlc';
 *
 * const key = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
 * const own = ownScripts({ address: 'p2pkh' }, hexToBytes(key));
 * own; // → ['76a914751e76e8199196d454941c45d1b3a323f1433bd688ac', `21${key}ac`]
 * ownScripts({ address: 'p2wpkh' }, hexToBytes(key)).length; // → 1
 * ```
 */
export function ownScripts(coin: Pick<UtxoCoin, 'address'>, key: Uint8Array): readonly string[] {
  const scripts = [ownScript(coin, key), ...(coin.address === 'p2pkh' ? [bareScript(key)] : [])];
  return scripts.map(bytesToHex);
}

/** Longest signature in DER with a low S, and its hash type. */
const LONGEST_SIGNATURE = 73;
const NO_TXID = '00'.repeat(32);

/** Virtual bytes of a transaction that takes so many coins and makes these outputs, at most. */
export function sizeWith(count: number, outputs: readonly TransactionOutput[], coin: UtxoCoin): number {
  const draft = draftOf(
    Array.from({ length: count }, () => ({ txid: NO_TXID, vout: 0, value: 0n, bare: false })),
    { outputs, coin },
  );
  const longest = keyInputScripts({
    scheme: coin.address,
    signature: new Uint8Array(LONGEST_SIGNATURE),
    key: new Uint8Array(33),
  });
  return virtualSize({
    ...draft,
    format: formatOf(coin),
    inputs: draft.inputs.map((input) => ({ ...input, ...longest })),
  });
}

export type Spent = {
  readonly outputs: readonly TransactionOutput[];
  readonly coin: UtxoCoin;
  readonly signer: Signer;
};

/** Signs a transaction that takes coins of the own address. */
export async function signCoins(coins: readonly Coin[], { outputs, coin, signer }: Spent): Promise<Made> {
  const draft = draftOf(coins, { outputs, coin });
  const { hashType } = coin;
  const byWitness = coin.address === 'p2wpkh' || (hashType & SIGHASH_FORKID) !== 0;
  const hasher = byWitness ? (part: SignedPart) => witnessSignatureHash(draft, part) : signatureHasher(draft);
  const inputs: DecodedTransaction['inputs'][number][] = [];
  for (const [place, input] of draft.inputs.entries()) {
    const { value: amount, bare } = coins[place] as Coin;
    const scriptCode = bare ? bareScript(signer.key) : p2pkhScript(hash160(signer.key));
    const branch = coin.branchId === undefined ? {} : { branchId: coin.branchId };
    const hash = hasher({ input: place, scriptCode, amount, hashType, ...branch });
    if (hash === undefined) throw new RangeError('the hash type leaves nothing to sign');
    const signature = concatBytes([await signer.sign(hash), Uint8Array.of(hashType)]);
    const scripts = bare
      ? { scriptSig: pushData(signature) }
      : keyInputScripts({ scheme: coin.address, signature, key: signer.key });
    inputs.push({ ...input, ...scripts });
  }
  const tx: DecodedTransaction = { ...draft, format: formatOf(coin), inputs };
  const bytes = encodeTransaction(tx);
  return { txid: transactionId(bytes, tx), hex: bytesToHex(bytes), tx };
}

function formatOf({ address, form }: UtxoCoin): DecodedTransaction['format'] {
  return address === 'p2wpkh' ? 'segwit' : form.format;
}

function draftOf(coins: readonly Coin[], { outputs, coin }: Pick<Spent, 'outputs' | 'coin'>): DecodedTransaction {
  const inputs = coins.map(({ txid, vout }) => {
    return { txid, vout, scriptSig: new Uint8Array(0), sequence: REPLACEABLE_SEQUENCE };
  });
  return { ...coin.form, inputs, outputs, lockTime: 0 };
}
