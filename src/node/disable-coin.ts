import type { Runtime } from '../runtime/operate/supervisor.ts';
import type { Activations } from './activations/activations.ts';
import { CoinInUse } from './coin-in-use.ts';
import type { CoinTable } from './coin-table.ts';
import type { NodeOrders } from './orders/orders.ts';
import { swapsUsing } from './running-swaps.ts';
import type { CoinTasks } from './tasks/platform-tasks.ts';

export type Disabled = {
  readonly cancelledOrders: readonly string[];
  /** Whether its tokens stay, and it with them for all but its own uses. */
  readonly passivized: boolean;
};

/** What knows of coins that are in use. */
export type Owning = {
  readonly coins: CoinTable;
  readonly runtime: Runtime;
  readonly orders: NodeOrders;
  /** The tasks of all families. */
  readonly families: readonly CoinTasks[];
  readonly activations: Activations;
};

type Disabling = { readonly ticker: string; readonly force: boolean };

/**
 * Takes a coin out with its orders; undefined when it is not active. One with active tokens becomes passive, unless it is forced out with them.
 *
 * @throws CoinInUse while a swap with it, or with one of its tokens, runs
 */
export async function disableCoin(
  { coins, runtime, orders, families, activations }: Owning,
  { ticker, force }: Disabling,
): Promise<Disabled | undefined> {
  // What is still coming back is given up first; with force that goes with what is there.
  const given =
    force || coins.get(ticker) === undefined
      ? await giveUp({ runtime, orders, families }, { ticker, force })
      : undefined;
  // A coin that is already passive can only be forced out with its tokens.
  if (coins.get(ticker) === undefined && !(force && coins.isPassive(ticker))) return given;
  const tokens = coins.dependantsOf(ticker).map((token) => token.ticker);
  const touched = [ticker, ...tokens];
  for (const each of touched) await requireUnused(runtime, each);
  const passivized = tokens.length > 0 && !force;
  const going = passivized ? [ticker] : touched;
  const cancelledOrders = [...(given?.cancelledOrders ?? [])];
  for (const each of going) cancelledOrders.push(...(await orders.cancelOf(each)));
  // An order may have become a swap meanwhile.
  for (const each of touched) await requireUnused(runtime, each);
  for (const each of tokens) if (!passivized) coins.remove(each);
  if (passivized) coins.passivate(ticker);
  else coins.remove(ticker);
  for (const each of going) {
    for (const tasks of families) await tasks.release(each);
    await activations.end(each);
  }
  for (const { active } of families) active.sweep();
  return { cancelledOrders, passivized };
}

/** Removes a coin that was active in an earlier process and is not active again yet; undefined if there is none. @throws CoinInUse */
async function giveUp(
  { runtime, orders, families }: Pick<Owning, 'runtime' | 'orders' | 'families'>,
  { ticker, force }: Disabling,
): Promise<Disabled | undefined> {
  const how = { tokens: force };
  const waited = families.flatMap((tasks) => tasks.comingBack(ticker, how));
  if (waited.length === 0) return undefined;
  for (const each of waited) await requireUnused(runtime, each);
  const given = await Promise.all(families.map((tasks) => tasks.giveUp(ticker, how)));
  if (!given.includes(true)) return undefined;
  return { cancelledOrders: await orders.cancelOf(ticker), passivized: false };
}

async function requireUnused(runtime: Runtime, ticker: string): Promise<void> {
  const swaps = await swapsUsing(ticker, runtime);
  if (swaps.length > 0) throw new CoinInUse(ticker, swaps);
}
