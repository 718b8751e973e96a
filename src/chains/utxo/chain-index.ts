import {
  type DecodedTransaction,
  decodeTransaction,
  isTransactionProblem,
  type TransactionInput,
} from '../../htlc/transaction.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';
import type { ChainIndex, Seen } from './reader.ts';

/** An index that a reader fills. */
export type WritableIndex = ChainIndex & {
  readonly put: (txid: string, found: FoundTransaction) => void;
  readonly remove: (txid: string) => void;
  /** Ids of those that wait. */
  readonly waiting: () => readonly string[];
};

export type FoundTransaction = {
  readonly hex: string;
  readonly height: number | null;
  /** What it takes, as the backend has read it; for bytes of a form that is not read here. @defaultValue nobody says */
  readonly inputs?: (() => readonly TransactionInput[]) | undefined;
};

export type ChainIndexOptions = {
  /** By what scripts are looked up. @defaultValue the script in hex */
  readonly keyOf?: (script: Uint8Array) => string;
  /** Told of each transaction that is put here, or that is about to go. */
  readonly onChange?: (seen: Seen) => void;
};

/** @param tip height of the best chain, by which depths are told */
export function createChainIndex(tip: () => number, options: ChainIndexOptions = {}): WritableIndex {
  const { keyOf = bytesToHex, onChange } = options;
  const byId = new Map<string, Seen>();
  const byScript: Places = new Map();
  const byOutpoint: Places = new Map();
  const waiting = new Set<string>();
  let version = 0;
  const places = (tx: DecodedTransaction): readonly (readonly [Places, string])[] => [
    ...tx.outputs.map(({ script }) => [byScript, keyOf(script)] as const),
    ...tx.inputs.map(({ txid, vout }) => [byOutpoint, `${txid}:${vout}`] as const),
  ];
  const remove = (txid: string): void => {
    const seen = byId.get(txid);
    if (seen === undefined) return;
    onChange?.(seen);
    version += 1;
    byId.delete(txid);
    waiting.delete(txid);
    for (const [map, key] of places(seen.tx)) takeOut(map, key, seen);
  };
  return {
    version: () => version,
    get: (txid) => byId.get(txid),
    paying: (script) => listed(byScript.get(script)),
    takers: (txid, vout) => listed(byOutpoint.get(`${txid}:${vout}`)),
    depth: ({ height }) => (height === null ? 0 : Math.max(0, tip() - height + 1)),
    waiting: () => [...waiting],
    remove,
    put(txid, { hex, height, inputs }) {
      if (byId.get(txid)?.height === height) return;
      remove(txid);
      const read = decodeTransaction(hexToBytes(hex));
      const isPartial = isTransactionProblem(read);
      const tx = isPartial ? takingOnly(inputs?.()) : read;
      if (tx === null) return;
      version += 1;
      const seen: Seen = isPartial ? { txid, hex, tx, height, isPartial } : new Held(txid, { hex, height });
      byId.set(txid, seen);
      if (height === null) waiting.add(txid);
      for (const [map, key] of places(tx)) putIn(map, key, seen);
      onChange?.(seen);
    },
  };
}

/**
 * A transaction whose bytes are read when somebody looks into it. A reader of blocks holds all that a chain has had for weeks, nearly none of which
 * concerns anybody here.
 */
class Held implements Seen {
  readonly txid: string;
  readonly hex: string;
  readonly height: number | null;
  #tx: DecodedTransaction | null = null;

  constructor(txid: string, { hex, height }: Pick<Seen, 'hex' | 'height'>) {
    this.txid = txid;
    this.hex = hex;
    this.height = height;
  }

  get tx(): DecodedTransaction {
    if (this.#tx !== null) return this.#tx;
    const tx = decodeTransaction(hexToBytes(this.hex));
    if (isTransactionProblem(tx)) throw new RangeError(tx.problem);
    this.#tx = tx;
    return tx;
  }
}

/** Nearly every place has one transaction. */
type Places = Map<string, Seen | Set<Seen>>;

function putIn(places: Places, key: string, seen: Seen): void {
  const there = places.get(key);
  if (there === undefined || there === seen) places.set(key, seen);
  else if (there instanceof Set) there.add(seen);
  else places.set(key, new Set([there, seen]));
}

function takeOut(places: Places, key: string, seen: Seen): void {
  const there = places.get(key);
  if (there instanceof Set) there.delete(seen);
  if (there === seen || (there instanceof Set && there.size === 0)) places.delete(key);
}

function listed(there: Seen | Set<Seen> | undefined): readonly Seen[] {
  if (there === undefined) return [];
  return there instanceof Set ? [...there] : [there];
}

/** A form that is not read, such as that of an extension block, pays nobody here. But it may take a payment and show its secret. */
function takingOnly(inputs: readonly TransactionInput[] | undefined): DecodedTransaction | null {
  return inputs === undefined ? null : { format: 'legacy', version: 0, inputs, outputs: [], lockTime: 0 };
}
