import type { OutPoint } from '../../../src/htlc/transaction-encoding.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';
import { unixSecondsOf } from '../../../src/primitives/time.ts';
import type { MineOptions } from '../../../src/sim/chains/types.ts';
import { transactionIdOf } from '../../../src/smartchain/transaction.ts';
import type { Answer, Call, Litecoind } from '../../support/litecoind.ts';
import { OWNER_ADDRESS, OWNER_SCRIPT, ownersSpend } from '../funded-chain.ts';
import type { Action, BlockPlan, Turn } from './actions.ts';
import { COIN, COINS, type Draft, type Ref } from './draft.ts';
import { LitecoinSide, PAYER_SCRIPT } from './litecoin.ts';
import { type Offered, Sequence } from './sequence.ts';
import { BLOCK_TIME, SimulatedSide } from './simulated.ts';

/** What both chains hold of one block. */
type Mined = {
  readonly hash: string;
  readonly time: number;
  /** By sequence, the drafts in the order of the block. */
  readonly drafts: ReadonlyMap<Sequence, readonly number[]>;
};

export type Plan = { readonly turns: readonly Turn[]; readonly sequences: readonly (readonly Action[])[] };

/** Blocks before the sequences begin, whose times give the clock on both chains. */
const CLOCK_BLOCKS = 11;
const MOST_STEPS = 60;
/** Of every simulated chain. */
const START_HEIGHT = 1000;

/** Litecoin ships with replacement switched off, and its test chain without the rules of relay. */
export const NODE_OPTIONS = ['-mempoolreplacement=1', '-acceptnonstdtxn=0', '-persistmempool=0'];

export type World = { now: number; readonly node: Litecoind; readonly coins: OutPoint[] };

/** Runs sequences side by side: each on a simulated chain of its own, all on one node, whose blocks they share. */
export class Batch {
  readonly sequences: readonly Sequence[];
  readonly #world: World;
  readonly #blocks: Mined[] = [];
  #base = 0;
  #away: { readonly hash: string; readonly fork: number; readonly old: readonly Mined[] } | null = null;

  private constructor(world: World, sequences: readonly Sequence[]) {
    this.#world = world;
    this.sequences = sequences;
  }

  static async begin(world: World, plan: Plan): Promise<Batch> {
    const { node } = world;
    const outputs = plan.sequences.flatMap(() =>
      Array.from({ length: COINS }, () => ({ value: COIN, script: PAYER_SCRIPT })),
    );
    // A draft of funding for each sequence, so that each sees its coins at the same places.
    const spent = plan.sequences.map((_, place) => place);
    const coin = world.coins.shift();
    if (coin === undefined) throw new Error('the owner has too few coins');
    const split = ownersSpend(
      [coin],
      spent.map(() => ({ value: COIN * BigInt(COINS) + 10_000n, script: OWNER_SCRIPT })),
    );
    const splitId = transactionIdOf(split);
    const raws = spent.map((place) =>
      ownersSpend([{ txid: splitId, vout: place }], outputs.slice(place * COINS, (place + 1) * COINS)),
    );
    await sent(node, [bytesToHex(split)]);
    await node.call('generatetoaddress', 1, OWNER_ADDRESS);
    await sent(node, raws.map(bytesToHex));
    for (let count = 0; count < CLOCK_BLOCKS; count++) {
      world.now += BLOCK_TIME;
      await node.call('setmocktime', world.now);
      await node.call('generatetoaddress', 1, OWNER_ADDRESS);
    }
    const sequences = raws.map((raw, place) => {
      const funding = { hex: bytesToHex(raw), id: transactionIdOf(raw) };
      const sides = { sim: new SimulatedSide(() => world.now), node: new LitecoinSide(funding) };
      return new Sequence(sides, plan.sequences[place] ?? []);
    });
    const batch = new Batch(world, sequences);
    const info = (await node.call('getblockchaininfo')) as { blocks: number; mediantime: number };
    batch.#base = info.blocks;
    for (const { sim, node: side } of sequences) {
      sim.look();
      side.book.places[0] = sim.book.places[0] as number;
      side.book.tip = sim.book.tip;
      if (sim.chain.clock() !== info.mediantime) throw new Error('the clocks differ at the start');
    }
    return batch;
  }

