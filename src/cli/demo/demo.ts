import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import type { SwapRequest } from '../../events/journal.ts';
import { createInProcessNetwork, type InProcessNetwork } from '../../peers/in-process/index.ts';
import type { LogEntry } from '../../ports/event-log.ts';
import type { DecimalText } from '../../primitives/decimal.ts';
import { type Millis, toMillis } from '../../primitives/time.ts';
import { createVirtualClock, type VirtualClock } from '../../sim/virtual-clock.ts';
import { EPOCH } from '../../sim/world/scenario.ts';
import { UsageError } from '../io.ts';
import { COINS, createDemoChains, type DemoChains, type Touch } from './chains.ts';
import { type DemoScenario, scenarioOf } from './scenarios.ts';
import type { SentName } from './sent-names.ts';
import { type LiveSide, logPath, openSide, SIDES, type Side } from './side.ts';
import { latestOf, openWorldFile, type WorldEntry, type WorldFile, worldPath } from './world-file.ts';

/** A durable thing that happened on one side. */
export type DemoEntry = { readonly side: Side; readonly entry: LogEntry };

export type DemoOptions = {
  /** Holds the logs of both sides and what the outside world has seen; made when it does not exist. */
  readonly dir: string;
  /** Of a new demonstration; one that goes on keeps its own and takes no other. @defaultValue 'success' */
  readonly scenario?: string;
  /** The same. @defaultValue 1 */
  readonly seed?: number;
  /** How long a process that was killed was away, in milliseconds of the virtual clock. */
  readonly awayFor: number;
  /** Called before anything happens. */
  readonly onOpen: (opened: Pick<Demo, 'uuid' | 'secret' | 'scenario' | 'resumed'>) => void;
  readonly onEntry: (entry: DemoEntry) => void;
  /** Called when a side is gone, and when it is back. */
  readonly onPresence: (side: Side, present: boolean) => void;
  /** Called at every input and output, numbered from 1 over both sides; told what was sent when the network has it. */
  readonly onBoundary: (number: number, sent?: SentName) => void;
};

/** Both sides of a swap in one process, on simulated chains, over durable logs. */
export type Demo = {
  readonly uuid: string;
  /** The maker's, which it shows to nobody before it claims. */
  readonly secret: string;
  readonly scenario: DemoScenario;
  readonly clock: VirtualClock;
  readonly world: DemoChains;
  readonly sides: Readonly<Record<Side, LiveSide | null>>;
  /** True when an earlier process left something behind. */
  readonly resumed: boolean;
  /** Lets the next thing happen; false once both sides have nothing left to do. */
  readonly step: () => Promise<boolean>;
  readonly close: () => Promise<void>;
};

const KEYS: Readonly<Record<Side, string>> = { maker: 'a1'.repeat(32), taker: 'b2'.repeat(32) };
/** What each side pays, in coin units. */
export const AMOUNTS = { maker: '1.5' as DecimalText, taker: '3' as DecimalText } as const;

const LOCK_DURATION = 7800;
const NEVER = Number.MAX_SAFE_INTEGER;

/** All that a demonstration consists of. */
type Stage = {
  readonly options: DemoOptions;
  readonly file: WorldFile;
  readonly head: Head;
  readonly scenario: DemoScenario;
  readonly clock: VirtualClock;
  readonly world: DemoChains;
  readonly network: InProcessNetwork;
  readonly sides: Record<Side, LiveSide | null>;
  /** Position of the last entry that was told. */
  readonly told: Record<Side, number>;
  /** When a side that is gone comes back, in milliseconds. */
  readonly away: Record<Side, number | null>;
  /** Sides that have been gone once. */
  readonly gone: Set<Side>;
  boundaries: number;
  /** Why a log took no append; undefined while all do. */
  failure: unknown;
};

/**
 * Opens or resumes a demonstration.
 *
 * @throws UsageError where the folder holds another swap than the one that is asked for, or logs that are none of a demonstration.
 */
export async function openDemo(options: DemoOptions): Promise<Demo> {
  const stage = setStage(options);
  const { file, head, scenario, clock, world, sides, away } = stage;
  const resumed = file.entries.some(({ kind }) => kind === 'process');
  file.write({ kind: 'process', at: clock.now() });
  const settled = (): Promise<void> =>
    settle(
      SIDES.flatMap((side) => sides[side] ?? []),
      clock,
    );
  options.onOpen({ uuid: head.uuid, secret: head.secret, scenario, resumed });
  for (const side of SIDES) await start(stage, side);
  await settled();
  return {
    uuid: head.uuid,
    secret: head.secret,
    scenario,
    clock,
    world,
    sides,
    resumed,
    async step() {
      // A node would go on trying; a demonstration that nobody sees move says why and ends.
      if (stage.failure !== undefined) throw stage.failure;
      for (const side of SIDES) await comeAndGo(stage, side);
      const back = Math.min(away.maker ?? NEVER, away.taker ?? NEVER);
      const busy = SIDES.some((side) => (sides[side]?.runtime.sizes().runners ?? 0) > 0);
      if (!busy && back === NEVER) return false;
      const at = Math.min(clock.next() ?? NEVER, world.next(), back) as Millis;
      clock.advanceTo(at);
      world.mineUntil(at);
      await settled();
      return true;
    },
    async close() {
      for (const side of SIDES) await sides[side]?.close();
      file.close();
    },
  };
}

