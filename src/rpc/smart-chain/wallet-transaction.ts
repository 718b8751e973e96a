import { NOTHING_SHIELDED } from '../../htlc/shielded.ts';
import type { DecodedTransaction, TransactionOutput } from '../../htlc/transaction.ts';
import { isCoinbase } from '../../smartchain/chain/check-transaction.ts';
import { outPointKey, waitingTokens } from '../../smartchain/chain/mempool.ts';
import { ownerKey, scriptOwner } from '../../smartchain/chain/script-owner.ts';
import type { SentTransaction } from '../../smartchain/chain/sent.ts';
import type { SmartChain } from '../../smartchain/node.ts';
import { payToKeyScript } from '../../smartchain/tokens/scripts.ts';
import { keyOwners } from '../../smartchain/wallet/coins.ts';
import { coins } from './amount.ts';
import { confirmationsOf, findTransaction, type KnownTransaction } from './chain-view.ts';
import type { NodeContext } from './context.ts';
import { scriptAddresses } from './script-json.ts';
import { joinSplitJson } from './shielded-json.ts';

type Members = Readonly<Record<string, unknown>>;

/** A transaction that spends from the wallet or pays it, in any state. */
export type WalletTransaction = KnownTransaction & { readonly sent: SentTransaction | undefined };

/** What the wallet counts as its own: what it has keys for, and on demand what it watches. */
export type Whose = { readonly withWatched: boolean };

/** What a transaction means to the wallet. */
export type WalletSums = {
  /** Received satoshis. */
  readonly credit: bigint;
  /** Spent satoshis, with the fee. */
  readonly debit: bigint;
  /** The miner's fee in satoshis; undefined if the wallet paid nothing. */
  readonly fee: bigint | undefined;
};

/**
 * A transaction by its id, if the wallet has to do with it: in a block, waiting, or sent and neither of the two. Undefined for
 * any other.
 */
export function findWalletTransaction(context: NodeContext, txid: string): WalletTransaction | undefined {
  const { chain, wallet } = context;
  const sent = chain.sent.all.get(txid);
  const known =
    findTransaction(chain, txid) ??
    (sent === undefined ? undefined : { identified: sent, record: undefined, entry: undefined });
  if (known === undefined) return undefined;
  const { transaction } = known.identified;
  const isOwn = ownership(context, { withWatched: wallet.ring.watched.size > 0 });
  const concerns = transaction.outputs.some(isOwn) || spentOutputs(chain, transaction).some(isOwn);
  return concerns ? { ...known, sent } : undefined;
}

export function sumsOf(context: NodeContext, { identified }: WalletTransaction, whose: Whose): WalletSums {
  const { transaction } = identified;
  const isOwn = ownership(context, whose);
  const debit = sum(spentOutputs(context.chain, transaction).filter(isOwn));
  const fee = debit > 0n ? debit - sum(transaction.outputs) : undefined;
  return { credit: sum(transaction.outputs.filter(isOwn)), debit, fee };
}

function sum(outputs: readonly TransactionOutput[]): bigint {
  return outputs.reduce((total, { value }) => total + value, 0n);
}

function ownership({ wallet }: NodeContext, { withWatched }: Whose): (output: TransactionOutput) => boolean {
  const owners = keyOwners(wallet.ring);
  if (withWatched) for (const owner of wallet.ring.watched) owners.add(owner);
  return ({ script }) => {
    const owner = scriptOwner(script);
    return owner !== undefined && owners.has(ownerKey(owner));
  };
}

function spentOutputs(chain: SmartChain, { inputs }: DecodedTransaction): TransactionOutput[] {
  const lookup = waitingTokens(chain.mempool(), chain.tree.ledger);
  return inputs.flatMap(({ txid, vout }) => {
    const source = lookup(txid) ?? chain.sent.all.get(txid);
    return source?.transaction.outputs[vout] ?? [];
  });
}

/** Where a transaction stands, in the members and the order of the node. */
export function placeMembers(context: NodeContext, known: WalletTransaction): Members {
  const { identified, entry, sent } = known;
  const time = sent?.time ?? entry?.time ?? blockOf(context.chain, known)?.header.time;
  return {
    ...depthMembers(context.chain, known),
    txid: identified.txid,
    walletconflicts: conflictsOf(context, known),
    time,
    timereceived: time,
    vjoinsplit: (identified.transaction.shielded ?? NOTHING_SHIELDED).joinSplits.map(joinSplitJson),
  };
}

