import { follow } from '../../src/cli/trade/calls.ts';
import { stringifyJson } from '../../src/primitives/json.ts';
import { PASSWORD, type Serving, until } from './serving.ts';

// What is done with served nodes over HTTP, and what they tell of their swaps.

export type ServedSwap = {
  readonly is_finished: boolean;
  readonly is_success: boolean;
  readonly events: readonly { readonly event: { readonly type: string } }[];
};

export async function swapOf(node: Serving, uuid: string): Promise<ServedSwap | null> {
  const { result } = await node.call({ method: 'my_swap_status', params: { uuid } });
  return (result ?? null) as ServedSwap | null;
}

const when = (node: Serving, uuid: string, holds: (swap: ServedSwap) => boolean): Promise<ServedSwap> =>
  until(async () => {
    const swap = await swapOf(node, uuid);
    return swap !== null && holds(swap) ? swap : null;
  });

/** Waits until the swap is over. */
export const ended = (node: Serving, uuid: string): Promise<ServedSwap> =>
  when(node, uuid, ({ is_finished }) => is_finished);

/** Waits until the swap has an event of that type. @throws Error for one that has ended without it */
export async function reached(node: Serving, uuid: string, type: string): Promise<ServedSwap> {
  const swap = await when(node, uuid, (told) => told.is_finished || typesOf(told).includes(type));
  if (typesOf(swap).includes(type)) return swap;
  throw new Error(`the swap ended without ${type}: ${JSON.stringify(swap.events)}`);
}

/** Waits until a watcher tells an event of that type of the swap. */
export function watched({ row }: Serving, uuid: string, type: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const following = follow({
      ...{ url: String(row['url']), password: PASSWORD, after: '0' },
      onTold(told) {
        const text = stringifyJson(told.message);
        if (told.type !== 'WATCHER_STATUS' || !text.includes(uuid) || !text.includes(`"${type}"`)) return;
        void following.then(({ close }) => close());
        resolve();
      },
    });
    following.catch(reject);
  });
}

export const typesOf = ({ events }: ServedSwap): readonly string[] => events.map(({ event }) => event.type);

export const uuidOf = ({ result, error }: { readonly result?: unknown; readonly error?: unknown }): string => {
  const { uuid } = (result ?? {}) as { readonly uuid?: string };
  if (uuid === undefined) throw new Error(`no order was made: ${String(error)}`);
  return uuid;
};

/** Activates coins over their daemons. */
export async function enable(node: Serving, ...coins: readonly string[]): Promise<void> {
  for (const coin of coins) {
    const answer = await node.call({ method: 'enable', coin });
    if (answer['result'] !== 'success') throw new Error(`${coin} was not activated: ${JSON.stringify(answer)}`);
  }
}

/** Mined coins show no key, so that no trading fee can be paid with them: some go to the own address. */
export async function payItself(node: Serving, coin: string, amount = '3'): Promise<void> {
  const { address } = await node.call({ method: 'my_balance', coin });
  const { tx_hex } = await node.call({ method: 'withdraw', coin, to: address, amount });
  const sent = await node.call({ method: 'send_raw_transaction', coin, tx_hex });
  if (sent['tx_hash'] === undefined) throw new Error(`${coin} was not paid: ${JSON.stringify(sent)}`);
}

export type Deal = { readonly base: string; readonly rel: string; readonly price: string; readonly volume: string };

const USUAL: Deal = { base: 'MAK', rel: 'TAK', price: '1.25', volume: '0.8' };

/** The taker buys of whoever sells: the maker asks for the price, of twice the volume, and the taker would pay a fifth more. @returns the swap's uuid */
export async function trade(maker: Serving, taker: Serving, deal: Deal = USUAL): Promise<string> {
  const { base, rel, price, volume } = deal;
  uuidOf(await maker.call({ method: 'setprice', base, rel, price, volume: String(2 * Number(volume)) }));
  return uuidOf(await taker.call({ method: 'buy', base, rel, price: String(1.2 * Number(price)), volume }));
}
