import type { SwapRequest } from '../../../src/events/journal.ts';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import { OrderDesk } from '../../../src/node/orders/desk.ts';
import { uuidOfKey } from '../../../src/node/orders/ids.ts';
import type { OrderCoin } from '../../../src/node/orders/parts.ts';
import type { OrderNetwork } from '../../../src/peers/in-process/orders.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';
import { fractionOf } from '../../../src/primitives/fraction.ts';
import { millisOf } from '../../../src/primitives/time.ts';
import { createVirtualClock, type VirtualClock } from '../../../src/sim/virtual-clock.ts';

export const START = millisOf(1_800_000_000_000);

const STANDARD = '91a87374616e64617264';

/** Two coins that have nothing in common. */
export const COINS: Readonly<Record<string, OrderCoin>> = {
  DOC: coinOf({ ticker: 'DOC', decimals: 8, least: [1n, 10_000n], confirmations: 2, nota: false }),
  MARTY: coinOf({ ticker: 'MARTY', decimals: 6, least: [3n, 1_000n], confirmations: 5, nota: true }),
};

function coinOf(given: {
  ticker: string;
  decimals: number;
  least: [bigint, bigint];
  confirmations: number;
  nota: boolean;
}): OrderCoin {
  return {
    ticker: given.ticker,
    decimals: given.decimals,
    minTradingVolume: fractionOf(...given.least),
    requiredConfirmations: given.confirmations,
    requiresNotarization: given.nota,
    walletOnly: false,
    watchers: true,
    tellsNotarised: true,
    protocolInfo: STANDARD,
    supports: (info) => info === null || info === STANDARD,
  };
}

export type DeskNode = {
  readonly desk: OrderDesk;
  readonly log: EventLog;
  /** Swaps that were started, in their order. */
  readonly swaps: SwapRequest[];
  /** Uuids of the maker's swaps whose takers have paid their fee. */
  readonly paid: Set<string>;
  /** What starting a swap does beside. */
  onStart: (request: SwapRequest) => void;
  readonly coins: Map<string, OrderCoin>;
  readonly key: string;
  /** Another uuid that proves to be this node's. */
  readonly uuid: () => string;
};

export type DeskOptions = { readonly log?: EventLog; readonly swaps?: SwapRequest[]; readonly clock: VirtualClock };

/** The orders of one node, whose swaps are written down and not run. */
export function openDesk(network: OrderNetwork, name: number, options: DeskOptions): DeskNode {
  const key = `02${name.toString(16).padStart(2, '0').repeat(32)}`;
  const log = options.log ?? createMemoryLog();
  const swaps = options.swaps ?? [];
  const coins = new Map(Object.entries(COINS));
  const paid = new Set<string>();
  let drawn = 0;
  const node = {
    log,
    swaps,
    paid,
    coins,
    key,
    uuid: () => uuidOfKey(key.slice(2), new Uint8Array(8).fill(name * 16 + drawn++)),
    onStart: (_request: SwapRequest) => {},
    desk: new OrderDesk({
      log,
      clock: options.clock,
      random: { bytes: (count) => new Uint8Array(count).fill(name * 16 + drawn++) },
      logger: { info() {}, warn() {}, error() {} },
      network: network.node(key.slice(2)),
      key,
      coin: (ticker) => coins.get(ticker),
      async startSwap(request) {
        node.onStart(request);
        if (!swaps.some(({ uuid, role }) => uuid === request.uuid && role === request.role)) swaps.push(request);
      },
      hasSwap: async ({ role, uuid }) => swaps.some((swap) => swap.uuid === uuid && swap.role === role),
      unpaidSwaps: async () => swaps.filter(({ role, uuid }) => role === 'maker' && !paid.has(uuid)).length,
    }),
  };
  return node;
}

export function deskClock(): VirtualClock {
  return createVirtualClock(START);
}

/** Lets everything happen that needs no time. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}
