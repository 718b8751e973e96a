import type { SwapRequest } from '../../../src/events/journal.ts';
import { QUICKER_BLOCKS } from '../../../src/htlc/tendermint-lock.ts';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import { createInProcessNetwork, type InProcessNetwork } from '../../../src/peers/in-process/index.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import { createRuntime, type Runtime, swapKind } from '../../../src/runtime/index.ts';
import { mortalClock } from '../mortal.ts';
import { KEYS, requestOf, type Side } from '../swap-pair.ts';
import { type VirtualClock, virtualClock } from '../virtual-clock.ts';
import { fallible, Reaper } from './kill.ts';
import type { Leg } from './leg.ts';

export const SIDES = ['maker', 'taker'] as const;
const POLICY = { confirmationPoll: 30, spendPoll: 60, refundPoll: 300 };
/** Seconds for which payments are locked. */
export const LOCK = 5400;

export type Legs = Readonly<Record<Side, Leg>>;

/** Chains that swaps share one after another, with one clock. */
export type CrossWorld = {
  readonly clock: VirtualClock;
  readonly legs: Legs;
  /** The next minute, with the blocks that are due. */
  readonly minute: () => Promise<void>;
};

/** @param from when it begins, in seconds: the time of the last blocks or later */
export function crossWorld(legs: Legs, from: number): CrossWorld {
  const settle = async () => {
    for (let calm = 0; calm < 4; calm = legs.maker.busy() + legs.taker.busy() === 0 ? calm + 1 : 0)
      await new Promise((resolve) => setImmediate(resolve));
  };
  const clock = virtualClock(from * 1000, settle);
  return {
    ...{ clock, legs },
    async minute() {
      await clock.advance(60_000);
      for (const side of SIDES) await legs[side].mineUntil(Math.floor(clock.now() / 1000));
    },
  };
}

export type Party = {
  runtime: Runtime;
  die: () => void;
  readonly revive: () => void;
  readonly types: () => readonly string[];
  /** Asks it for a swap, and asks again where it falls before it has answered. */
  readonly begin: (request: SwapRequest) => void;
  /** Whether its reaper has had it. */
  readonly hasFallen: () => boolean;
  /** At the end of a minute: starts it again where it fell. */
  readonly rise: () => void;
};

type Seating = {
  readonly world: CrossWorld;
  readonly network: InProcessNetwork;
  readonly uuid: string;
  readonly reaper: Reaper;
};

/** Ends of minutes until who fell is back: before the other side has waited for it in vain where nobody has paid yet. */
const AWAY = 1;

function openParty(side: Side, { world, network, uuid, reaper }: Seating): Party {
  let away: number | null = null;
  let unanswered: SwapRequest | null = null;
  const onFall = () => {
    away = AWAY;
  };
  const log = createMemoryLog();
  const name = nameOf(side, uuid);
  const start = () => {
    const life = { over: false };
    const own: Clock = mortalClock(world.clock, life);
    const chains = SIDES.map((leg) => world.legs[leg].wallet(name, own));
    const runtime = createRuntime({
      ...fallible({ log, peers: network.peer(KEYS[side]), chains }, { life, reaper, onFall }),
      clock: own,
      kinds: [swapKind('taker', { keyRule: () => null }), swapKind('maker', { keyRule: () => null })],
      policy: { ...POLICY, paymentLocktime: LOCK },
    });
    const die = () => {
      life.over = true;
    };
    return { runtime, die };
  };
  const party: Party = {
    ...start(),
    types() {
      const records = log.read(`${side}-swap/${uuid}`);
      if (records instanceof Promise) throw new TypeError('the log answers at once');
      return records.map(({ type }) => type);
    },
    begin(request) {
      unanswered = request;
      void party.runtime.startSwap(request).then(() => {
        unanswered = null;
      });
    },
    revive() {
      away = null;
      Object.assign(party, start());
      void party.runtime.resumeAll();
      if (unanswered !== null) party.begin(unanswered);
    },
    hasFallen: () => reaper.fellAt !== undefined,
    rise() {
      if (away === null) return;
      away -= 1;
      if (away === 0) party.revive();
    },
  };
  return party;
}