function blockOf({ tree }: SmartChain, { record }: Pick<KnownTransaction, 'record'>) {
  return record === undefined ? undefined : tree.ledger.blocks[record.height];
}

function depthMembers(chain: SmartChain, known: WalletTransaction): Members {
  const { identified, record, entry } = known;
  const generated = isCoinbase(identified.transaction) ? { generated: true } : {};
  if (record === undefined) {
    // -1 for a transaction that is neither in a block nor in the mempool, as on the node.
    const depth = entry === undefined ? -1 : 0;
    return { rawconfirmations: depth, ...generated, confirmations: depth };
  }
  const { confirmations, rawconfirmations } = confirmationsOf(chain, record.height);
  const block = blockOf(chain, known);
  return {
    rawconfirmations,
    ...generated,
    confirmations,
    blockhash: block?.hash,
    blockindex: record.position,
    blocktime: block?.header.time,
    expiryheight: identified.transaction.expiryHeight ?? 0,
  };
}

/** Ids of other transactions of the wallet that spend a coin which this one spends. */
function conflictsOf({ chain }: NodeContext, { identified }: WalletTransaction): string[] {
  const { txid, transaction } = identified;
  const found = new Set<string>();
  const { ledger } = chain.tree;
  const spent = new Set(transaction.inputs.map(outPointKey));
  for (const input of transaction.inputs) {
    const waiting = chain.mempool().spentBy.get(outPointKey(input))?.txid;
    const mined = ledger.transactions.get(input.txid)?.spentBy[input.vout]?.txid;
    for (const rival of [waiting, mined]) if (rival !== undefined) found.add(rival);
  }
  for (const id of chain.sent.open) {
    const rival = chain.sent.all.get(id);
    if (rival?.transaction.inputs.some((input) => spent.has(outPointKey(input))) === true) found.add(id);
  }
  found.delete(txid);
  return [...found];
}

/** Outputs to the change address that are shown; further ones are not. Source: smart-chain node. */
const MOST_CHANGE_SHOWN = 2;

/**
 * What a transaction paid and brought, output by output: all outputs where the wallet paid, and again those that came to it.
 * `extra` stands in each before its size.
 */
export function detailsOf(
  context: NodeContext,
  known: WalletTransaction,
  { withWatched, extra = {} }: Whose & { readonly extra?: Members },
): Members[] {
  const { chain } = context;
  const { transaction, bytes } = known.identified;
  const isOwn = ownership(context, { withWatched });
  const { fee } = sumsOf(context, known, { withWatched });
  const isChange = changeOf(context);
  let change = 0;
  const shown = transaction.outputs
    .map((output, vout) => ({ output, vout }))
    .filter(({ output }) => fee === undefined || !isChange(output) || ++change <= MOST_CHANGE_SHOWN);
  const row = ({ output, vout }: (typeof shown)[number], middle: Members, amount: bigint): Members => {
    const [address] = scriptAddresses(output.script, chain.params.prefixes);
    const payee = address === undefined ? {} : { address };
    const { category, ...rest } = middle;
    const paid = fee !== undefined && category === 'send' ? { fee: coins(-fee) } : {};
    const facts = { category, ...rest, amount: coins(amount), vout, ...paid };
    return { account: '', ...payee, ...facts, ...extra, size: bytes.length };
  };
  const sent = fee === undefined ? [] : shown.map((each) => row(each, { category: 'send' }, -each.output.value));
  const received = shown
    .filter(({ output }) => isOwn(output))
    .map((each) => row(each, receivedAs(chain, known), each.output.value));
  return [...sent, ...received];
}

/** Destinations of the wallet's change. */
function changeOf({ wallet }: NodeContext): (output: TransactionOutput) => boolean {
  const [first] = wallet.ring.keys.values();
  const key = wallet.ownKey() ?? first;
  const owner = key === undefined ? undefined : scriptOwner(payToKeyScript(key.publicKey));
  return ({ script }) => {
    const payee = scriptOwner(script);
    return owner !== undefined && payee !== undefined && ownerKey(payee) === ownerKey(owner);
  };
}

function receivedAs(chain: SmartChain, { record, identified }: WalletTransaction): Members {
  if (!isCoinbase(identified.transaction)) return { category: 'receive' };
  if (record === undefined) return { category: 'orphan' };
  const left = chain.params.maturity - confirmationsOf(chain, record.height).rawconfirmations;
  return left > 0 ? { category: 'immature', blockstomaturity: left } : { category: 'generate' };
}
