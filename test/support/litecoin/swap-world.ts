import type { SwapRequest } from '../../../src/events/journal.ts';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import { createInProcessNetwork } from '../../../src/peers/in-process/index.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';
import type { Peers } from '../../../src/ports/peers.ts';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';
import { type Millis, millisOf } from '../../../src/primitives/time.ts';
import { createRuntime, type Runtime, type RuntimeChain, swapKind, watcherKind } from '../../../src/runtime/index.ts';
import { mortalChain, mortalClock, mortalPeers } from '../mortal.ts';
import { type VirtualClock, virtualClock } from '../virtual-clock.ts';
import { type LitecoinTestChain, signerOf, startLitecoinChain } from './chain.ts';
import { lineTo, rounds } from './line.ts';

export type Side = 'maker' | 'taker';
export type Coin = 'LTC' | 'OTHER';
export type Chains = Readonly<Record<Coin, LitecoinTestChain>>;

/** The maker gives LTC for the taker's OTHER: two chains that have nothing in common but the node. */
export async function startChains(): Promise<Chains> {
  const [LTC, OTHER] = await Promise.all([
    startLitecoinChain(
      { coin: 'LTC', scheme: 'p2sh', finality: 2, blockTime: 150, feeRate: 10, poll: 15, complete: false },
      ['-mempoolreplacement=1'],
    ),
    startLitecoinChain({
      coin: 'OTHER',
      scheme: 'p2wsh',
      finality: 4,
      blockTime: 60,
      feeRate: 4,
      poll: 10,
      complete: true,
    }),
  ]);
  return { LTC, OTHER };
}

export const AMOUNTS = { maker: '1.50000007', taker: '2.99999989' } as const;
const COINS: readonly Coin[] = ['LTC', 'OTHER'];

export type Party = {
  readonly name: string;
  readonly log: EventLog;
  runtime: Runtime;
  /** The process is over: nothing is called back any more. */
  die: () => void;
  /** Another process begins over the same log, with the host's clock as it is. */
  revive: () => void;
  /** The host's clock stands still from now on; what waits goes on. */
  readonly freeze: () => void;
};

export type SwapWorld = {
  readonly clock: VirtualClock;
  readonly parties: Readonly<Record<Side, Party>>;
  /** Watches the swaps of others, and owns no coins; null where nobody does. */
  readonly watcher: Party | null;
  readonly seconds: () => number;
  /** Lets time pass, with the blocks of both chains, until the condition holds. False when it does not within so many minutes. */
  readonly until: (condition: () => boolean | Promise<boolean>, minutes?: number) => Promise<boolean>;
  readonly start: (changes?: Partial<SwapRequest>) => Promise<void>;
};

export type WorldOptions = {
  readonly chains: Chains;
  /** Tells the wallets of one test from those of others. */
  readonly name: string;
  /** Who has keys of its own for each swap. @defaultValue the taker */
  readonly keyPerSwap?: readonly (Side | 'watcher')[];
  /** Whether somebody watches. @defaultValue nobody does */
  readonly watched?: boolean;
  /** Changes the adapters of a side. */
  readonly adapter?: (chain: RuntimeChain, clock: Clock) => RuntimeChain;
};

export const UUID = '3447b727-fe93-4357-8e5a-8cf2699b7e86';

export function walletName(side: Side | 'watcher', name: string): string {
  return `${side} of ${name}`;
}

/** Gives both sides of a world their coins: the maker's and the taker's differ in count and amount. */
export async function fundWorld({ chains, name }: Pick<WorldOptions, 'chains' | 'name'>): Promise<void> {
  await chains.LTC.fund([walletName('maker', name)], { count: 3, amount: '9.87654321' });
  await chains.OTHER.fund([walletName('taker', name)], { count: 4, amount: '7.7' });
}

