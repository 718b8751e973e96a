import type { DaemonReader } from '../../chains/utxo/daemon/reader.ts';
import type { ChainIndex, Seen, Tip } from '../../chains/utxo/reader.ts';
import { scripthashOf } from '../../chains/utxo/scripthash.ts';
import type { Headers } from './headers.ts';
import { shownHeader } from './methods/headers.ts';
import { ElectrumRpcError } from './rpc-error.ts';
import { statusOf } from './script-history.ts';
import type { Subscribers } from './subscribers.ts';

/** Scripts whose history may have changed since subscribers were last told. */
export type Touched = { readonly scripts: Set<string> };

/**
 * What a change of one transaction touches: what it pays, what it takes from, and the same of those that spend it, since whether
 * one waits for another that waits is part of its status.
 */
export function touch({ scripts }: Touched, index: ChainIndex, seen: Seen): void {
  touchOne(scripts, index, seen);
  for (const vout of seen.tx.outputs.keys()) {
    for (const taker of index.takers(seen.txid, vout)) touchOne(scripts, index, taker);
  }
}

function touchOne(scripts: Set<string>, index: ChainIndex, { tx }: Seen): void {
  for (const { script } of tx.outputs) scripts.add(scripthashOf(script));
  for (const { txid, vout } of tx.inputs) {
    const spent = index.get(txid)?.tx.outputs[vout];
    if (spent !== undefined) scripts.add(scripthashOf(spent.script));
  }
}

export type Telling = {
  readonly reader: DaemonReader;
  readonly headers: Headers;
  readonly subscribers: Subscribers;
  readonly touched: Touched;
};

/** Tells subscribers of a new tip and of every script whose status is another one than they know. @throws BackendSilent */
export async function tellNews(
  { reader, headers, subscribers, touched }: Telling,
  { tip, isNewTip }: { readonly tip: Tip; readonly isNewTip: boolean },
): Promise<void> {
  if (isNewTip) {
    const header = await shownHeader(headers, tip);
    for (const subscriber of subscribers.all) {
      if (subscriber.headers) subscriber.tell('blockchain.headers.subscribe', [header]);
    }
  }
  const scripts = [...touched.scripts];
  touched.scripts.clear();
  for (const scripthash of scripts) {
    const waiting = subscribers.byScript.get(scripthash);
    if (waiting === undefined) continue;
    const status = statusNow(reader, scripthash);
    for (const subscriber of waiting) {
      if (status === undefined || subscriber.statuses.get(scripthash) === status) continue;
      subscriber.statuses.set(scripthash, status);
      subscriber.tell('blockchain.scripthash.subscribe', [scripthash, status]);
    }
  }
}

/** Undefined where the history has become too long to be told. */
function statusNow(reader: DaemonReader, scripthash: string): string | null | undefined {
  try {
    return statusOf(reader, scripthash);
  } catch (error) {
    if (error instanceof ElectrumRpcError) return undefined;
    throw error;
  }
}