  /** One round: an action of each sequence with all that it offers, then what happens to the chain, then a look. */
  async round(turn: Turn): Promise<void> {
    for (const sequence of this.sequences) sequence.begin();
    for (let step = 0; step < MOST_STEPS; step++) {
      const offers = this.sequences.flatMap((sequence) => {
        const offered = sequence.next();
        return offered === null ? [] : [{ sequence, offered }];
      });
      if (offers.length === 0) break;
      const answers = await this.#world.node.batch(
        offers.map(({ offered }) => ['sendrawtransaction', offered.hex, 0] as Call),
      );
      for (const [place, { sequence, offered }] of offers.entries()) {
        sequence.compare(offered, answers[place] as Answer);
      }
    }
    await this.#take(turn);
    await this.#look();
  }

  async #take(turn: Turn): Promise<void> {
    const { node } = this.#world;
    await this.#place();
    if (turn.turn === 'mine') await this.#mineAll(turn.blocks);
    if (turn.turn === 'forget') {
      // Blocks from the future would stop it.
      await node.restart([...NODE_OPTIONS, `-mocktime=${this.#world.now}`]);
      for (const { sim, node: side } of this.sequences) {
        sim.chain.expire(unixSecondsOf(Number.MAX_SAFE_INTEGER));
        for (const [tx, place] of side.book.places.entries()) if (place === 0) side.book.places[tx] = null;
      }
    }
    if (turn.turn === 'away') await this.#goAway(turn.depth, turn.blocks);
    if (turn.turn === 'back') await this.#comeBack();
  }

  async #mineAll(plans: readonly BlockPlan[]): Promise<void> {
    for (const plan of plans) await this.#mine(plan);
    // Behind a longer branch nothing comes back.
    if (this.#away !== null && this.#blocks.length >= this.#away.fork + this.#away.old.length) this.#away = null;
  }

  async #mine({ include, salt, wait, extra }: BlockPlan): Promise<void> {
    const { node } = this.#world;
    this.#world.now += wait;
    await node.call('setmocktime', this.#world.now);
    const extras = new Map<Sequence, readonly Offered[]>();
    if (extra) {
      for (const [place, sequence] of this.sequences.entries()) {
        const offered = (place + salt) % 3 === 0 ? extraOf(sequence, salt) : null;
        if (offered !== null) extras.set(sequence, [offered]);
      }
    }
    const flagged = (place: number, tx: number) =>
      include === 'all' || (include === 'some' && ((place * 31 + tx * 17 + salt) * 2_654_435_761) % 5 < 3);
    const chosen = new Map<Sequence, readonly number[]>();
    const ids: string[] = [];
    for (const [place, sequence] of this.sequences.entries()) {
      const own = (extras.get(sequence) ?? []).map(({ tx }) => tx);
      const { book } = sequence.node;
      const gone = new Set([...book.withDescendants(own.flatMap((tx) => book.rivals(tx)))]);
      const picked: number[] = [];
      for (const tx of ordered(sequence)) {
        const draft = book.drafts[tx] as Draft;
        const isWhole = draft.inputs.every(({ from }) => {
          return (book.standing(from.tx) ?? 0) > 0 || picked.includes(from.tx);
        });
        if (flagged(place, tx) && isWhole && !gone.has(tx) && sequence.isMineable(tx)) picked.push(tx);
      }
      chosen.set(sequence, [...own, ...picked]);
      ids.push(...(extras.get(sequence) ?? []).map(({ hex }) => hex), ...picked.map((tx) => sequence.node.txid(tx)));
    }
    const { hash } = (await node.call('generateblock', OWNER_ADDRESS, ids)) as { hash: string };
    const { time } = (await node.call('getblockheader', hash)) as { time: number };
    this.#blocks.push({ hash, time, drafts: chosen });
    for (const [place, sequence] of this.sequences.entries()) {
      if (sequence.apart) continue;
      const own = (extras.get(sequence) ?? []).map(({ tx }) => sequence.sim.built[tx]?.hex as string);
      const flags = new Set<string>();
      for (const tx of sequence.sim.book.drafts.keys()) if (flagged(place, tx)) flags.add(sequence.sim.txid(tx));
      sequence.mine({ include: (id) => flags.has(id), extra: own }, time);
      for (const { tx } of extras.get(sequence) ?? []) sequence.sim.book.ever.add(tx);
    }
    await this.#place();
  }

  async #goAway(depth: number, plans: readonly BlockPlan[]): Promise<void> {
    const { node } = this.#world;
    const fork = this.#blocks.length - depth;
    if (fork < 0) return;
    const old = this.#blocks.splice(fork);
    const hash = (old[0] as Mined).hash;
    await node.call('invalidateblock', hash);
    this.#away = this.#away === null || this.#away.fork > fork ? { hash, fork, old } : this.#away;
    if (this.#away.hash !== hash) this.#away = { hash, fork, old };
    for (const sequence of this.sequences) {
      sequence.hasReturned = true;
      if (!sequence.apart) sequence.sim.chain.reorg({ depth, blocks: [] });
    }
    await this.#place();
    await this.#mineAll(plans);
  }

  async #comeBack(): Promise<void> {
    const away = this.#away;
    if (away === null || this.#blocks.length >= away.fork + away.old.length) return;
    const { node } = this.#world;
    await node.call('reconsiderblock', away.hash);
    const left = this.#blocks.length - away.fork;
    this.#blocks.splice(away.fork);
    this.#blocks.push(...away.old);
    this.#away = null;
    for (const sequence of this.sequences) {
      if (sequence.apart) continue;
      const { chain } = sequence.sim;
      const blocks = away.old.map(({ time, drafts }): MineOptions => {
        const extra = (drafts.get(sequence) ?? []).map((tx) => sequence.sim.built[tx]?.hex as string);
        return { time: unixSecondsOf(time), include: 'none', extra };
      });
      if (left > 0) chain.reorg({ depth: left, blocks });
      else for (const block of blocks) chain.mine(block);
    }
    await this.#place();
  }

  /** Puts into the books what the node holds. */
  async #place(): Promise<void> {
    const waiting = new Set((await this.#world.node.call('getrawmempool')) as string[]);
    for (const sequence of this.sequences) {
      const { book } = sequence.node;
      book.tip = START_HEIGHT + this.#blocks.length;
      for (const tx of book.drafts.keys()) {
        if (tx === 0) continue;
        const id = sequence.node.txid(tx);
        const place = this.#blocks.findIndex(({ drafts }) => drafts.get(sequence)?.includes(tx) === true);
        book.places[tx] = place >= 0 ? START_HEIGHT + place + 1 : waiting.has(id) ? 0 : null;
      }
      if (!sequence.apart) sequence.sim.look();
    }
  }

  async #look(): Promise<void> {
    const { node } = this.#world;
    await this.#place();
    const info = (await node.call('getblockchaininfo')) as {
      blocks: number;
      bestblockhash: string;
      mediantime: number;
    };
    const last = this.#blocks.at(-1)?.hash;
    if (info.blocks !== this.#base + this.#blocks.length || (last !== undefined && info.bestblockhash !== last)) {
      throw new Error(`the node is at ${info.blocks}, not at ${this.#base + this.#blocks.length}`);
    }
    for (const sequence of this.sequences) sequence.look(info.mediantime);
  }

  /** Leaves nothing in the mempool for whoever comes next. */
  async end(): Promise<void> {
    await this.#world.node.call('generatetoaddress', 1, OWNER_ADDRESS);
  }
}