export async function createSwapWorld({
  chains,
  name,
  watched = false,
  keyPerSwap = ['taker'],
  adapter = (chain) => chain,
}: WorldOptions): Promise<SwapWorld> {
  const times = await Promise.all(COINS.map((coin) => chains[coin].time()));
  const lines = COINS.map((coin) => lineTo(chains[coin].node));
  const clock = virtualClock((Math.max(...times) + 60) * 1000, async () => {
    for (let calm = 0; calm < 3; ) {
      await rounds(1);
      calm = lines.every((line) => line.busy() === 0) ? calm + 1 : 0;
    }
  });
  const seconds = () => Math.floor(clock.now() / 1000);
  const network = createInProcessNetwork();
  const partyOf = (side: Side | 'watcher'): Party => {
    const host = hostClock(clock);
    const start = (log: EventLog): Pick<Party, 'runtime' | 'die'> => {
      const life = { over: false };
      const own = mortalClock(host, life);
      const wallets = COINS.map((coin, place) => {
        const wallet = chains[coin].wallet(walletName(side, name), own, {
          node: lines[place]?.node ?? chains[coin].node,
          keyPerSwap: keyPerSwap.includes(side),
        });
        return mortalChain(adapter(wallet, own), life);
      });
      const peers: Peers = mortalPeers(network.peer(keyOf(side).slice(2)), life);
      const kinds = side === 'watcher' ? [watcherKind()] : [swapKind('taker'), swapKind('maker')];
      const runtime = createRuntime({ log, chains: wallets, peers, clock: own, kinds });
      return {
        runtime,
        die: () => {
          life.over = true;
        },
      };
    };
    const log = createMemoryLog();
    const party: Party = {
      name: walletName(side, name),
      log,
      ...start(log),
      freeze: () => host.freeze(),
      revive: () => {
        Object.assign(party, start(log));
        void party.runtime.resumeAll();
      },
    };
    return party;
  };
  const parties = { maker: partyOf('maker'), taker: partyOf('taker') };
  const watcher = watched ? partyOf('watcher') : null;
  // From then on it hears takers.
  await watcher?.runtime.resumeAll();
  const mined = new Map<Coin, number>(COINS.map((coin) => [coin, seconds()]));
  const mineDue = async (): Promise<void> => {
    for (const coin of COINS) {
      const { blockTime } = chains[coin].settings;
      const due = Math.floor((seconds() - (mined.get(coin) ?? 0)) / blockTime);
      for (let left = due; left > 0; left--) {
        mined.set(coin, (mined.get(coin) ?? 0) + blockTime);
        await chains[coin].mine(mined.get(coin) ?? 0);
      }
    }
  };
  return {
    clock,
    parties,
    watcher,
    seconds,
    async until(condition, minutes = 120) {
      for (let halves = 0; halves < 2 * minutes; halves++) {
        await clock.advance(0);
        if (await condition()) return true;
        await clock.advance(30_000);
        await mineDue();
      }
      return condition();
    },
    async start(changes = {}) {
      for (const side of ['maker', 'taker'] as const) await parties[side].runtime.startSwap(requestOf(side, changes));
    },
  };
}

/** A host's clock that may stop while its timers go on. */
function hostClock(clock: Clock): Clock & { readonly freeze: () => void } {
  let behind = (): number => 0;
  const now = (): Millis => millisOf(clock.now() - behind());
  return {
    now,
    wakeAt: (at, wake) => clock.wakeAt(millisOf(at + behind()), wake),
    freeze() {
      const since = clock.now();
      behind = () => clock.now() - since;
    },
  };
}

function keyOf(side: Side | 'watcher'): string {
  return bytesToHex(signerOf(`the identity of the ${side}`).key);
}

/** A swap as each side asks its node for it. */
export function requestOf(side: Side, changes: Partial<SwapRequest> = {}): SwapRequest {
  const uuid = changes.uuid ?? UUID;
  return {
    role: side,
    uuid,
    my_order_uuid: null,
    maker_coin: 'LTC',
    taker_coin: 'OTHER',
    maker_amount: AMOUNTS.maker as DecimalText,
    taker_amount: AMOUNTS.taker as DecimalText,
    counterparty: keyOf(side === 'maker' ? 'taker' : 'maker').slice(2),
    my_persistent_pub: keyOf(side),
    lock_duration: 7800,
    maker_payment_confirmations: 2,
    maker_payment_requires_nota: false,
    taker_payment_confirmations: 1,
    taker_payment_requires_nota: false,
    secret: side === 'maker' ? uuid.replaceAll('-', '').repeat(2) : null,
    use_watchers: false,
    ...changes,
  };
}