function setStage(options: DemoOptions): Stage {
  const { dir } = options;
  mkdirSync(dir, { recursive: true });
  if (!existsSync(worldPath(dir)) && SIDES.some((side) => existsSync(logPath(dir, side)))) {
    throw new UsageError(`${dir} holds logs, but no demonstration that could go on. Give another --dir.`);
  }
  const file = openWorldFile(worldPath(options.dir));
  const head = headOf(file, options);
  const scenario = scenarioOf(head.name);
  const clock = createVirtualClock(startOf(file, options.awayFor));
  return {
    options,
    file,
    head,
    scenario,
    clock,
    world: createDemoChains({ scenario, seed: head.seed, file, now: clock.now }),
    network: createInProcessNetwork(),
    sides: { maker: null, taker: null },
    told: { maker: 0, taker: 0 },
    away: { maker: null, taker: null },
    gone: new Set(file.entries.flatMap((entry) => (entry.kind === 'vanished' ? [entry.party] : []))),
    boundaries: 0,
    failure: undefined,
  };
}

async function start(stage: Stage, side: Side): Promise<void> {
  const { options, world, network, clock, told, head } = stage;
  const touch: Touch = (sent) => {
    stage.boundaries += 1;
    options.onBoundary(stage.boundaries, sent);
  };
  const live = await openSide({
    dir: options.dir,
    side,
    clock,
    chains: [world.recorded(side, 'maker', touch), world.recorded(side, 'taker', touch)],
    peers: network.peer(KEYS[side]),
    touch,
    onLogError: (error) => {
      stage.failure ??= error;
    },
    after: told[side],
    onEntry: (entry) => take(stage, side, entry),
  });
  stage.sides[side] = live;
  await live.runtime.resumeAll();
  await live.runtime.startSwap(requestOf(side, head));
}

function take(stage: Stage, side: Side, entry: LogEntry): void {
  const { options, scenario, gone, file, clock, away } = stage;
  stage.told[side] = entry.position;
  options.onEntry({ side, entry });
  const plan = side === 'maker' ? scenario.makerVanishes : scenario.takerVanishes;
  if (plan === null || gone.has(side) || entry.envelope.type !== plan.after) return;
  gone.add(side);
  file.write({ kind: 'vanished', at: clock.now(), party: side });
  away[side] = plan.backAfter === null ? NEVER : clock.now() + plan.backAfter * 1000;
}

async function comeAndGo(stage: Stage, side: Side): Promise<void> {
  const { away, sides, world, options, clock } = stage;
  const until = away[side];
  const live = sides[side];
  if (until === null) return;
  if (live !== null) {
    sides[side] = null;
    await live.vanish();
    world.wallets[side].maker.restart();
    world.wallets[side].taker.restart();
    options.onPresence(side, false);
  } else if (clock.now() >= until) {
    away[side] = null;
    options.onPresence(side, true);
    await start(stage, side);
  }
}

type Head = Extract<WorldEntry, { kind: 'scenario' }>;

function headOf(file: WorldFile, { dir, scenario, seed }: Pick<DemoOptions, 'dir' | 'scenario' | 'seed'>): Head {
  const known = file.entries.find((entry): entry is Head => entry.kind === 'scenario');
  if (known !== undefined) {
    if ((scenario ?? known.name) === known.name && (seed ?? known.seed) === known.seed) return known;
    file.close();
    throw new UsageError(
      `${dir} holds a swap of scenario ${known.name} with seed ${known.seed}. Without --scenario and --seed it goes on; another swap needs another --dir.`,
    );
  }
  const secret = randomBytes(32).toString('hex');
  const { name } = scenarioOf(scenario ?? 'success');
  const made: Head = { kind: 'scenario', name, seed: seed ?? 1, uuid: randomUUID(), secret };
  file.write(made);
  return made;
}

/** A process that comes after another one begins where that one ended, and the time that it was away later. */
function startOf(file: WorldFile, awayFor: number): Millis {
  const latest = latestOf(file.entries) ?? toMillis(EPOCH);
  const earlier = file.entries.some(({ kind }) => kind === 'process');
  return (earlier ? latest + awayFor : latest) as Millis;
}

function requestOf(side: Side, { uuid, secret }: Head): SwapRequest {
  return {
    role: side,
    uuid,
    my_order_uuid: uuid,
    maker_coin: COINS.maker,
    taker_coin: COINS.taker,
    maker_amount: AMOUNTS.maker,
    taker_amount: AMOUNTS.taker,
    counterparty: KEYS[side === 'maker' ? 'taker' : 'maker'],
    my_persistent_pub: `02${KEYS[side]}`,
    lock_duration: LOCK_DURATION,
    maker_payment_confirmations: 1,
    maker_payment_requires_nota: false,
    taker_payment_confirmations: 1,
    taker_payment_requires_nota: false,
    secret: side === 'maker' ? secret : null,
    use_watchers: false,
  };
}

/** Waits until every runner waits: three looks in a row, so that what one side sends has reached the other. */
async function settle(sides: readonly LiveSide[], clock: VirtualClock): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    await new Promise((resolve) => setImmediate(resolve));
    const due = (clock.next() ?? NEVER) <= clock.now();
    if (due) clock.advanceTo(clock.now());
    const busy =
      due ||
      sides.some(({ runtime }) => {
        const { ready, underWay } = runtime.sizes();
        return ready > 0 || underWay > 0;
      });
    quiet = busy ? 0 : quiet + 1;
  }
}
