import type { Seen } from '../../../chains/utxo/reader.ts';
import { feeOf } from '../../../chains/utxo/waiting.ts';
import { hashArgument } from '../arguments.ts';
import { unitsNumber } from '../exact.ts';
import type { ElectrumCall, ElectrumMethod } from '../method.ts';
import { bad } from '../rpc-error.ts';
import { balanceOf, historyOf, outputsOf, shownHeight, statusOf, waitingOf } from '../script-history.ts';
import { subscribe, unsubscribe } from '../subscribers.ts';

/** A call about one script. */
function ofScript(name: string, answer: (scripthash: string, call: ElectrumCall) => unknown): ElectrumMethod {
  return {
    name: `blockchain.scripthash.${name}`,
    params: ['scripthash'],
    least: 1,
    run: ([given], call) => answer(hashArgument(given, 'a script hash of 64 hex digits'), call),
  };
}

function entryOf({ context }: ElectrumCall): (seen: Seen) => object {
  const { reader } = context;
  return (seen) => {
    const entry = { tx_hash: seen.txid, height: shownHeight(reader, seen) };
    const fee = seen.height === null ? feeOf(reader.index, seen) : undefined;
    return fee === undefined ? entry : { ...entry, fee: unitsNumber(fee) };
  };
}

export const SCRIPTHASH_METHODS: readonly ElectrumMethod[] = [
  ofScript('get_balance', (scripthash, { context }) => {
    const { confirmed, unconfirmed } = balanceOf(outputsOf(context.reader, scripthash));
    return { confirmed: unitsNumber(confirmed), unconfirmed: unitsNumber(unconfirmed) };
  }),
  ofScript('get_history', (scripthash, call) => historyOf(call.context.reader, scripthash).map(entryOf(call))),
  ofScript('get_mempool', (scripthash, call) =>
    waitingOf(historyOf(call.context.reader, scripthash)).map(entryOf(call)),
  ),
  ofScript('listunspent', (scripthash, { context }) =>
    outputsOf(context.reader, scripthash)
      .filter(({ spent }) => spent === 'not')
      .map(({ seen, vout, value }) => ({
        tx_hash: seen.txid,
        tx_pos: vout,
        height: seen.height ?? 0,
        value: unitsNumber(value),
      })),
  ),
  ofScript('subscribe', (scripthash, { context, session }) => {
    const { reader, subscribers, mostSubscriptions } = context;
    if (session.statuses.size >= mostSubscriptions && !session.statuses.has(scripthash)) {
      throw bad(`too many subscriptions: a connection has at most ${mostSubscriptions}`);
    }
    const status = statusOf(reader, scripthash);
    subscribe(subscribers, session, { scripthash, status });
    return status;
  }),
  ofScript('unsubscribe', (scripthash, { context, session }) => unsubscribe(context.subscribers, session, scripthash)),
];
