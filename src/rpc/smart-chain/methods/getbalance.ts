import { inTurns, type Steps } from '../../../smartchain/turns.ts';
import { coins } from '../amount.ts';
import { confirmationsOf } from '../chain-view.ts';
import type { NodeContext } from '../context.ts';
import type { RpcMethod } from '../method.ts';
import { integerAt, optionalBooleanAt, optionalTextAt } from '../params.ts';
import { walletBalance } from '../wallet-balance.ts';
import { walletHistory } from '../wallet-history.ts';
import { sumsOf, type WalletTransaction } from '../wallet-transaction.ts';

/** What the wallet can spend, or what came in with so many confirmations less all that went out. */
export const getbalance: RpcMethod = {
  name: 'getbalance',
  usage: '( "account" minconf includeWatchonly )',
  summary: 'Returns what the wallet holds.',
  arity: [0, 3],
  run(params, context) {
    const account = optionalTextAt(params, 0);
    const least = params[1] === undefined || params[1] === null ? 1 : integerAt(params, 1);
    const withWatched = optionalBooleanAt(params, 2) ?? false;
    if (account === undefined && params.length < 2) return coins(walletBalance(context).trusted);
    // There is one account, the default one.
    if (account !== undefined && account !== '*' && account !== '') return coins(0n);
    return inTurns(sumOf(context, { least, withWatched }));
  },
};

function* sumOf(context: NodeContext, of: { readonly least: number; readonly withWatched: boolean }): Steps<unknown> {
  let total = 0n;
  for (const known of walletHistory(context)) {
    yield;
    if (known === undefined) continue;
    const depth = depthOf(context, known);
    if (depth < 0 || isYoung(context, known)) continue;
    const { credit, debit } = sumsOf(context, known, of);
    total += (depth >= of.least ? credit : 0n) - debit;
  }
  return coins(total);
}

function depthOf({ chain }: NodeContext, { record, entry }: WalletTransaction): number {
  if (record !== undefined) return confirmationsOf(chain, record.height).confirmations;
  return entry === undefined ? -1 : 0;
}

function isYoung({ chain }: NodeContext, { record }: WalletTransaction): boolean {
  if (record?.coinbase !== true) return false;
  return confirmationsOf(chain, record.height).rawconfirmations < chain.params.maturity;
}
