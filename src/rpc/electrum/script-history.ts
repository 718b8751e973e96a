import type { DaemonReader } from '../../chains/utxo/daemon/reader.ts';
import type { Seen } from '../../chains/utxo/reader.ts';
import { scripthashOf } from '../../chains/utxo/scripthash.ts';
import { sha256 } from '../../primitives/hash.ts';
import { bytesToHex, sameBytes } from '../../primitives/hex.ts';
import { bad } from './rpc-error.ts';

/** An output, and how far a spend of it has come. */
export type OwnOutput = {
  readonly seen: Seen;
  readonly vout: number;
  /** In base units. */
  readonly value: bigint;
  readonly spent: 'not' | 'waiting' | 'confirmed';
};

/** Longest history that is told, in transactions. */
export const MOST_HISTORY = 50_000;

const OP_RETURN = 0x6a;

type Ledger = Pick<DaemonReader, 'index' | 'blockAt'>;

/**
 * All that pays a script or takes from it: what is confirmed by height and place in the block, then what waits by height and id.
 *
 * @throws ElectrumRpcError where it is too much.
 */
export function historyOf(ledger: Ledger, scripthash: string): readonly Seen[] {
  const found = new Set<Seen>();
  for (const { seen, vout } of placesOf(ledger, scripthash)) {
    found.add(seen);
    for (const taker of ledger.index.takers(seen.txid, vout)) found.add(taker);
    if (found.size > MOST_HISTORY) throw bad(`history too large: more than ${MOST_HISTORY} transactions`);
  }
  return inOrder(ledger, [...found]);
}

/** The part of a history that waits, told in the same order. */
export function waitingOf(history: readonly Seen[]): readonly Seen[] {
  return history.filter(({ height }) => height === null);
}

/** As the protocol tells it: 0 while it waits, -1 where something that it spends waits too. */
export function shownHeight({ index }: Pick<Ledger, 'index'>, { height, tx }: Seen): number {
  if (height !== null) return height;
  return tx.inputs.some(({ txid }) => index.get(txid)?.height === null) ? -1 : 0;
}

/** What a client compares to learn whether something has changed; null where there never was anything. */
export function statusOf(ledger: Ledger, scripthash: string): string | null {
  const history = historyOf(ledger, scripthash);
  if (history.length === 0) return null;
  const text = history.map((seen) => `${seen.txid}:${shownHeight(ledger, seen)}:`).join('');
  return bytesToHex(sha256(new TextEncoder().encode(text)));
}

/** The outputs of a script that something could spend, in the order of its history. */
export function outputsOf(ledger: Ledger, scripthash: string): readonly OwnOutput[] {
  const places = placesOf(ledger, scripthash).filter(({ seen, vout }) => !isUnspendable(seen, vout));
  const order = new Map(inOrder(ledger, [...new Set(places.map(({ seen }) => seen))]).map((seen, at) => [seen, at]));
  return places
    .sort((left, right) => (order.get(left.seen) ?? 0) - (order.get(right.seen) ?? 0) || left.vout - right.vout)
    .map(({ seen, vout }) => ({
      seen,
      vout,
      value: seen.tx.outputs[vout]?.value ?? 0n,
      spent: spentBy(ledger.index.takers(seen.txid, vout)),
    }));
}

/** In base units; what waits counts with its sign. */
export function balanceOf(outputs: readonly OwnOutput[]): { readonly confirmed: bigint; readonly unconfirmed: bigint } {
  let confirmed = 0n;
  let after = 0n;
  for (const { seen, value, spent } of outputs) {
    if (seen.height !== null && spent !== 'confirmed') confirmed += value;
    if (spent === 'not') after += value;
  }
  return { confirmed, unconfirmed: after - confirmed };
}

function spentBy(takers: readonly Seen[]): OwnOutput['spent'] {
  if (takers.some(({ height }) => height !== null)) return 'confirmed';
  return takers.length > 0 ? 'waiting' : 'not';
}

function isUnspendable({ tx }: Seen, vout: number): boolean {
  return tx.outputs[vout]?.script[0] === OP_RETURN;
}

type Place = { readonly seen: Seen; readonly vout: number };

/** Every output with this script. */
function placesOf({ index }: Ledger, scripthash: string): Place[] {
  const paying = index.paying(scripthash);
  const script = scriptIn(paying[0], scripthash);
  if (script === undefined) return [];
  return paying.flatMap((seen) =>
    seen.tx.outputs.flatMap((output, vout) => (sameBytes(output.script, script) ? [{ seen, vout }] : [])),
  );
}

/** Hashed once, so that long histories cost no hash for each of their outputs. */
function scriptIn(seen: Seen | undefined, scripthash: string): Uint8Array | undefined {
  return seen?.tx.outputs.find(({ script }) => scripthashOf(script) === scripthash)?.script;
}

function inOrder(ledger: Ledger, found: readonly Seen[]): readonly Seen[] {
  const byHeight = new Map<number, Seen[]>();
  for (const seen of found) {
    if (seen.height === null) continue;
    const others = byHeight.get(seen.height);
    if (others === undefined) byHeight.set(seen.height, [seen]);
    else others.push(seen);
  }
  const heights = [...byHeight.keys()].sort((left, right) => left - right);
  const confirmed = heights.flatMap((height) => inBlock(ledger, { height, found: byHeight.get(height) ?? [] }));
  const waiting = found
    .filter(({ height }) => height === null)
    .map((seen) => ({ seen, height: shownHeight(ledger, seen) }))
    .sort((left, right) => right.height - left.height || (left.seen.txid < right.seen.txid ? -1 : 1));
  return [...confirmed, ...waiting.map(({ seen }) => seen)];
}

function inBlock(
  { blockAt }: Ledger,
  { height, found }: { readonly height: number; readonly found: readonly Seen[] },
): readonly Seen[] {
  if (found.length < 2) return found;
  const byId = new Map(found.map((seen) => [seen.txid, seen]));
  return (blockAt(height)?.txids ?? []).flatMap((txid) => byId.get(txid) ?? []);
}
