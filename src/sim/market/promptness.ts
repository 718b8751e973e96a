import { onLeg } from '../../primitives/pair.ts';
import type { Seconds } from '../../primitives/time.ts';
import { DEFAULT_RUNTIME_POLICY } from '../../runtime/runtime-policy.ts';
import type { SeenTransaction, SimLedger } from '../chains/types.ts';
import { swapAt } from './agreed.ts';
import type { MarketWorld } from './market.ts';
import type { Process } from './process.ts';
import type { MarketCoin, MarketParty, MarketSwap } from './scenario.ts';

// Rule M13: if a node hears of every block, what a block settles is in its log shortly after, and not only at the next
// poll.

/** The longest time from a block to its record, besides the time that its chains take to answer. */
export const PROMPT: Seconds = 60;

/** How many answers of the slowest chain may lie between a block and its record. */
const ANSWERS = 4;

type Late = { readonly swap: number; readonly text: string };

type Due = {
  readonly event: string;
  /** The event that names the transaction. */
  readonly of: string;
  /** It needs this event first. */
  readonly after: string;
  readonly leg: 'maker' | 'taker';
  /** How deep the transaction must be; null if the block does not decide. */
  readonly depth: (swap: MarketSwap, coin: MarketCoin) => number | null;
};

const agreed = (leg: 'maker' | 'taker') => (swap: MarketSwap) =>
  swap.requiresNota[leg] || swap.confirmations[leg] === 0 ? null : swap.confirmations[leg];

/** Events that a block makes due. */
const DUE: Readonly<Record<'maker' | 'taker', readonly Due[]>> = {
  taker: [
    {
      event: 'MakerPaymentValidatedAndConfirmed',
      of: 'MakerPaymentReceived',
      after: 'MakerPaymentReceived',
      leg: 'maker',
      depth: agreed('maker'),
    },
    { event: 'TakerPaymentSpent', of: 'TakerPaymentSpent', after: 'TakerPaymentSent', leg: 'taker', depth: () => 1 },
  ],
  maker: [
    {
      event: 'TakerPaymentValidatedAndConfirmed',
      of: 'TakerPaymentReceived',
      after: 'TakerPaymentReceived',
      leg: 'taker',
      depth: agreed('taker'),
    },
    {
      event: 'TakerPaymentSpendConfirmed',
      of: 'TakerPaymentSpent',
      after: 'TakerPaymentSpent',
      leg: 'taker',
      depth: (_, { finality }) => finality,
    },
  ],
};

/** What came late in a party's swaps, where only a missed notification can have delayed it. */
export function latenessOf(world: MarketWorld, process: Process): readonly Late[] {
  if (!isHeld(world, process.party)) return [];
  const most = PROMPT + slowest(process.party) * ANSWERS;
  return process.told.flatMap(({ index, request: { role, uuid } }) =>
    onLeg(DUE, role).flatMap((due): readonly Late[] => {
      const found = momentsOf(world, process, { due, swap: swapAt(world, index), stream: `${role}-swap/${uuid}` });
      const late = found === null ? 0 : (found.at - found.since) / 1000;
      if (late <= most) return [];
      return [{ swap: index, text: `${due.event} is written ${late} s after the block that made it so` }];
    }),
  );
}

/** Feeds that report everything, nodes that answer before the timeout, a sound host, and nobody who pauses a swap. */
function isHeld({ market, reorgs }: MarketWorld, party: MarketParty): boolean {
  const { feeds, jumps, nodes, crashes, storage, orders, policy } = party;
  const answers = slowest(party) < DEFAULT_RUNTIME_POLICY.callTimeout;
  const sound = jumps.length + crashes.length + storage.length + Object.values(nodes).flat().length === 0;
  const free = orders.every(({ action }) => action === 'retry') && (policy.callsPerChain ?? 64) > 4;
  const schemers = market.parties.some(({ conduct }) => conduct.kind === 'rewriter' || conduct.kind === 'replacer');
  return feeds && answers && sound && free && reorgs.length === 0 && !schemers;
}

function slowest({ latency }: MarketParty): Seconds {
  return Math.max(0, ...Object.values(latency).map(([, most]) => most));
}

type Asked = { readonly due: Due; readonly swap: MarketSwap; readonly stream: string };

/** When the event was written, and since when it was true, by true time; null if it never was, or if no block decided. */
function momentsOf(
  { market, chains, minedAt }: MarketWorld,
  { log, party }: Process,
  { due: { event, of, after, leg, depth }, swap, stream }: Asked,
): { readonly at: number; readonly since: number } | null {
  const records = log.read(stream);
  const last = (name: string) => records.find(({ type }) => type === name);
  const [written, telling, before] = [last(event), last(of), last(after)];
  const ticker = leg === 'maker' ? swap.makerCoin : swap.takerCoin;
  const [chain, coin] = [chains.get(ticker), market.coins.find((plan) => plan.coin === ticker)];
  if (written === undefined || telling === undefined || before === undefined) return null;
  if (chain === undefined || coin === undefined) return null;
  const { tx_hash, transaction } = telling.data as Telling;
  const confirmations = standingFor(chain.ledger, transaction?.tx_hash ?? tx_hash ?? '')?.confirmations ?? 0;
  const needed = depth(swap, coin);
  if (confirmations === 0 || needed === null) return null;
  const mined = minedAt.get(ticker)?.get(chain.height() - confirmations + needed);
  if (mined === undefined) return null;
  const ahead = party.skew * 1000;
  return { at: written.at - ahead, since: Math.max(mined, before.at - ahead) };
}

/** The transaction that the log names, or one that did the same if that had no effect. */
function standingFor(ledger: SimLedger, hash: string): SeenTransaction | null {
  const told = ledger.transaction(hash);
  if (told?.status !== 'reverted') return told;
  const { lock, purpose } = told;
  const same = (other: SeenTransaction) =>
    other.lock === lock && other.purpose === purpose && other.status === 'confirmed';
  return ledger.transactions().find(same) ?? null;
}

type Telling = { readonly tx_hash?: string; readonly transaction?: { readonly tx_hash?: string } };
