import type { Action, BlockPlan, Turn } from './actions.ts';
import { type Answer, AnvilSide, type Call, type LawNode } from './anvil.ts';
import { type Kept, NOWHERE, type Place, ROLES } from './draft.ts';
import { Sequence } from './sequence.ts';
import { SimulatedSide } from './simulated.ts';

export type Plan = { readonly turns: readonly Turn[]; readonly sequences: readonly (readonly Action[])[] };

/** `now` in seconds since 1970. */
export type World = { now: number; readonly node: LawNode; batches: number };

type Receipt = {
  readonly transactionHash: string;
  readonly status: string;
  readonly from: string;
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
};
/** A block of the run as the node tells it. */
type Told = { readonly number: number; readonly time: number; readonly receipts: ReadonlyMap<string, Receipt> };

const ACTIONS_A_ROUND = 3;
const START_HEIGHT = 1000;

/** Runs sequences side by side: each on a simulated chain of its own, all on one node, whose blocks they share. */
export class Batch {
  readonly sequences: readonly Sequence[];
  readonly #world: World;
  readonly #blocks: Told[] = [];
  /** The node's height when the simulated chains are at theirs, and its last block's time. */
  #base = 0;
  #begun = 0;

  private constructor(world: World, sequences: readonly Sequence[]) {
    this.#world = world;
    this.sequences = sequences;
  }

  static async begin(world: World, { sequences }: Plan): Promise<Batch> {
    world.batches += 1;
    world.now += 100;
    const { node } = world;
    const made = sequences.map((actions, place) => {
      const name = `batch ${world.batches}, sequence ${place}`;
      return new Sequence({ sim: new SimulatedSide(name, () => world.now), node: new AnvilSide(name, node) }, actions);
    });
    for (const answer of await node.batch(made.flatMap((sequence) => sequence.node.funding())))
      if ('error' in answer) throw new Error(answer.error.message);
    const batch = new Batch(world, made);
    await node.mine(world.now);
    batch.#begun = world.now;
    batch.#base = Number(await node.call('eth_blockNumber'));
    for (const sequence of made) sequence.sim.look(sequence.book);
    return batch;
  }