/** Waiting drafts, parents first. A draft that came back may wait behind its children by number, never by dependence. */
function ordered({ node: { book } }: Sequence): readonly number[] {
  return [...book.drafts.keys()].filter((tx) => book.standing(tx) === 0);
}

/** Something that nobody relayed: it takes a coin of the chain, whatever takes it in the mempool. */
function extraOf(sequence: Sequence, salt: number): Offered | null {
  if (sequence.apart) return null;
  const { book } = sequence.sim;
  const free: Ref[] = [];
  for (const [tx, draft] of book.drafts.entries()) {
    if ((book.standing(tx) ?? 0) === 0) continue;
    for (const [vout, output] of draft.outputs.entries()) {
      const taker = book.takerOf({ tx, vout }, tx);
      if (output.kind === 'key' && (taker === undefined || book.standing(taker) === 0)) free.push({ tx, vout });
    }
  }
  const from = free[salt % Math.max(1, free.length)];
  if (from === undefined) return null;
  const fee = salt % 2 === 0 ? 'none' : 'least';
  const draft: Draft = {
    inputs: [{ from, unlock: 'key', sequence: 'final' }],
    outputs: [{ kind: 'key', value: 'rest' }],
    lockTime: 0,
    fee,
  };
  const tx = sequence.prepare(draft);
  return tx === null || tx !== sequence.sim.book.drafts.length - 1
    ? null
    : { tx, hex: sequence.node.built[tx]?.hex as string };
}

async function sent(node: Litecoind, raws: readonly string[]): Promise<void> {
  const answers = await node.batch(raws.map((raw) => ['sendrawtransaction', raw, 0] as Call));
  for (const answer of answers) if ('error' in answer) throw new Error(`not funded: ${answer.error.message}`);
}
