import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../../primitives/json.ts';
import type { Seconds } from '../../primitives/time.ts';
import { type OtherChains, startChains } from './chains.ts';
import { Noticeboard } from './noticeboard.ts';
import { createParty } from './party.ts';
import { playRefund } from './play-refund.ts';
import { playRescue } from './play-rescue.ts';
import { playSwap } from './play-swap.ts';
import { Cast } from './processes.ts';
import type { Scene } from './scene.ts';
import type { Play } from './setting.ts';
import { BLOCK_MS, type PlayChain, type Staging } from './stage.ts';

/** What is played: a swap, one whose maker is away too long, or one whose taker is. */
export const PLAYS = ['swap', 'refund', 'rescue'] as const;
export type PlayName = (typeof PLAYS)[number];

export type PlayOptions = {
  /** @defaultValue 'swap' */
  readonly name?: PlayName;
  /** For how long the taker's payment is locked, where the play waits for that. @defaultValue 60 s */
  readonly lock?: Seconds;
  /** Called with everything that happens, in its order. */
  readonly show: (scene: Scene) => void;
  /** Resolves when the play is to end at once. */
  readonly ended: Promise<void>;
  /** What to play on instead: two chains of Litecoin Core, or one of this package and one of anvil. @defaultValue two chains of this package */
  readonly other?: OtherChains | undefined;
};

/** Long enough for two nodes to pay in the third of it that they have, short enough to wait for. */
export const USUAL_LOCK: Seconds = 60;

const PERFORMED: Readonly<Record<PlayName, (stage: Play) => Promise<boolean>>> = {
  swap: playSwap,
  refund: playRefund,
  rescue: playRescue,
};

/**
 * Two trading nodes swap over a network, on two chains; each is a process, and everything is asked of them over HTTP. In the middle of it a
 * node is killed.
 *
 * @returns whether all went as it should
 * @throws TradeError
 */
export async function play(options: PlayOptions): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'swapfold-trade-'));
  const cast = new Cast();
  try {
    return await Promise.race([playOn({ cast, folder }, options), options.ended.then(() => false)]);
  } finally {
    await cast.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

async function playOn(staging: Staging, options: PlayOptions): Promise<boolean> {
  const { show, other, name = 'swap' } = options;
  const nodes = name === 'rescue' ? 'three nodes' : 'two trading nodes';
  show({ kind: 'act', title: `Two chains and ${nodes}, each a process of its own` });
  const chains = await startChains(staging, other);
  const staged = await setStage({ ...staging, ...options, name }, chains);
  const over = new AbortController();
  for (const chain of chains) void mineOn(chain, over.signal);
  try {
    return await PERFORMED[name](staged);
  } finally {
    over.abort();
  }
}

type Setting = Staging & Pick<PlayOptions, 'show' | 'lock'> & { readonly name: PlayName };

async function setStage(setting: Setting, chains: readonly [PlayChain, PlayChain]): Promise<Play> {
  const [red, blu] = chains;
  const { cast, folder, show, name: played, lock = USUAL_LOCK } = setting;
  const board = new Noticeboard(show);
  // Its port is below those that systems give to outgoing connections, one of which may have any of them for a moment.
  const netid = 1000 + Math.floor(Math.random() * 4900);
  // In the play of a swap nobody waits for a lock.
  const locks = played === 'swap' ? {} : { payment_locktime: lock };
  const party = (name: string, config: JsonObject) =>
    createParty({ cast, folder, name, chains, config: { netid, ...locks, ...config }, onTold: board.take });
  const others = { seednodes: ['127.0.0.1'] };
  const alice = await party('alice', { i_am_seed: true, is_bootstrap_node: true, myipaddr: '127.0.0.1' });
  const bob = await party('bob', others);
  const carol = played === 'rescue' ? await party('carol', { ...others, is_watcher: true }) : null;
  for (const one of [alice, bob, carol]) {
    await one?.start();
    if (one !== null) show({ kind: 'line', who: one.name, text: one === carol ? 'watcher listens' : 'node listens' });
  }
  return { cast, folder, show, red, blu, alice, bob, carol, board, lock };
}

/** Blocks as time goes by, until the play is over. */
async function mineOn({ ticker, mine }: PlayChain, signal: AbortSignal): Promise<void> {
  try {
    for (;;) {
      await pause(BLOCK_MS[ticker], undefined, { signal });
      await mine();
    }
  } catch {
    // The play is over, or its end tells why not.
  }
}
