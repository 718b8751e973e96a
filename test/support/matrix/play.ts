import type { SwapRequest } from '../../../src/events/journal.ts';
import { createInProcessNetwork } from '../../../src/peers/in-process/index.ts';
import type { Peers, SwapMessageKind } from '../../../src/ports/peers.ts';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';
import { millisOf } from '../../../src/primitives/time.ts';
import { type Leg, USUAL_TERMS } from './chain.ts';
import { saidBy } from './cheats.ts';
import { Course, isEarly } from './course.ts';
import { CONFIRMATIONS, type Record as Judged, judge, LOCK_DURATION } from './judge.ts';
import { openParty, type Party, type PartyOptions, type PlacedChains } from './party.ts';
import { isRefused, playRefused } from './refused.ts';
import type { Scenario } from './scenario.ts';
import { COINS, LEGS, type Side } from './sides.ts';
import type { MatrixWorld, Pair } from './world.ts';

/** Of each swap: agreed amounts, in coins and in base units. */
type Agreed = {
  readonly uuid: string;
  readonly amounts: Readonly<Record<Leg, DecimalText>>;
  readonly units: Readonly<Record<Leg, bigint>>;
};

/** In coins, with the digits of chains of outputs. */
const SWAPS = [
  { uuid: '5b1ee4a6-9d6c-4c6e-8a52-1f0e5d3c7a91', maker: '1.50000007', taker: '2.9999989' },
  { uuid: 'e37f0d52-61c8-4b0f-9e0d-7a54c1b2d6f8', maker: '0.70000009', taker: '1.2345671' },
] as const;
const DIGITS = { maker: 8, taker: 7 } as const;
const FUNDS = { maker: { count: 3, value: 98_765_432n }, taker: { count: 4, value: 17_700_003n } } as const;
/** For who swaps twice. */
const DOUBLE = { maker: { count: 6, value: 98_765_432n }, taker: { count: 8, value: 17_700_003n } } as const;
const POOR = { maker: { count: 1, value: 150_000_007n }, taker: { count: 2, value: 14_999_999n } } as const;
/** On a chain with accounts, where what pays for transactions comes on top. */
const POOR_ACCOUNT = { maker: { count: 1, value: 135_000_007n }, taker: { count: 2, value: 13_499_999n } } as const;
const EARLIER = '0c9e3f7e-8d0b-4a56-9a7c-2f4e8f3f8b10';
const SECRET = '3e'.repeat(31);
/** Blocks after which what funds a wallet is never taken back, and the chain's clock shows the time. */
const BURIED = 7;

let runs = 0;

export type Cell = { readonly pair: Pair; readonly scenario: Scenario };

/** Who plays, and what is done with them. */
export type Cast<P extends Party> = {
  readonly open: (options: PartyOptions) => Promise<P>;
  /** Whether they may die by a kill. */
  readonly kills: boolean;
  /** Right before the swap is asked for. */
  readonly onBegin: () => void;
  /** Right before the first thing of the scenario is done; never where it has none. */
  readonly onTurn: () => void;
  readonly onEnd: () => void | Promise<void>;
};

/** Plays a scenario on two chains. What is not as the rules say; empty when all is. */
export async function play(world: MatrixWorld, cell: Cell): Promise<readonly string[]> {
  const { pair, scenario } = cell;
  if (isRefused(scenario)) {
    const name = `${scenario.name}, ${pair.maker}${pair.taker}`;
    return playRefused(world, { name, chains: await placed(world, pair), refused: scenario.refused });
  }
  return judge(await record(world, cell, { open: openParty, kills: false, onBegin() {}, onTurn() {}, onEnd() {} }));
}

