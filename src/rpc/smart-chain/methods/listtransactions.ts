import { inTurns, type Steps } from '../../../smartchain/turns.ts';
import type { NodeContext } from '../context.ts';
import type { Params, RpcMethod } from '../method.ts';
import { integerAt, optionalBooleanAt, optionalTextAt } from '../params.ts';
import { RPC_CODE, RpcError } from '../rpc-error.ts';
import { walletHistory } from '../wallet-history.ts';
import { detailsOf, placeMembers } from '../wallet-transaction.ts';

type Members = Readonly<Record<string, unknown>>;

const COUNT = 10;

/** What the wallet paid and got, output by output. */
export const listtransactions: RpcMethod = {
  name: 'listtransactions',
  usage: '( "account" count from includeWatchonly )',
  summary: "Returns the wallet's latest payments, oldest first: count entries, skipping the newest from.",
  arity: [0, 4],
  run(params, context) {
    const account = optionalTextAt(params, 0) ?? '*';
    const count = countAt(params, 1, { unless: COUNT, negative: 'Negative count' });
    const from = countAt(params, 2, { unless: 0, negative: 'Negative from' });
    const withWatched = optionalBooleanAt(params, 3) ?? false;
    // There is one account, the default one.
    if (account !== '*' && account !== '') return [];
    return inTurns(entriesOf(context, { count, from, withWatched }));
  },
};

type Asked = { readonly count: number; readonly from: number; readonly withWatched: boolean };

function* entriesOf(context: NodeContext, { count, from, withWatched }: Asked): Steps<readonly Members[]> {
  const entries: Members[] = [];
  for (const known of walletHistory(context)) {
    if (entries.length >= from + count) break;
    yield;
    if (known === undefined) continue;
    entries.push(...detailsOf(context, known, { withWatched, extra: placeMembers(context, known) }));
  }
  return entries.slice(from, from + count).reverse();
}

function countAt(params: Params, index: number, of: { readonly unless: number; readonly negative: string }): number {
  if (params[index] === undefined || params[index] === null) return of.unless;
  const count = integerAt(params, index);
  if (count < 0) throw new RpcError(RPC_CODE.parameter, of.negative);
  return count;
}
