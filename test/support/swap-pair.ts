import type { SwapRequest } from '../../src/events/journal.ts';
import { createMemoryLog } from '../../src/log/memory/index.ts';
import {
  createInProcessNetwork,
  type InProcessNetwork,
  type InProcessNetworkOptions,
} from '../../src/peers/in-process/index.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import type { DecimalText } from '../../src/primitives/decimal.ts';
import type { UnixSeconds } from '../../src/primitives/time.ts';
import {
  createRuntime,
  type Runtime,
  type RuntimeChain,
  type RuntimeOptions,
  swapKind,
} from '../../src/runtime/index.ts';
import { createAccountChain } from '../../src/sim/chains/account/chain.ts';
import type { Fidelity, SimChain, SimChainOptions, SimLedger, SimWallet } from '../../src/sim/chains/types.ts';
import { createUtxoChain } from '../../src/sim/chains/utxo/chain.ts';
import { xorshift32 } from '../../src/sim/xorshift.ts';
import { createLedgerChain } from './ledger-chain.ts';
import { mortalChain, mortalClock, mortalPeers } from './mortal.ts';
import { type VirtualClock, virtualClock } from './virtual-clock.ts';

export const KEYS = { maker: 'a1'.repeat(32), taker: 'b2'.repeat(32) } as const;
export const UUID = '3447b727-fe93-4357-8e5a-8cf2699b7e86';

export type Side = 'maker' | 'taker';

/** A secret of its own for each swap. */
function secretOf(uuid: string): string {
  return uuid === UUID ? '5e'.repeat(32) : uuid.replaceAll('-', '').repeat(2);
}

/** The order of a maker who gives DOC for a taker's MARTY, as each side asks its node for it. */
export function requestOf(side: Side, changes: Partial<SwapRequest> = {}): SwapRequest {
  return {
    role: side,
    uuid: UUID,
    my_order_uuid: null,
    maker_coin: 'DOC',
    taker_coin: 'MARTY',
    maker_amount: '1.5' as DecimalText,
    taker_amount: '3' as DecimalText,
    counterparty: KEYS[side === 'maker' ? 'taker' : 'maker'],
    my_persistent_pub: `02${KEYS[side]}`,
    lock_duration: 7800,
    maker_payment_confirmations: 2,
    maker_payment_requires_nota: false,
    taker_payment_confirmations: 4,
    taker_payment_requires_nota: false,
    secret: side === 'maker' ? secretOf(changes.uuid ?? UUID) : null,
    use_watchers: false,
    ...changes,
  };
}

/** The least depths at which the legs differ, for so many swaps that each block costs. */
export const SHALLOW = { maker_payment_confirmations: 1, taker_payment_confirmations: 2 } as const;

export type Coin = 'DOC' | 'MARTY';

/**
 * What the two chains are made of. They share no member, and no depth is one that the order asks for, so that whatever takes
 * the other leg's comes to another end.
 */
export const CHAINS = {
  DOC: { decimals: 10, finality: 3, startHeight: 2000, blockTime: 75, minTxAmount: 900n, feeRate: 3 },
  MARTY: { decimals: 8, finality: 5, startHeight: 1004, blockTime: 60, minTxAmount: 1000n },
} as const satisfies Readonly<Record<Coin, Partial<SimChainOptions>>>;

const FUNDS = { maker: { DOC: '1000', MARTY: '1300' }, taker: { DOC: '1100', MARTY: '1200' } } as const;

export type Node = {
  readonly side: Side;
  readonly log: EventLog;
  readonly wallets: Readonly<Record<Coin, RuntimeChain>>;
  runtime: Runtime;
  /** Ends the process: nothing is called back any more. */
  die: () => void;
};

export type PairOptions = {
  /** Changes what each node is made of. */
  readonly options?: (side: Side, given: RuntimeOptions) => Partial<RuntimeOptions>;
  readonly network?: InProcessNetworkOptions;
  readonly seed?: number;
  /** @defaultValue 'compact' */
  readonly fidelity?: Fidelity;
  /** `ledger` is a chain without rules or coins, for very many swaps. @defaultValue 'utxo' */
  readonly chain?: 'utxo' | 'ledger';
  /** Coins whose chain has accounts instead of outputs. @defaultValue none */
  readonly accounts?: readonly Coin[];
  /** What a side holds of a coin at the start. @defaultValue 1000 to 1300 */
  readonly funds?: (side: string, coin: Coin) => string;
  /** Outputs among which the funds of a wallet are split. @defaultValue 40 */
  readonly coins?: number;
  /** Changes what both simulated chains are made of. @defaultValue CHAINS */
  readonly settings?: Partial<SimChainOptions>;
};

