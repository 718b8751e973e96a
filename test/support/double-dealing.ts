import { standardLists } from '../../src/events/event-lists.ts';
import { IMPORTED, isJournalType, type SwapRequest } from '../../src/events/journal.ts';
import { createMemoryLog } from '../../src/log/memory/index.ts';
import { createInProcessNetwork } from '../../src/peers/in-process/index.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import { type DecimalText, toBigNumber } from '../../src/primitives/decimal.ts';
import type { UnixSeconds } from '../../src/primitives/time.ts';
import { createRuntime, type Runtime, type RuntimeOptions, swapKind } from '../../src/runtime/index.ts';
import { createAccountChain } from '../../src/sim/chains/account/chain.ts';
import type { SeenTransaction, SimChain, SimWallet } from '../../src/sim/chains/types.ts';
import { createUtxoChain } from '../../src/sim/chains/utxo/chain.ts';
import { xorshift32 } from '../../src/sim/xorshift.ts';
import { mortalChain, mortalClock, mortalPeers } from './mortal.ts';
import { type VirtualClock, virtualClock } from './virtual-clock.ts';

/** Coins of the scene; no two are alike in decimals or pace. */
export const COINS = ['DOC', 'MARTY', 'RICK'] as const;
export type Coin = (typeof COINS)[number];

const TRAITS = {
  DOC: { decimals: 8, finality: 3 },
  MARTY: { decimals: 6, finality: 2 },
  RICK: { decimals: 8, finality: 4 },
} as const;

export const uuidOf = (order: number): string => `3447b727-fe93-4357-8e5a-0000000000${String(order).padStart(2, '0')}`;

/** Who runs swaps: one wallet on each coin for all nodes of a party, so that the dealer's nodes share its keys. */
export type Party = 'honest' | 'dealer';

/** One order as both sides run it. */
export type Order = {
  /** 1, 2, 3 and so on. */
  readonly order: number;
  readonly maker_coin?: Coin;
  readonly taker_coin?: Coin;
  readonly maker_amount?: string;
  readonly taker_amount?: string;
  /** Whether the dealer's node of this order signs with a key of its own. @defaultValue false */
  readonly otherKey?: boolean;
};

export type DealingOptions = {
  /** The side of the honest node; the dealer has the other one. */
  readonly honest: 'maker' | 'taker';
  readonly accounts?: readonly Coin[];
  readonly keyPerSwap?: boolean;
  readonly log?: EventLog;
  readonly options?: (given: RuntimeOptions) => Partial<RuntimeOptions>;
  /** Changes what a dealer's node of an order asks. */
  readonly dealerChain?: (chain: SimWallet, at: { readonly order: number; readonly coin: Coin }) => SimWallet;
};

type Life = { over: boolean };
type Node = { readonly log: EventLog; runtime: Runtime; die: () => void };

const HONEST_KEY = 'b2'.repeat(32);
const DEALER_KEY = 'a1'.repeat(32);

/**
 * One honest node, and a dealer that answers each of its orders with a node and a log of its own over one wallet: what the
 * dealer's nodes share, such as a secret, a payment or a fee, the honest node must notice.
 */
