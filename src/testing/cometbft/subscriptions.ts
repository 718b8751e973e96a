import { base64 } from '@scure/base';
import type { CometNews } from './chain.ts';
import type { CometNode } from './node.ts';
import { blockJson, headerJson, type Json, resultJson } from './render.ts';
import { conditionsOf, searchBlocks } from './search.ts';

/** A query that nobody can subscribe to, or that is subscribed to already. */
export class SubscriptionRefusal extends Error {}

/** What one connection has subscribed to. */
export type Subscriptions = {
  /** Null for a method that is none of subscriptions. @throws SubscriptionRefusal */
  answer(method: string, params: Json, id: unknown): Json | null;
  close(): void;
};

type Subscription = { readonly id: unknown; readonly kind: string };

/** What one connection may subscribe to: blocks, their headers, and transactions in blocks by their events. */
export function subscriptionsOf(node: CometNode, send: (message: Json) => void): Subscriptions {
  const queries = new Map<string, Subscription>();
  const listening = node.chain.subscribe((news) => {
    for (const [query, { id, kind }] of queries)
      for (const data of eventsFor(node, { news, query, kind }))
        send({ jsonrpc: '2.0', id, result: { query, data, events: {} } });
  });
  return {
    answer(method, { query }, id) {
      if (method === 'unsubscribe_all') queries.clear();
      else if (method === 'unsubscribe') queries.delete(String(query));
      else if (method !== 'subscribe') return null;
      else {
        const kind = conditionsOf(String(query))?.find(([name]) => name === 'tm.event')?.[1];
        if (kind === undefined) throw new SubscriptionRefusal('failed to parse query');
        if (queries.has(String(query))) throw new SubscriptionRefusal('already subscribed');
        queries.set(String(query), { id, kind });
      }
      return {};
    },
    close() {
      queries.clear();
      listening.close();
    },
  };
}

type Telling = { readonly news: CometNews; readonly query: string; readonly kind: string };

function eventsFor(node: CometNode, { news, query, kind }: Telling): readonly Json[] {
  if (!('block' in news)) return [];
  const { block } = news;
  const { chainId } = node.chain.rules;
  if (kind === 'NewBlock')
    return [{ type: 'tendermint/event/NewBlock', value: { block: blockJson(block, chainId)['block'] } }];
  if (kind === 'NewBlockHeader')
    return [{ type: 'tendermint/event/NewBlockHeader', value: { header: headerJson(block, chainId) } }];
  if (kind !== 'Tx') return [];
  return (searchBlocks([block], query) ?? []).flatMap(({ index }) => {
    const included = block.transactions[index];
    if (included === undefined) return [];
    const { bytes, result } = included;
    const told = { height: String(block.height), index, tx: base64.encode(bytes), result: resultJson(result) };
    return [{ type: 'tendermint/event/Tx', value: { TxResult: told } }];
  });
}