/** Two nodes with a log, a wallet on each of two simulated chains, and a network between them, under one virtual clock. */
export type Pair = {
  readonly clock: VirtualClock;
  /** `ledger` is there for a UTXO chain alone. */
  readonly chains: Readonly<
    Record<Coin, Pick<SimChain, 'mine'> & { readonly ledger?: SimLedger; readonly sim?: SimChain }>
  >;
  /** Wallets of somebody else on both chains. */
  readonly walletsOf: (party: string) => readonly RuntimeChain[];
  readonly network: InProcessNetwork;
  readonly nodes: Readonly<Record<Side, Node>>;
  /** Lets a minute pass and a block be found on each chain, this many times. */
  readonly minutes: (count: number) => Promise<void>;
  /** The same until the condition holds, for at most this many minutes. False when it never did. */
  readonly until: (condition: () => boolean | Promise<boolean>, most?: number) => Promise<boolean>;
  /** The node's process dies, and another starts over the same log. */
  readonly restart: (side: Side) => void;
  /** Types of the records of a side's swap, in order. */
  readonly types: (side: Side, uuid?: string) => readonly string[];
};

type WalletSource = {
  readonly mine: Pick<SimChain, 'mine'>['mine'] | (() => void);
  readonly wallet: (party: string) => RuntimeChain;
  readonly ledger?: SimLedger;
  readonly sim?: SimChain;
};

export function createPair(given: PairOptions = {}): Pair {
  const {
    options = () => ({}),
    network,
    seed = 1,
    chain = 'utxo',
    fidelity,
    accounts = [],
    funds = (side, coin) => (side === 'maker' || side === 'taker' ? FUNDS[side][coin] : '1000'),
    // One for each payment and one for each fee of twenty swaps, so that none waits for another's change.
    coins = 40,
  } = given;
  const clock = virtualClock();
  const rng = xorshift32(seed);
  const now = () => Math.floor(clock.now() / 1000) as UnixSeconds;
  const chainOf = (coin: Coin): WalletSource => {
    if (chain === 'ledger') return createLedgerChain({ ...CHAINS[coin], finality: coin === 'DOC' ? 3 : 2, coin, now });
    const create = accounts.includes(coin) ? createAccountChain : createUtxoChain;
    const kind = fidelity === undefined ? {} : { fidelity };
    const made = create({ ...CHAINS[coin], coin, now, rng, ...kind, ...given.settings });
    const wallet = (party: string) => made.wallet({ party, funds: funds(party, coin) as DecimalText, coins });
    return { mine: made.mine, wallet, ledger: made.ledger, sim: made };
  };
  const chains = { DOC: chainOf('DOC'), MARTY: chainOf('MARTY') };
  const net = createInProcessNetwork(network);
  const start = ({ side, log, wallets }: Pick<Node, 'side' | 'log' | 'wallets'>): Pick<Node, 'runtime' | 'die'> => {
    const life = { over: false };
    const parts: RuntimeOptions = {
      log,
      chains: [wallets.DOC, wallets.MARTY].map((wallet) => mortalChain(wallet, life)),
      peers: mortalPeers(net.peer(KEYS[side]), life),
      clock: mortalClock(clock, life),
      // Simulated keys are no points of the curve.
      kinds: [swapKind('taker', { keyRule: () => null }), swapKind('maker', { keyRule: () => null })],
    };
    return {
      runtime: createRuntime({ ...parts, ...options(side, parts) }),
      die: () => {
        life.over = true;
      },
    };
  };
  const nodeOf = (side: Side): Node => {
    const wallets = { DOC: chains.DOC.wallet(side), MARTY: chains.MARTY.wallet(side) };
    const parts = { side, log: createMemoryLog(), wallets };
    return { ...parts, ...start(parts) };
  };
  const nodes = { maker: nodeOf('maker'), taker: nodeOf('taker') };
  const until: Pair['until'] = async (condition, most = 400) => {
    for (let minute = 0; minute < most; minute++) {
      await clock.advance(0);
      if (await condition()) return true;
      await clock.advance(60_000);
      chains.DOC.mine();
      chains.MARTY.mine();
    }
    return await condition();
  };
  return {
    clock,
    chains: chains as Pair['chains'],
    walletsOf: (party) => [chains.DOC.wallet(party), chains.MARTY.wallet(party)],
    network: net,
    nodes,
    until,
    minutes: async (count) => {
      await until(() => false, count);
    },
    restart(side) {
      const node = nodes[side];
      node.die();
      for (const wallet of Object.values(node.wallets)) (wallet as Partial<SimWallet>).restart?.();
      Object.assign(node, start(node));
    },
    types: (side, uuid = UUID) => {
      const records = nodes[side].log.read(`${side}-swap/${uuid}`);
      if (records instanceof Promise) throw new TypeError('the log answers at once');
      return records.map(({ type }) => type);
    },
  };
}
