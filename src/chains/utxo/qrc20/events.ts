import { isSwapEvent, type SwapEventKind, secretTold } from '../../../htlc/contract-events.ts';
import type { NamedPayment } from '../../../htlc/contract-payment.ts';
import type { Seen } from '../reader.ts';
import { seenOfAccount, swapCallsOf } from './calls.ts';
import { ContractsUnsteady, type Qrc20Receipt } from './contracts.ts';
import type { Look, TokenParts } from './parts.ts';

/** An event of the swap contract about a payment. */
export type Found = {
  readonly seen: Seen;
  readonly receipt: Qrc20Receipt;
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
  if (first !== null && !(first instanceof Error)) return first;
  const other = await firstIn(await movedFrom(parts, { named, look, from }), { named, look, kind, from });
  const found = other ?? first;
  if (found instanceof Error) throw found;
  return found;
}

/** The error says that one of them may hold it, and that no server reports the outcome of its calls. */
async function firstIn(
  all: readonly Seen[],
  { named, look, kind, from }: Searched,
): Promise<Found | ContractsUnsteady | null> {
  const query = { kind, contract: named.contract, id: named.id };
  let untold: ContractsUnsteady | null = null;
  for (const seen of new Set(all)) {
    if (seen.height === null || seen.height < from) continue;
    const receipts = await receiptsOf(look, seen).catch((error: unknown) => {
      if (!(error instanceof ContractsUnsteady)) throw error;
      untold = error;
      return [];
    });
    for (const receipt of receipts) {
      const log = receipt.excepted === null ? receipt.logs.find((one) => isSwapEvent(one, query)) : undefined;
      if (log !== undefined) return { seen, receipt, secret: secretTold(log, kind) };
    }
  }
  return untold;
}

type Included = Pick<Seen, 'txid' | 'height'>;

/**
 * Of a transaction with calls that a block holds, so that there are some: who tells none is behind, has forgotten them, or was never asked to keep them, and
 * says nothing of what became of the calls. Who has those of another block is behind too.
 *
 * @throws ContractsUnsteady
 */
async function receiptsOf({ contracts }: Look, { txid, height }: Included): Promise<readonly Qrc20Receipt[]> {
  const receipts = await contracts.receipts(txid);
  if (receipts.some(({ block }) => block !== height))
    throw new ContractsUnsteady('the receipts of a call belong to another block');
  if (receipts.length === 0) throw new ContractsUnsteady(untoldText(txid));
  return receipts;
}

/** The outcome of one call in a confirmed transaction. @throws ContractsUnsteady if no server reports it */
export async function receiptAt(
  look: Look,
  { vout, ...seen }: Included & { readonly vout: number },
): Promise<Qrc20Receipt> {
  const receipt = (await receiptsOf(look, seen)).find((one) => one.vout === vout);
  if (receipt === undefined) throw new ContractsUnsteady(untoldText(seen.txid));
  return receipt;
}

function untoldText(txid: string): string {
  return `a block contains ${txid}, but no server reports the outcome of its calls`;
}

/** Transactions that moved tokens of either party. */
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
