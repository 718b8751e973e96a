import type { Seconds } from '../../primitives/time.ts';
import { publishedMargin } from '../world/assumptions.ts';
import { EPOCH } from '../world/scenario.ts';
import type { DeepReorg, MarketWorld } from './market.ts';
import type { Process } from './process.ts';
import type { Market, MarketParty, MarketSwap } from './scenario.ts';

/**
 * The assumptions that a run violated for a party, so that a loss may follow. Each has a time and a cause: without it, the same run must not lose.
 */
export type MarketExcuse = 'online' | 'ownNode' | 'inclusion' | 'depth' | 'clock';

/** From when a party must be online for a swap: the margin before the earliest lock that matters to it. */
function criticalFrom(swap: MarketSwap): Seconds {
  return swap.at + swap.lockDuration - publishedMargin(swap.lockDuration);
}

/** Until when: after the later lock, and as long again. */
function criticalUntil(swap: MarketSwap): Seconds {
  return swap.at + 4 * swap.lockDuration + 40_000;
}

type Given = { readonly world: MarketWorld; readonly process: Process };

/** The assumptions that a run gave up for a party. Empty if the run must end well for it. */
export function excusesOf({ world, process }: Given): readonly MarketExcuse[] {
  const { market, reorgs } = world;
  const { party } = process;
  const swaps = market.swaps.filter(({ maker, taker }) => maker === party.name || taker === party.name);
  const excuses: MarketExcuse[] = [];
  if (swaps.some((swap) => wasAway(process, swap))) excuses.push('online');
  if (swaps.some((swap) => hadBadNodes(party, swap))) excuses.push('ownNode');
  if (swaps.some((swap) => wasExcluded(market, party, swap) || wasStuck(world, party, swap))) excuses.push('inclusion');
  if (swaps.some((swap) => wentTooDeep(market, reorgs, swap))) excuses.push('depth');
  if (wrongClock(party)) excuses.push('clock');
  return excuses;
}

function wasAway({ absences }: Process, swap: MarketSwap): boolean {
  const from = criticalFrom(swap) + EPOCH;
  return absences.some((absence) => absence.until === null || absence.until > from);
}

function coinsOf({ makerCoin, takerCoin }: MarketSwap): readonly string[] {
  return [makerCoin, takerCoin];
}

/** A lying node counts at any time; one that is silent or lags counts when it matters. */
function hadBadNodes({ nodes, latency }: MarketParty, swap: MarketSwap): boolean {
  const from = criticalFrom(swap);
  return coinsOf(swap).some((coin) => {
    if ((latency[coin]?.[1] ?? 0) > 20) return true;
    return (nodes[coin] ?? []).some(({ kind, until, from: since }) => {
      if (kind === 'lie') return true;
      return until > from && since < criticalUntil(swap);
    });
  });
}

function claimedCoin(swap: MarketSwap, { name }: MarketParty): string {
  return swap.maker === name ? swap.takerCoin : swap.makerCoin;
}

/** Rising fees are no excuse: a claim pays the price of the day. */
function wasExcluded({ coins }: Market, party: MarketParty, swap: MarketSwap): boolean {
  const from = criticalFrom(swap);
  const claimed = claimedCoin(swap, party);
  const purposes: ReadonlySet<string> = new Set(['claim', 'refund']);
  const plan = coins.find(({ coin }) => coin === claimed);
  return (plan?.faults ?? []).some((fault) => {
    if ((fault.kind !== 'censor' && fault.kind !== 'revert') || fault.until <= from) return false;
    return fault.purposes.some((purpose) => purposes.has(purpose));
  });
}

/** Unless the claim has waited since a cheaper day, and the chain replaces nothing: it still waits, or came too late. */
function wasStuck({ market, chains }: MarketWorld, party: MarketParty, swap: MarketSwap): boolean {
  const claimed = claimedCoin(swap, party);
  const plan = market.coins.find(({ coin }) => coin === claimed);
  if (plan?.kind !== 'autoRefund') return false;
  const spikes = plan.faults.filter(({ kind, until }) => kind === 'feeSpike' && until > criticalFrom(swap));
  if (spikes.length === 0) return false;
  const sent = chains.get(claimed)?.ledger.transactions(party.name) ?? [];
  return sent.some(({ purpose, status, firstSeen }) => {
    const waits = purpose === 'claim' && (status === 'mempool' || status === 'reverted');
    return waits && spikes.some(({ from }) => firstSeen < EPOCH + from);
  });
}

function wentTooDeep({ coins, parties }: Market, reorgs: readonly DeepReorg[], swap: MarketSwap): boolean {
  const least = (coin: string, waited: number): number =>
    Math.min(coins.find((plan) => plan.coin === coin)?.finality ?? 1, Math.max(1, waited));
  const deep = (coin: string, waited: number) =>
    reorgs.some((reorg) => reorg.coin === coin && reorg.depth >= least(coin, waited)) ||
    parties.some(({ conduct }) => conduct.kind === 'rewriter' && conduct.depth >= least(coin, waited));
  return deep(swap.makerCoin, swap.confirmations.maker) || deep(swap.takerCoin, swap.confirmations.taker);
}

/** How far a host's clock may be from the truth; beyond this, two parties need not agree on a start. */
const SOUND_CLOCK: Seconds = 60;

function wrongClock({ skew, jumps }: MarketParty): boolean {
  let off = skew;
  if (Math.abs(off) > SOUND_CLOCK) return true;
  return jumps.some(({ by }) => {
    off += by;
    return Math.abs(off) > SOUND_CLOCK;
  });
}

/** The same market without what excuses a party, and otherwise unchanged. */
export function withoutExcuses(market: Market, name: string, excuses: readonly MarketExcuse[]): Market {
  const has = (excuse: MarketExcuse) => excuses.includes(excuse);
  const parties = market.parties.map((party): MarketParty => {
    const own = party.name === name;
    return {
      ...party,
      ...(own && has('online') ? { crashes: party.crashes.map((crash) => ({ ...crash, downFor: 30 })) } : {}),
      ...(own && has('ownNode') ? { nodes: {}, latency: {} } : {}),
      ...(own && has('clock') ? { skew: 0, jumps: [] } : {}),
      ...(has('depth') && party.conduct.kind === 'rewriter' ? { conduct: { kind: 'honest' as const } } : {}),
    };
  });
  return {
    ...market,
    parties,
    coins: has('inclusion')
      ? market.coins.map((coin) => ({
          ...coin,
          faults: coin.faults.filter(({ kind }) => {
            return kind === 'feeSpike' ? coin.kind !== 'autoRefund' : kind !== 'censor' && kind !== 'revert';
          }),
        }))
      : market.coins,
    chainEvents: has('depth') ? market.chainEvents.filter(({ kind }) => kind !== 'reorg') : market.chainEvents,
  };
}
