import type { NewRecord } from '../ports/event-log.ts';
import { knownAs } from '../primitives/known-as.ts';
import type { Millis } from '../primitives/time.ts';
import type { Leg } from '../runtime/command.ts';
import type { SwapRunner } from '../runtime/swap/runner.ts';
import { lossesOf } from '../sim/world/complete-feeds.ts';
import type { Behaviour, SimNode } from '../sim/world/node.ts';
import { honestParty } from '../sim/world/scenario.ts';
import type { ChainState } from './chain-state.ts';
import { type EngineState, standAt } from './engine-state.ts';
import { CHECKED_POLICY, htlcKeyOf, type Model, millisAt, type Seat } from './model.ts';
import type { Signer } from './prepare.ts';
import { type Found, judgeHanding } from './rules.ts';
import type { Scene } from './scene.ts';
import { type ChainCell, createWallet } from './wallet.ts';

/** An engine, its state, and the world around it. */
export type SiteInput = {
  readonly model: Model;
  readonly seat: Seat;
  readonly behaviour: Behaviour;
  /** Whether the behaviour is the product's own. */
  readonly isSound: boolean;
  /** Whether a waiting engine also keeps what it can no longer use. */
  readonly keepAll: boolean;
  readonly state: EngineState;
  /** Seconds since 1970. */
  readonly now: number;
  readonly chains: Readonly<Record<Leg, ChainState>>;
  /** A runner that is free for reuse. */
  readonly spare: SwapRunner;
};

/** A process of an engine during one run, with copies of everything that it may change. */
export type EngineSite = {
  readonly model: Model;
  readonly seat: Seat;
  readonly behaviour: Behaviour;
  readonly isSound: boolean;
  readonly node: SimNode;
  readonly log: NewRecord[];
  /** The number of records in the log when the run began. */
  readonly before: number;
  readonly cells: Readonly<Record<Leg, ChainCell>>;
  readonly now: Millis;
};

/** Sets up a process; `onHanded` learns whether what is handed to the network breaks a rule. */
export function openSite(input: SiteInput, onHanded: (broken: Found | null) => void): EngineSite {
  const { model, seat, behaviour, isSound, state } = input;
  const now = millisAt(input.now);
  const runner = standAt(input.spare, { state, now });
  const log = [...state.log];
  const cells = {
    maker: { parts: model.chains.maker, state: input.chains.maker },
    taker: { parts: model.chains.taker, state: input.chains.taker },
  };
  const wallet = (leg: Leg) =>
    createWallet({
      cell: cells[leg],
      key: htlcKeyOf(seat),
      signer: () => signerOf(seat, runner),
      onBroadcast: (transaction) => onHanded(judgeHanding(sceneOf(site), transaction)),
    });
  const node = {
    name: seat as SimNode['name'],
    plan: honestParty(),
    behaviour,
    // What an engine asks a wallet, and nothing else.
    wallets: knownAs<SimNode['wallets']>({ maker: wallet('maker'), taker: wallet('taker') }),
    policy: CHECKED_POLICY,
    records: log,
    published: [...(state.published ?? state.log.map(({ type }) => type))],
    runner,
    alive: true,
    dirty: false,
    done: false,
    commands: 0,
    restarts: state.restarts,
    hooks: null,
    strayed: false,
    schemeUntil: null,
    asking: false,
    letters: 0,
    losses: lossesOf(0, seat as SimNode['name']),
    skew: 0,
    news: { maker: 0, taker: 0 },
    hostClock: () => input.now,
    wakeAt: Number.POSITIVE_INFINITY,
    timerAt: Number.POSITIVE_INFINITY,
  } satisfies SimNode;
  const site: EngineSite = { model, seat, behaviour, isSound, node, log, before: log.length, cells, now };
  return site;
}

/** What the party has committed to transactions in its log or memory that may still confirm. */
function signerOf(party: Seat, { journal, facts }: SwapRunner): Signer {
  const reserved = new Set<string>();
  for (const records of Object.values(journal.prepared)) {
    for (const { tx, dead } of records) if (!dead) for (const taken of tx.spends ?? []) reserved.add(taken);
  }
  for (const { spends } of facts.prepared.values()) for (const taken of spends) reserved.add(taken);
  return { party, reserved };
}

export function sceneOf({ model, seat, node, cells, log, before, now }: EngineSite): Scene {
  return { model, seat, runner: node.runner, cells, now: now / 1000, before, log };
}