/** The same: what the chains hold at its end. */
export async function record<P extends Party>(
  world: MatrixWorld,
  { pair, scenario }: Cell,
  cast: Cast<P>,
): Promise<Judged> {
  runs += 1;
  const name = `${scenario.name}, ${pair.maker}${pair.taker}, run ${runs}`;
  const chains = await placed(world, pair);
  world.serve(LEGS.filter((leg) => pair[leg] === 'Q'));
  const heights = { maker: await chains.maker.chain.height(), taker: await chains.taker.chain.height() };
  await setUp(world, { chains, scenario });
  const said = new Set<SwapMessageKind>();
  const peers = networkOf(world, { scenario, said });
  const sides: readonly Side[] = scenario.watched === true ? ['maker', 'taker', 'watcher'] : LEGS;
  const parties = new Map<Side, P>();
  try {
    for (const side of sides) {
      const cheat = scenario.cheats?.side === side ? scenario.cheats : undefined;
      const { watched = false } = scenario;
      parties.set(side, await cast.open({ world, chains, side, name, peers: peers(side), cheat, watched }));
    }
    const { maker, taker } = { maker: parties.get('maker') as P, taker: parties.get('taker') as P };
    const isTwice = scenario.cheats?.with === 'secretReused';
    for (const side of LEGS) {
      const key = { maker, taker }[side].key;
      const { chain } = chains[side];
      const poor = chain.evm === undefined ? POOR : POOR_ACCOUNT;
      const { count, value } = (scenario.poor === side ? poor : isTwice ? DOUBLE : FUNDS)[side];
      await chain.fund(key, { count, value: scaled(value, { from: DIGITS[side], to: chain.decimals }) });
      await chains[side === 'maker' ? 'taker' : 'maker'].chain.fuel?.(key);
    }
    const watcher = parties.get('watcher');
    if (watcher !== undefined) for (const leg of LEGS) await chains[leg].chain.fuel?.(watcher.key);
    const course = new Course({
      world,
      chains,
      parties,
      scenario,
      heights,
      said,
      kills: cast.kills,
      onTurn: cast.onTurn,
    });
    await course.bury(BURIED);
    const keys = { maker: maker.key, taker: taker.key };
    const start = async (swap: Agreed): Promise<void> => {
      for (const side of LEGS)
        if (scenario.absent !== side) await { maker, taker }[side].startSwap(requestOf(side, { keys, scenario, swap }));
    };
    const swaps = SWAPS.map((swap) => agreedOn(swap, chains));
    const [first] = swaps;
    if (first === undefined) throw new Error('nothing is agreed');
    if (isTwice) {
      await course.begin(keys);
      await start({ ...first, uuid: EARLIER });
      await course.untilTaken();
      maker.die();
      await maker.revive('empty');
    }
    const begun = await course.begin(keys);
    cast.onBegin();
    const agreed = swaps.slice(0, scenario.swaps ?? 1);
    for (const swap of agreed)
      await start(swap).catch((error: unknown) => {
        if (scenario.poor === undefined) throw error;
      });
    await course.run();
    const found = await course.record({ amounts: unitsOf(agreed), startedAt: begun });
    await cast.onEnd();
    return found;
  } finally {
    for (const party of parties.values()) await close(world, party);
    for (const leg of LEGS) await reset(world, { leg, chains, scenario });
  }
}

async function placed(world: MatrixWorld, pair: Pair): Promise<PlacedChains> {
  const { maker, taker } = await world.chains(pair);
  return { maker: { backend: pair.maker, chain: maker }, taker: { backend: pair.taker, chain: taker } };
}

/** What a party still waits for takes its time. */
async function close({ clock }: MatrixWorld, party: Party): Promise<void> {
  let isClosed = false;
  const closing = party.close().finally(() => {
    isClosed = true;
  });
  while (!isClosed) await clock.advance(1000);
  await closing;
}

type Scene = { readonly chains: PlacedChains; readonly scenario: Scenario };

async function setUp(world: MatrixWorld, { chains, scenario }: Scene): Promise<void> {
  const { replaces = true } = scenario;
  for (const leg of LEGS) {
    const { chain } = chains[leg];
    // The run before may have left its blocks ahead of the time.
    const ahead = (await chain.time()) - seconds(world);
    if (ahead >= 0) await world.clock.advance((ahead + 1) * 1000);
    if (!replaces && chain.replaces) await chain.restart(seconds(world), { ...USUAL_TERMS, replaces });
  }
}