const nameOf = (side: Side, uuid: string): string => `${side} ${uuid}`;

export type Balances = Readonly<Record<Side, Readonly<Record<Side, bigint>>>>;

/** One swap of two new wallets. */
export type CrossSwap = {
  readonly parties: Readonly<Record<Side, Party>>;
  readonly has: (side: Side, type: string) => () => boolean;
  readonly finished: () => boolean;
  /** For how many seconds the maker's payment is locked at the nominal pace of its blocks. */
  readonly makerLock: number;
  /** Lets time pass until it is so; whether it came to be within that many minutes. */
  readonly until: (condition: () => boolean, most?: number) => Promise<boolean>;
  /** By leg and side, base units beyond what they had at first. */
  readonly gains: () => Promise<Balances>;
  /** What payments hold beyond what they held at first, by leg; 0 where balances alone tell. */
  readonly locked: () => Promise<Readonly<Record<Side, bigint>>>;
  readonly end: () => void;
};

async function balancesOf(legs: Legs, uuid: string): Promise<Balances> {
  const of = async (leg: Side) => {
    // One after another: some nodes count for one at a time.
    const maker = await legs[leg].balance(nameOf('maker', uuid));
    return { maker, taker: await legs[leg].balance(nameOf('taker', uuid)) };
  };
  return { maker: await of('maker'), taker: await of('taker') };
}

async function lockedOn(legs: Legs): Promise<Readonly<Record<Side, bigint>>> {
  return { maker: (await legs.maker.locked()) ?? 0n, taker: (await legs.taker.locked()) ?? 0n };
}

export type Starting = {
  /** Tells it from other swaps of the same chains. */
  readonly number: number;
  /** @defaultValue nobody falls */
  readonly reapers?: Readonly<Record<Side, Reaper>>;
};

export async function startCrossSwap(
  world: CrossWorld,
  { number, reapers = { maker: new Reaper(null), taker: new Reaper(null) } }: Starting,
): Promise<CrossSwap> {
  const { legs, clock, minute } = world;
  const uuid = `3447b727-fe93-4357-8e5a-${String(number).padStart(12, '0')}`;
  for (const side of SIDES) for (const leg of SIDES) await legs[leg].fund(nameOf(side, uuid));
  await minute();
  const network = createInProcessNetwork();
  const parties = {
    maker: openParty('maker', { world, network, uuid, reaper: reapers.maker }),
    taker: openParty('taker', { world, network, uuid, reaper: reapers.taker }),
  };
  const [before, lockedBefore] = [await balancesOf(legs, uuid), await lockedOn(legs)];
  const request: Partial<SwapRequest> = {
    ...{ maker_coin: legs.maker.coin, taker_coin: legs.taker.coin, lock_duration: LOCK, uuid },
    maker_amount: legs.maker.amount as DecimalText,
    taker_amount: legs.taker.amount as DecimalText,
    // No depth is the same on both.
    ...{ maker_payment_confirmations: legs.maker.depth ?? 1, taker_payment_confirmations: 2 },
  };
  for (const side of SIDES) parties[side].begin(requestOf(side, request));
  const has = (side: Side, type: string) => () => parties[side].types().includes(type);
  return {
    ...{ parties, has, finished: () => SIDES.every((side) => has(side, 'Finished')()) },
    // Locks that count blocks hold for as many as may come by then.
    makerLock: 2 * LOCK * (legs.maker.refundsByItself ? QUICKER_BLOCKS : 1),
    async until(condition, most = 400) {
      for (let left = most; left > 0; left -= 1) {
        await clock.advance(0);
        if (condition()) return true;
        await minute();
        for (const side of SIDES) parties[side].rise();
      }
      return condition();
    },
    async gains() {
      const now = await balancesOf(legs, uuid);
      const of = (leg: Side) => ({
        maker: now[leg].maker - before[leg].maker,
        taker: now[leg].taker - before[leg].taker,
      });
      return { maker: of('maker'), taker: of('taker') };
    },
    async locked() {
      const now = await lockedOn(legs);
      return { maker: now.maker - lockedBefore.maker, taker: now.taker - lockedBefore.taker };
    },
    end() {
      for (const side of SIDES) parties[side].die();
    },
  };
}
