import { unixSecondsOf } from '../../../src/primitives/time.ts';
import type { MineOptions } from '../../../src/sim/chains/types.ts';
import type { Answer } from '../../support/litecoind.ts';
import type { Difference } from '../law-frame.ts';
import { type Action, offersOf } from './actions.ts';
import { DIFFERENCES, isOfCrowd, type Met } from './differences.ts';
import type { Draft, Verdict } from './draft.ts';
import type { LitecoinSide } from './litecoin.ts';
import type { SimulatedSide } from './simulated.ts';

/** What is offered to both chains in one step. */
export type Offered = { readonly tx: number; readonly hex: string };

export type Told = { readonly here: Verdict; readonly there: Verdict };

/** A verdict or a look that differs. */
export type Finding = { readonly what: string; readonly here: string; readonly there: string; readonly facts: string };

const ACTIONS_A_ROUND = 3;

/** The same sequence of actions on both chains. */
export class Sequence {
  readonly sim: SimulatedSide;
  readonly node: LitecoinSide;
  readonly findings: Finding[] = [];
  readonly verdicts = new Map<string, number>();
  /** Drafts that one chain has and the other has not: all after the first difference says nothing. */
  apart = false;
  /** Whether a reorganisation has returned anything yet. */
  hasReturned = false;
  readonly #queue: (Draft | number)[] = [];
  #left = 0;
  readonly #actions: Action[];

  constructor(sides: { readonly sim: SimulatedSide; readonly node: LitecoinSide }, actions: readonly Action[]) {
    this.sim = sides.sim;
    this.node = sides.node;
    this.#actions = [...actions];
  }

  /** A round begins. */
  begin(): void {
    this.#left = ACTIONS_A_ROUND;
  }

  /** What is to be offered next; null where nothing is. */
  next(): Offered | null {
    while (!this.apart) {
      if (this.#queue.length === 0) {
        const action = this.#left-- > 0 ? this.#actions.shift() : undefined;
        if (action === undefined) return null;
        this.#queue.push(...offersOf(action, { book: this.sim.book, clock: this.sim.chain.clock() }));
        continue;
      }
      const tx = this.prepare(this.#queue.shift() as Draft | number);
      if (tx !== null) return { tx, hex: this.node.built[tx]?.hex as string };
    }
    return null;
  }

  /** Makes a draft on both sides; null where one of them has no value left for it. */
  prepare(offer: Draft | number): number | null {
    if (typeof offer === 'number') return (this.sim.built[offer] ?? null) === null ? null : offer;
    const { sim, node } = this;
    const tx = sim.book.drafts.length;
    const draft = offer.lockTime === 0 ? { ...offer, lockTime: tx } : offer;
    sim.book.drafts.push(draft);
    node.book.drafts.push(draft);
    const here = sim.build(draft);
    const there = node.build(draft);
    const same = here === null ? -1 : sim.built.findIndex((other) => other?.id === here.id);
    if (here !== null && there !== null && same === tx) return tx;
    sim.built[tx] = null;
    node.built[tx] = null;
    sim.book.drafts[tx] = NOTHING;
    node.book.drafts[tx] = NOTHING;
    const isTwin = same > 0 && same < tx && node.built[same]?.id === there?.id;
    return isTwin ? same : null;
  }

  /** Holds both answers against one another. */
  compare({ tx }: Offered, answer: Answer): void {
    const { sim, node } = this;
    const rivals = node.book.rivals(tx);
    const signals = rivals.every((rival) => this.#signals(rival));
    const met = { tx, book: node.book, clock: sim.chain.clock(), signals };
    const there = node.verdictOf(tx, answer);
    const here = sim.submit(tx, { signals });
    const difference = here === there ? undefined : DIFFERENCES.find((known) => known.applies(here, there, met));
    this.#count(here, there, difference);
    if (here === 'sent') sim.book.enter(tx);
    if (there === 'sent') node.book.enter(tx);
    if (here === there) return;
    // From here on the two hold different transactions.
    if ((here === 'sent') !== (there === 'sent')) this.apart = true;
    if (difference !== undefined) return;
    const words = 'error' in answer ? answer.error.message : 'taken';
    this.#found({ what: 'verdict', here, there, facts: `${words} | ${this.#factsOf(tx)}` });
  }

  /** Whether a miner takes it for its fee: what a block held may wait again without any. */
  isMineable(tx: number): boolean {
    const built = this.node.built[tx];
    return built !== null && built !== undefined && built.fee >= BigInt(built.size);
  }

  /** A block on the simulated chain, as the node has mined one. */
  mine(options: Pick<MineOptions, 'include' | 'extra'>, time: number): void {
    try {
      this.sim.chain.mine({ ...options, time: unixSecondsOf(time) });
    } catch (error) {
      this.#found({ what: 'block', here: String(error), there: 'mined', facts: '' });
      this.apart = true;
    }
  }

  /** Holds where everything stands against one another. */
  look(clock: number): void {
    const { sim, node } = this;
    sim.look();
    for (const [tx, draft] of sim.book.drafts.entries()) {
      if (this.apart) return;
      const here = sim.book.standing(tx);
      const there = node.book.standing(tx);
      if (here !== there) {
        this.apart = true;
        if (this.hasReturned && isOfCrowd(tx, sim.book)) {
          this.verdicts.set('crowd', (this.verdicts.get('crowd') ?? 0) + 1);
          return;
        }
        this.#found({ what: 'standing', here: String(here), there: String(there), facts: this.#factsOf(tx) });
        return;
      }
      if (!sim.book.ever.has(tx)) continue;
      if (here === null) {
        const depths = [sim.conflicted(tx), node.book.conflictDepth(tx)] as const;
        if (depths[0] !== depths[1]) {
          this.#found({
            what: 'conflict',
            here: String(depths[0]),
            there: String(depths[1]),
            facts: this.#factsOf(tx),
          });
        }
      } else if (draft.outputs[0]?.kind === 'htlc') this.#lookAtPayment(tx, clock);
    }
  }

