import type { StoredTransaction } from '../../../events/payloads.ts';
import type { UnixSeconds } from '../../../primitives/time.ts';
import { type BlockList, blockList, type ChainView } from '../blocks.ts';
import { type Network, networkOf } from '../network.ts';
import type { Settings } from '../settings.ts';
import type { SeenPurpose } from '../types.ts';
import type { HtlcScript, Signer, UtxoCodec } from './codec.ts';
import { nominalSize, type UtxoTransaction } from './transaction.ts';

/** Heights of entries that are in no block. */
export const IN_MEMPOOL = -1;
export const GONE = -2;

/** A transaction that the chain has seen, with its place. */
export type UtxoEntry = {
  readonly tx: UtxoTransaction;
  /** As ports show it. */
  readonly shown: StoredTransaction;
  /** Of its block; {@link IN_MEMPOOL} or {@link GONE}. */
  height: number;
  /** When the mempool last got it, in world time. */
  since: UnixSeconds;
  readonly firstSeen: UnixSeconds;
  everMined: boolean;
  submittedBy: string | null;
  /** Per input, the entry whose output it takes. */
  readonly sources: readonly UtxoEntry[];
  /** Per output, the entry of the mempool or the chain that takes it. */
  readonly takers: (UtxoEntry | null)[];
  readonly fee: bigint;
  /** Nominal bytes. */
  readonly size: number;
  readonly purpose: SeenPurpose;
  readonly party: string | null;
};

/** The owner of keys, with every output that ever paid to one of them. */
export type Party = {
  readonly name: string;
  readonly signer: Signer;
  readonly signers: Map<string, Signer>;
  readonly coins: Coin[];
  funded: bigint;
};

/** Whose address it is, and which key signs for it. */
export type Owner = { readonly party: Party; readonly signer: Signer };

export type Coin = {
  readonly entry: UtxoEntry;
  readonly vout: number;
  readonly value: bigint;
  readonly signer: Signer;
  readonly outpoint: string;
};

/** A hash time lock that someone asked about or paid to, with every transaction whose output 0 pays to it. */
export type UtxoLock = { readonly id: string; readonly fundings: UtxoEntry[]; script: HtlcScript | null };

export type UtxoState = {
  readonly settings: Settings;
  readonly network: Network;
  readonly codec: UtxoCodec;
  readonly list: BlockList<UtxoEntry>;
  readonly entries: Map<string, UtxoEntry>;
  /** In an order in which every transaction comes after those that it depends on. */
  mempool: UtxoEntry[];
  readonly parties: Map<string, Party>;
  /** By address. */
  readonly owners: Map<string, Owner>;
  /** By identity. */
  readonly locks: Map<string, UtxoLock>;
};

export function utxoState(settings: Settings, codec: UtxoCodec): UtxoState {
  const { startHeight, blockTime, now } = settings;
  return {
    settings,
    network: networkOf(settings),
    codec,
    list: blockList({ height: startHeight, time: now(), blockTime }),
    entries: new Map(),
    mempool: [],
    parties: new Map(),
    owners: new Map(),
    locks: new Map(),
  };
}

export function lockOf(state: UtxoState, id: string): UtxoLock {
  let lock = state.locks.get(id);
  if (lock === undefined) {
    lock = { id, fundings: [], script: null };
    state.locks.set(id, lock);
  }
  return lock;
}

type Judged = { readonly sources: readonly UtxoEntry[]; readonly fee: bigint; readonly submittedBy: string | null };

/** Adds a transaction that is new; its place is decided later. */
export function addEntry(state: UtxoState, tx: UtxoTransaction, judged: Judged): UtxoEntry {
  const now = state.settings.now();
  const entry: UtxoEntry = {
    tx,
    shown: { tx_hex: tx.hex, tx_hash: tx.id },
    height: GONE,
    since: now,
    firstSeen: now,
    everMined: false,
    submittedBy: judged.submittedBy,
    sources: judged.sources,
    takers: [],
    fee: judged.fee,
    size: nominalSize(tx),
    purpose: purposeOf(state, tx),
    party: ownerOf(state, tx)?.name ?? null,
  };
  state.entries.set(tx.id, entry);
  const { outputs } = tx;
  for (let vout = 0; vout < outputs.length; vout++) {
    entry.takers.push(null);
    const { kind, lock, value } = outputs[vout] as UtxoTransaction['outputs'][number];
    if (kind === 'key') {
      const owner = state.owners.get(lock);
      if (owner === undefined) continue;
      owner.party.coins.push({ entry, vout, value, signer: owner.signer, outpoint: `${tx.id}:${vout}` });
    } else if (kind === 'htlc' && vout === 0) lockOf(state, lock).fundings.push(entry);
  }
  return entry;
}

/** What a transaction is for, by its bytes and by who owns the addresses. */
export function purposeOf(state: UtxoState, { inputs, outputs }: UtxoTransaction): SeenPurpose {
  const by = inputs[0]?.unlock.by;
  if (by === 'secret' || by === 'bare') return 'claim';
  if (by === 'refund') return 'refund';
  const kind = outputs[0]?.kind;
  if (kind === 'dexFee') return 'fee';
  if (kind === 'htlc') return 'payment';
  const owner = state.owners.get(inputs[0]?.unlock.signer ?? '')?.party;
  if (owner === undefined) return 'transfer';
  return outputs.every(({ lock }) => state.owners.get(lock)?.party === owner) ? 'void' : 'transfer';
}

/** Who signed a transaction; for the initial outputs, who got them. */
export function ownerOf(state: UtxoState, { inputs, outputs }: UtxoTransaction): Party | undefined {
  return state.owners.get(inputs[0]?.unlock.signer ?? outputs[0]?.lock ?? '')?.party;
}

/** Confirmations in a view; 0 in the mempool, -1 where the view does not hold it. */
export function depthIn(view: ChainView, entry: UtxoEntry): number {
  const { height } = entry;
  if (height >= 0 && height <= view.height) return view.height - height + 1;
  return height === GONE || entry.since > view.arrived ? -1 : 0;
}