async function reset(world: MatrixWorld, { chains, scenario, leg }: Scene & { readonly leg: Leg }): Promise<void> {
  const { chain } = chains[leg];
  await chain.troubles?.break(null);
  await chain.troubles?.spoil(null);
  await chain.anew?.();
  const isRaised = scenario.steps.some(({ deeds }) => deeds.some((deed) => deed.do === 'floor' && deed.leg === leg));
  if (isRaised || (scenario.replaces === false && chain.replaces)) await chain.restart(seconds(world));
}

function seconds({ clock }: MatrixWorld): number {
  return Math.floor(clock.now() / 1000);
}

type Heard = { readonly scenario: Scenario; readonly said: Set<SwapMessageKind> };

/** Milliseconds that a message takes; longer than a step of the course where something happens between two of them. */
const LATENCY = 400;
const LONG_LATENCY = 8000;

/** What each side says is noted, and changed where it cheats. */
function networkOf({ clock }: MatrixWorld, { scenario, said }: Heard): (side: Side) => (key: Uint8Array) => Peers {
  const latency = isEarly(scenario) ? LONG_LATENCY : LATENCY;
  const network = createInProcessNetwork({
    policy: ({ deliver }) => void clock.wakeAt(millisOf(clock.now() + latency), deliver),
  });
  return (side) => (key) => {
    const peer = network.peer(bytesToHex(key.subarray(1)));
    return {
      self: peer.self,
      subscribe: (topic, onMessage) => peer.subscribe(topic, onMessage),
      send(topic, message, options) {
        said.add(message.kind);
        const { cheats } = scenario;
        return peer.send(topic, cheats?.side === side ? saidBy(cheats, message) : message, options);
      },
    };
  };
}

/** The amounts in the digits of the chains: the last one always counts. */
function agreedOn({ uuid, ...texts }: (typeof SWAPS)[number], chains: PlacedChains): Agreed {
  const on = (leg: Leg) => {
    const [whole = '', part = ''] = texts[leg].split('.');
    const { decimals } = chains[leg].chain;
    const digits =
      part.length === decimals
        ? part
        : `${part.slice(0, decimals - 1).padEnd(decimals - 1, '0')}${leg === 'maker' ? 7 : 3}`;
    return { text: `${whole}.${digits}` as DecimalText, units: BigInt(whole + digits) };
  };
  const { maker, taker } = { maker: on('maker'), taker: on('taker') };
  return { uuid, amounts: { maker: maker.text, taker: taker.text }, units: { maker: maker.units, taker: taker.units } };
}

function scaled(value: bigint, { from, to }: { readonly from: number; readonly to: number }): bigint {
  return to >= from ? value * 10n ** BigInt(to - from) : value / 10n ** BigInt(from - to);
}

function unitsOf(swaps: readonly Agreed[]): Judged['amounts'] {
  return { maker: swaps.map(({ units }) => units.maker), taker: swaps.map(({ units }) => units.taker) };
}

type Asked = {
  readonly keys: Readonly<Record<Leg, Uint8Array>>;
  readonly scenario: Scenario;
  readonly swap: Agreed;
};

function requestOf(side: Leg, { keys, scenario, swap }: Asked): SwapRequest {
  const isReused = scenario.cheats?.with === 'secretReused';
  return {
    role: side,
    uuid: swap.uuid,
    my_order_uuid: null,
    maker_coin: COINS.maker,
    taker_coin: COINS.taker,
    maker_amount: swap.amounts.maker,
    taker_amount: swap.amounts.taker,
    counterparty: bytesToHex(keys[side === 'maker' ? 'taker' : 'maker'].subarray(1)),
    my_persistent_pub: bytesToHex(keys[side]),
    lock_duration: LOCK_DURATION,
    maker_payment_confirmations: CONFIRMATIONS.maker,
    maker_payment_requires_nota: false,
    taker_payment_confirmations: CONFIRMATIONS.taker,
    taker_payment_requires_nota: false,
    secret: side === 'maker' && isReused ? `${SECRET}${runs.toString(16).padStart(2, '0').slice(-2)}` : null,
    use_watchers: scenario.watched === true,
  };
}