export function createDealing(given: DealingOptions) {
  const { honest, accounts = [] } = given;
  const clock = virtualClock();
  const rng = xorshift32(7);
  const now = () => Math.floor(clock.now() / 1000) as UnixSeconds;
  const chains = Object.fromEntries(
    COINS.map((coin) => {
      const create = accounts.includes(coin) ? createAccountChain : createUtxoChain;
      return [coin, create({ coin, now, rng, ...TRAITS[coin] })];
    }),
  ) as Record<Coin, SimChain>;
  const network = createInProcessNetwork();
  const wallets = (party: Party, funded: boolean): Record<Coin, SimWallet> =>
    Object.fromEntries(
      COINS.map((coin) => {
        const funds = funded ? { funds: '1000' as DecimalText, coins: 40 } : {};
        const keys = party === 'honest' ? { keyPerSwap: given.keyPerSwap ?? false } : {};
        return [coin, chains[coin].wallet({ party, ...funds, ...keys })];
      }),
    ) as Record<Coin, SimWallet>;
  const start = (log: EventLog, own: Record<Coin, SimWallet>, key: string, changes: DealingOptions['options']) => {
    const life: Life = { over: false };
    const parts: RuntimeOptions = {
      log,
      chains: COINS.map((coin) => mortalChain(own[coin], life)),
      peers: mortalPeers(network.peer(key), life),
      clock: mortalClock(clock, life),
      kinds: [swapKind('taker', { keyRule: () => null }), swapKind('maker', { keyRule: () => null })],
    };
    return {
      runtime: createRuntime({ ...parts, ...changes?.(parts) }),
      die: () => {
        life.over = true;
      },
    };
  };
  const honestWallets = wallets('honest', true);
  wallets('dealer', true);
  const log = given.log ?? createMemoryLog();
  const node: Node = { log, ...start(log, honestWallets, HONEST_KEY, given.options) };
  const dealers = new Map<number, Node & { readonly wallets: Record<Coin, SimWallet>; readonly key: string }>();

  const dealerOf = ({ order, otherKey = false }: Order) => {
    const known = dealers.get(order);
    if (known !== undefined) return known;
    const plain = wallets('dealer', false);
    const own = Object.fromEntries(
      COINS.map((coin) => [coin, given.dealerChain?.(plain[coin], { order, coin }) ?? plain[coin]]),
    ) as Record<Coin, SimWallet>;
    const key = otherKey ? `c${order}`.repeat(32) : DEALER_KEY;
    const dealerLog = createMemoryLog();
    const made = { log: dealerLog, wallets: own, key, ...start(dealerLog, own, key, undefined) };
    dealers.set(order, made);
    return made;
  };

  return {
    clock,
    chains,
    network,
    node,
    wallets: honestWallets,
    dealerOf,
    /** The request of one side; `secret` is the maker's. */
    request(side: 'maker' | 'taker', order: Order, secret: string | null): SwapRequest {
      const isHonest = side === honest;
      const dealer = dealerOf(order);
      return {
        role: side,
        uuid: uuidOf(order.order),
        my_order_uuid: null,
        maker_coin: order.maker_coin ?? 'DOC',
        taker_coin: order.taker_coin ?? 'MARTY',
        maker_amount: (order.maker_amount ?? '1.5') as DecimalText,
        taker_amount: (order.taker_amount ?? '3') as DecimalText,
        counterparty: isHonest ? dealer.key : HONEST_KEY,
        my_persistent_pub: `02${isHonest ? HONEST_KEY : dealer.key}`,
        lock_duration: 7800,
        maker_payment_confirmations: 2,
        maker_payment_requires_nota: false,
        taker_payment_confirmations: 1,
        taker_payment_requires_nota: false,
        secret: side === 'maker' ? secret : null,
        use_watchers: false,
      };
    },
    /** Another process of the honest party, over the same wallets and a log of its own. */
    second(): Node {
      const other = createMemoryLog();
      return { log: other, ...start(other, wallets('honest', false), HONEST_KEY, undefined) };
    },
    /** The honest node's process dies, and another starts over the same log. */
    async restart(): Promise<void> {
      node.die();
      for (const wallet of Object.values(honestWallets)) wallet.restart();
      Object.assign(node, start(log, honestWallets, HONEST_KEY, given.options));
      await node.runtime.resumeAll();
    },
    types(order: number): readonly string[] {
      return (log.read(`${honest}-swap/${uuidOf(order)}`) as readonly { type: string }[]).map(({ type }) => type);
    },
    /** Lets a minute pass and a block be found on each chain until the condition holds, for at most so many minutes. */
    async until(condition: () => boolean, most = 500): Promise<boolean> {
      for (let minute = 0; minute < most; minute++) {
        await clock.advance(0);
        if (condition()) return true;
        await clock.advance(60_000);
        for (const chain of Object.values(chains)) chain.mine();
      }
      return condition();
    },
  };
}

export type Dealing = ReturnType<typeof createDealing>;
export type { VirtualClock };

/** The public events of a swap of the honest party as the real node stores them. */
export async function savedText(
  { honest }: Pick<DealingOptions, 'honest'>,
  log: EventLog,
  order: number,
): Promise<string> {
  const uuid = uuidOf(order);
  const records = await log.read(`${honest}-swap/${uuid}`);
  const events = records
    .filter(({ type }) => !isJournalType(type) && type !== IMPORTED)
    .map(({ at, type, data }) => ({ timestamp: at, event: data === null ? { type } : { type, data } }));
  const { success, error } = standardLists(honest);
  return JSON.stringify({
    type: honest === 'maker' ? 'Maker' : 'Taker',
    uuid,
    maker_coin: 'DOC',
    taker_coin: 'MARTY',
    events,
    success_events: success,
    error_events: error,
  });
}

/** What a party gained of a coin since the start, beside the fees of its transactions; in base units. */
export function gained({ chains }: Dealing, party: Party, coin: Coin): bigint {
  const { ledger } = chains[coin];
  return ledger.balance(party).confirmed + ledger.feesPaid(party) - ledger.funded(party);
}

/** Payments under a hash time lock that a party broadcast. */
export function paymentsOf({ chains }: Dealing, party: Party, coin: Coin): readonly SeenTransaction[] {
  return chains[coin].ledger.transactions(party).filter(({ purpose }) => purpose === 'payment');
}

/** An amount in base units of a coin. */
export function units(coin: Coin, amount: string): bigint {
  return BigInt(
    toBigNumber(amount as DecimalText)
      .shiftedBy(TRAITS[coin].decimals)
      .toFixed(),
  );
}