  /** One round: some actions of each sequence, then what happens to the chain, then a look. */
  async round(turn: Turn): Promise<void> {
    for (let step = 0; step < ACTIONS_A_ROUND; step += 1) await this.#step();
    const { node } = this.#world;
    if (turn.turn === 'mine') for (const plan of turn.blocks) await this.#mine(plan);
    if (turn.turn === 'forget') {
      await node.call('anvil_dropAllTransactions');
      for (const sequence of this.#together()) sequence.forget();
    }
    if (turn.turn === 'away' && turn.depth <= this.#blocks.length) {
      this.#blocks.length -= turn.depth;
      // The node gives nothing back by itself, and takes what waits for another moment of the chain.
      await node.call('anvil_dropAllTransactions');
      await node.call('anvil_rollback', turn.depth);
      for (const sequence of this.#together()) sequence.away(turn);
      await this.#giveAgain(this.#together());
      for (const plan of turn.blocks) await this.#mine(plan);
    }
    await this.#look();
  }

  #together(): readonly Sequence[] {
    return this.sequences.filter(({ apart }) => !apart);
  }

  async #step(): Promise<void> {
    const offers: { readonly sequence: Sequence; readonly tx: number }[] = [];
    for (const sequence of this.sequences) {
      const tx = await sequence.next();
      if (tx !== null) offers.push({ sequence, tx });
    }
    const answers = await this.#world.node.batch(
      offers.map(({ sequence, tx }): Call => ['eth_sendRawTransaction', sequence.node.built[tx]?.hex]),
    );
    const differing = offers.filter(({ sequence, tx }, place) => sequence.compare(tx, answers[place] as Answer));
    if (differing.length === 0) return;
    // The node has taken what is not taken here.
    await this.#world.node.call('anvil_dropAllTransactions');
    await this.#giveAgain(this.#together());
  }

  /** Gives the node what waits on the simulated chain, in its order. */
  async #giveAgain(sequences: readonly Sequence[]): Promise<void> {
    const all = sequences.flatMap(({ book, node }) => book.order.map((tx) => node.built[tx]?.hex));
    const answers = await this.#world.node.batch(all.map((hex): Call => ['eth_sendRawTransaction', hex]));
    for (const answer of answers) if ('error' in answer) throw new Error(`not given again: ${answer.error.message}`);
  }

  async #mine({ wait, ahead }: BlockPlan): Promise<void> {
    const { node } = this.#world;
    this.#world.now += wait;
    const before = this.#blocks.at(-1)?.time ?? 0;
    const at = Math.max(this.#world.now + ahead, before + 1);
    // The bound of the simulated chain, two hours ahead of the world, is passed by letting the world come after.
    this.#world.now = Math.max(this.#world.now, at - 7200);
    await node.mine(at);
    const number = this.#base + this.#blocks.length + 1;
    const block = (await node.call('eth_getBlockByNumber', `0x${number.toString(16)}`, false)) as {
      readonly timestamp: string;
    };
    const receipts = (await node.call('eth_getBlockReceipts', `0x${number.toString(16)}`)) as readonly Receipt[];
    this.#blocks.push({
      number,
      time: Number(block.timestamp),
      receipts: new Map(receipts.map((receipt) => [receipt.transactionHash, receipt])),
    });
    const order = receipts.map(({ transactionHash }) => transactionHash);
    for (const sequence of this.#together()) sequence.mine(at, order);
  }

  async #look(): Promise<void> {
    const { node } = this.#world;
    const height = Number(await node.call('eth_blockNumber'));
    if (height !== this.#base + this.#blocks.length) throw new Error(`the node is at ${height}`);
    const waiting = new Set<string>();
    const pool = (await node.call('txpool_content')) as Readonly<Record<'pending' | 'queued', Pool>>;
    for (const part of [pool.pending, pool.queued])
      for (const all of Object.values(part)) for (const { hash } of Object.values(all)) waiting.add(hash);
    const together = this.#together();
    const kept = await node.batch(
      together.flatMap(({ node: side, book }) => [...book.agreed.keys()].map((agreed) => side.asks(agreed, book))),
    );
    const balances = await node.batch(
      together.flatMap(({ node: side }) =>
        ROLES.map((role): Call => ['eth_getBalance', side.accounts[role].address, 'latest']),
      ),
    );
    const fees = this.#fees();
    for (const sequence of together) {
      const { book, node: side } = sequence;
      const own = kept.splice(0, book.agreed.length).map(stateOf);
      const had = balances.splice(0, ROLES.length).map(numberOf);
      const worth = (place: number) => {
        const role = ROLES[place] ?? 'sender';
        return (had[place] ?? 0n) + (fees.get(side.accounts[role].address.toLowerCase()) ?? 0n);
      };
      sequence.look({
        places: side.built.map(({ id }) => this.#placeOf(id, waiting)),
        clock: this.#blocks.at(-1)?.time ?? this.#begun,
        kept: own,
        worth: { sender: worth(0), receiver: worth(1), stranger: worth(2) },
      });
    }
  }

  #placeOf(id: string, waiting: ReadonlySet<string>): Place {
    for (const { number, receipts } of this.#blocks) {
      const receipt = receipts.get(id);
      if (receipt !== undefined) return { at: number - this.#base + START_HEIGHT, failed: receipt.status !== '0x1' };
    }
    return waiting.has(id) ? { at: 0, failed: false } : NOWHERE;
  }

  #fees(): ReadonlyMap<string, bigint> {
    const fees = new Map<string, bigint>();
    for (const { receipts } of this.#blocks) {
      for (const { from, gasUsed, effectiveGasPrice } of receipts.values())
        fees.set(from, (fees.get(from) ?? 0n) + BigInt(gasUsed) * BigInt(effectiveGasPrice));
    }
    return fees;
  }

  /** Leaves nothing for whoever comes next. */
  async end(): Promise<void> {
    await this.#world.node.call('anvil_dropAllTransactions');
    this.#world.now = Math.max(this.#world.now, this.#world.node.now);
  }
}

type Pool = Readonly<Record<string, Readonly<Record<string, { readonly hash: string }>>>>;

function stateOf(answer: Answer): Kept {
  return Number(BigInt(`0x${String((answer as { readonly result: unknown }).result).slice(-64)}`)) as Kept;
}

function numberOf(answer: Answer): bigint {
  return BigInt(String((answer as { readonly result: unknown }).result));
}
