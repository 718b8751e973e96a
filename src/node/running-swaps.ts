import type { EventLog } from '../ports/event-log.ts';
import type { Millis } from '../primitives/time.ts';
import type { SwapStatus } from '../runtime/operate/status.ts';
import type { Runtime } from '../runtime/operate/supervisor.ts';

/** More streams than any node drives at a time. */
const ALL = Number.MAX_SAFE_INTEGER;

/** Swaps and watches that are not over, in the order of the log. */
export async function unfinished(runtime: Pick<Runtime, 'list'>): Promise<readonly SwapStatus[]> {
  const found = await runtime.list({ finished: false, limit: ALL });
  // Of a damaged stream nobody knows the coins.
  return found.filter(({ coins }) => coins.maker !== null && coins.taker !== null);
}

/** Swaps of this node that run: those that wait for a coin do not, nor do watches of others' swaps. */
export async function runningSwaps(runtime: Pick<Runtime, 'list'>): Promise<readonly SwapStatus[]> {
  return (await unfinished(runtime)).filter(
    ({ role, runner }) => (role === 'maker' || role === 'taker') && runner !== 'waitingForCoin',
  );
}

/**
 * Uuids of the swaps that run and use a coin. One that waits for its other coin does not run, and can do nothing with this one; nor does a
 * watch count whose taker was not shown to have paid for it.
 */
export async function swapsUsing(coin: string, runtime: Pick<Runtime, 'list'>): Promise<readonly string[]> {
  const found = (await unfinished(runtime)).filter(
    ({ coins, runner, role, state }) =>
      (coins.maker === coin || coins.taker === coin) &&
      runner !== 'waitingForCoin' &&
      !(role === 'watcher' && UNPAID.has(state ?? '')),
  );
  return uuidsOf(found);
}

/** States of a watch before its taker's fee was found. */
const UNPAID: ReadonlySet<string> = new Set(['created', 'validatingTakerFee']);

/** Tickers, in alphabetical order, that unfinished swaps wait for. */
export async function coinsNeeded(
  runtime: Pick<Runtime, 'list'>,
  isActive: (ticker: string) => boolean,
): Promise<readonly string[]> {
  const found = (await unfinished(runtime)).flatMap(({ coins }) => [coins.maker, coins.taker]);
  const needed = found.filter((coin): coin is string => coin !== null && !isActive(coin));
  return [...new Set(needed)].sort();
}

/** States of a maker's swap before its taker's fee was found. */
const BEFORE_FEE: ReadonlySet<string> = new Set([
  'created',
  'negotiating',
  'waitingForTakerFee',
  'instructionsReceived',
]);

/** Longer than any of these states lasts while both coins are active. One that waits for a coin would otherwise count for ever. */
const LONGEST_BEFORE_FEE_MS = 3_600_000;

/** How many swaps of the last hour are running in which this node is the maker, and whose taker has not been seen to have paid its fee. @throws LogError */
export async function unpaidMakerSwaps(log: Pick<EventLog, 'find'>, now: Millis): Promise<number> {
  const from = Math.max(0, now - LONGEST_BEFORE_FEE_MS) as Millis;
  const found = await log.find({ machine: 'maker-swap', finished: false, from });
  return found.filter(({ labels }) => BEFORE_FEE.has(labels.state ?? '')).length;
}

function uuidsOf(found: readonly SwapStatus[]): readonly string[] {
  return [...new Set(found.map(({ uuid }) => uuid))];
}