  #lookAtPayment(tx: number, clock: number): void {
    const { book } = this.node;
    const taker = book.takerOf({ tx, vout: 0 }, tx);
    const unlock = book.drafts[taker ?? -1]?.inputs.find(({ from }) => from.tx === tx && from.vout === 0)?.unlock;
    const output = book.drafts[tx]?.outputs[0];
    const there = {
      funding: book.standing(tx),
      spend:
        taker === undefined ? null : { how: unlock === 'secret' ? 'secret' : 'refund', standing: book.standing(taker) },
      refundable: output?.kind === 'htlc' && clock > output.lock,
      clock,
    };
    const here = this.sim.payment(tx);
    if (JSON.stringify(here) === JSON.stringify(there)) return;
    this.#found({
      what: 'payment',
      here: JSON.stringify(here),
      there: JSON.stringify(there),
      facts: this.#factsOf(tx),
    });
  }

  /**
   * Whether what waits says by itself that it may be replaced. BIP 125 lets it inherit that from what it depends on; no node of this
   * family ever did so.
   */
  #signals(tx: number): boolean {
    return this.node.book.drafts[tx]?.inputs.some(({ sequence }) => sequence === 'replaceable') === true;
  }

  #factsOf(tx: number): string {
    const { book } = this.node;
    const draft = book.drafts[tx];
    const inputs = draft?.inputs.map(({ from, unlock, sequence }) => {
      return `${from.tx}:${from.vout} ${unlock} ${sequence} [${book.standing(from.tx)}]`;
    });
    const rivals = book.rivals(tx).map((rival) => `${rival}${this.#signals(rival) ? '' : '!'}`);
    const outputs = draft?.outputs.map(({ kind, value }) => `${kind} ${value}`);
    return `${tx} <- ${inputs?.join(', ')} -> ${outputs?.join(', ')} lock ${draft?.lockTime} fee ${draft?.fee} rivals ${rivals} clock ${this.sim.chain.clock()}`;
  }

  #found(finding: Finding): void {
    this.findings.push(finding);
  }

  #count(here: Verdict, there: Verdict, difference: Difference<Verdict, Met> | undefined): void {
    const name = difference?.name ?? (here === there ? here : `${here} / ${there}`);
    this.verdicts.set(name, (this.verdicts.get(name) ?? 0) + 1);
  }
}

/** In the place of a draft that came to nothing. */
const NOTHING: Draft = { inputs: [], outputs: [], lockTime: 0, fee: 'none' };
