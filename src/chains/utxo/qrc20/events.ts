import { isSwapEvent, type SwapEventKind, secretTold } from '../../../htlc/contract-events.ts';
import type { NamedPayment } from '../../../htlc/contract-payment.ts';
import type { Seen } from '../reader.ts';
import { seenOfAccount, swapCallsOf } from './calls.ts';
import { ContractsUnsteady, type Receipt } from './contracts.ts';
import type { Look, TokenParts } from './parts.ts';

/** Where the swap contract told of a payment. */
export type Found = {
  readonly seen: Seen;
  readonly receipt: Receipt;
  /** 32 bytes in hex, of a claim. */
  readonly secret: string | null;
};

type Searched = {
  readonly named: NamedPayment;
  readonly look: Look;
  readonly kind: SwapEventKind;
  readonly from: number;
};

/**
 * Where the swap contract told that a payment was made or ended: among what its parties call, and else where tokens of theirs were moved, which also
 * finds calls that others pay for. Null where it is in no block from the first one on.
 *
 * @throws BackendSilent, ContractsUnsteady
 */
export async function findEvent(parts: TokenParts, { named, look, kind, from }: Searched): Promise<Found | null> {
  const { index } = parts.chain.reader;
  const called = [named.sender, named.receiver]
    .flatMap((account) => seenOfAccount(index, account))
    .filter((seen) => swapCallsOf(seen, named.contract).some(({ call }) => call.swapId === named.id));
  const first = await firstIn(called, { named, look, kind, from });
  if (first !== null) return first;
  return firstIn(await movedFrom(parts, { named, look, from }), { named, look, kind, from });
}

async function firstIn(all: readonly Seen[], { named, look, kind, from }: Searched): Promise<Found | null> {
  for (const seen of new Set(all)) {
    if (seen.height === null || seen.height < from) continue;
    for (const receipt of await receiptsOf(look, seen)) {
      const query = { kind, contract: named.contract, id: named.id };
      const log = receipt.excepted === null ? receipt.logs.find((one) => isSwapEvent(one, query)) : undefined;
      if (log !== undefined) return { seen, receipt, secret: secretTold(log, kind) };
    }
  }
  return null;
}

/** Of a transaction that a block holds: a server that does not have them yet, or has those of another block, is behind. @throws ContractsUnsteady */
export async function receiptsOf(
  { contracts }: Look,
  { txid, height }: Pick<Seen, 'txid' | 'height'>,
): Promise<readonly Receipt[]> {
  const receipts = await contracts.receipts(txid);
  if (receipts.some(({ block }) => block !== height))
    throw new ContractsUnsteady('the receipts of a call are of another block');
  return receipts;
}

/** Transactions in which tokens of either party were moved. */
async function movedFrom(
  { chain, coin }: TokenParts,
  { named, look, from }: Omit<Searched, 'kind'>,
): Promise<readonly Seen[]> {
  const { reader } = chain;
  const ids = new Set<string>();
  for (const account of [named.sender, named.receiver]) {
    for (const { txid } of await look.contracts.transfers({ account, token: coin.token, from })) ids.add(txid);
  }
  const found: Seen[] = [];
  for (const txid of ids) {
    if (reader.index.get(txid) === undefined) await reader.find(txid, from);
    const seen = reader.index.get(txid);
    if (seen !== undefined) found.push(seen);
  }
  return found;
}
