import { unixSecondsOf } from '../../../src/primitives/time.ts';
import { type Action, offerOf } from './actions.ts';
import type { Answer, AnvilSide } from './anvil.ts';
import { DIFFERENCES } from './differences.ts';
import { Book, type Draft, type Kept, NOWHERE, type Place, ROLES, type Role } from './draft.ts';
import type { SimulatedSide } from './simulated.ts';

/** A verdict or a look that differs. */
export type Finding = { readonly what: string; readonly here: string; readonly there: string; readonly facts: string };

/** What the node holds of a sequence at one moment. */
export type Held = {
  readonly places: readonly Place[];
  readonly clock: number;
  /** Of each payment that was agreed. */
  readonly kept: readonly Kept[];
  /** Of each account, base units without the fees that it has paid. */
  readonly worth: Readonly<Record<Role, bigint>>;
};

/** The same sequence of actions on both chains, by one book: what they hold is the same, or all after it says nothing. */
export class Sequence {
  readonly book = new Book();
  readonly sim: SimulatedSide;
  readonly node: AnvilSide;
  readonly findings: Finding[] = [];
  readonly verdicts = new Map<string, number>();
  /** The chains differ: all after it says nothing. */
  apart = false;
  readonly #actions: Action[];
  /** What the simulated chain has ever taken. */
  readonly #ever = new Set<number>();
  /** Of each draft, its place in its block. */
  readonly #turns = new Map<number, number>();

  constructor(sides: { readonly sim: SimulatedSide; readonly node: AnvilSide }, actions: readonly Action[]) {
    this.sim = sides.sim;
    this.node = sides.node;
    this.#actions = [...actions];
  }

  /** The number of what is offered next; null where nothing is. */
  async next(): Promise<number | null> {
    const action = this.apart ? undefined : this.#actions.shift();
    if (action === undefined) return null;
    const { book, sim, node } = this;
    const offer = offerOf(action, { book, clock: sim.chain.clock() });
    if (offer === null || typeof offer === 'number') return offer;
    const twin = book.drafts.findIndex((draft) => same(draft, offer));
    if (twin >= 0) return twin;
    book.drafts.push(offer);
    book.places.push(NOWHERE);
    sim.build(offer, book);
    await node.build(offer, book);
    return book.drafts.length - 1;
  }

  /** Holds both answers against one another. True where the node has to be given again what waits here. */
  compare(tx: number, answer: Answer): boolean {
    const { book, sim, node } = this;
    const met = { tx, book };
    const facts = this.#factsOf(tx);
    const there = node.verdictOf(tx, { answer, book });
    const here = sim.submit(tx);
    const difference = here === there ? undefined : DIFFERENCES.find(({ applies }) => applies(here, there, met));
    const name = difference?.name ?? (here === there ? here : `${here} / ${there}`);
    this.verdicts.set(name, (this.verdicts.get(name) ?? 0) + 1);
    if (here !== there && difference === undefined) {
      const said = 'error' in answer ? answer.error.message : '';
      this.#found({ what: `what is said to ${tx}`, here, there: `${there} ${said}`, facts });
      return false;
    }
    let isBeside = false;
    if (here === 'sent' || here === 'nonceGap') {
      const { by, nonce } = book.drafts[tx] as Draft;
      const rival = book.rival(by, nonce);
      // Behind a gap anvil keeps both, and the one or the other comes when it closes.
      isBeside = here === 'nonceGap' && rival !== undefined;
      book.order = [...book.order.filter((other) => other !== rival), tx];
      this.#ever.add(tx);
    }
    sim.look(book);
    return isBeside || (difference !== undefined && (there === 'sent' || there === 'nonceGap'));
  }

  /** A block at this time; whose transaction comes before another account's is the miner's choice, and is the node's in `order`. */
  mine(at: number, order: readonly string[]): void {
    const own = new Map(this.node.built.map(({ id }, tx) => [id, this.sim.built[tx]?.hex ?? '']));
    const extra = order.flatMap((id) => own.get(id) ?? []);
    const { transactions } = this.sim.chain.mine({ time: unixSecondsOf(at), extra });
    this.sim.look(this.book);
    const places = new Map(transactions.map((id, place) => [id, place]));
    for (const [tx, { id }] of this.sim.built.entries())
      this.#turns.set(tx, places.get(id) ?? this.#turns.get(tx) ?? 0);
    this.book.order = this.book.order.filter((tx) => this.book.standing(tx) === 0);
  }

  away({ depth, returns }: { readonly depth: number; readonly returns: boolean }): void {
    const { book, sim } = this;
    const held = (place: Place) => place.at !== null && place.at > book.tip - depth;
    const taken = [...book.drafts.keys()].filter((tx) => held(book.places[tx] ?? NOWHERE));
    const inTurn = this.#inBlocks(taken);
    sim.chain.reorg({ depth, drop: returns ? [] : 'all', blocks: [] });
    sim.look(book);
    book.order = [...(returns ? inTurn : []), ...book.order];
  }

  forget(): void {
    this.sim.chain.expire(unixSecondsOf(Number.MAX_SAFE_INTEGER));
    this.sim.look(this.book);
    this.book.order = [];
  }

  /** Holds all that can be seen on both chains against one another. */
  look({ places, clock, kept, worth }: Held): void {
    if (this.apart) return;
    const { book, sim } = this;
    const differ = (what: string, here: unknown, there: unknown, facts = '') => {
      if (String(here) !== String(there)) this.#found({ what, here: String(here), there: String(there), facts });
    };
    differ('the clock', sim.chain.clock(), clock);
    for (const tx of book.drafts.keys()) {
      const { at, failed } = book.places[tx] ?? NOWHERE;
      const there = places[tx] ?? NOWHERE;
      const facts = this.#factsOf(tx);
      differ(`where ${tx} stands`, `${at} ${failed}`, `${there.at} ${there.failed}`, facts);
      // A wallet knows of one that its chain never took as little as of one that nobody made.
      const taker = at === null && this.#ever.has(tx) ? book.takerOf(tx) : undefined;
      differ(`what made ${tx} impossible`, sim.conflicted(tx), taker === undefined ? 0 : book.standing(taker), facts);
    }
    for (const agreed of book.agreed.keys()) {
      if (book.agreed[agreed]?.to === 'nobody') continue;
      const facts = JSON.stringify(book.agreed[agreed], (_, value) => (typeof value === 'bigint' ? `${value}` : value));
      differ(`what the contract keeps of payment ${agreed}`, sim.kept(agreed, book), kept[agreed], facts);
      differ(`what the blocks say of payment ${agreed}`, book.kept(agreed), kept[agreed], facts);
    }
    for (const role of ROLES) differ(`what the ${role} has`, sim.worth(role), worth[role]);
    const imbalance = sim.chain.ledger.imbalance();
    if (imbalance !== null) differ('the sum of all coins', imbalance, null);
  }

  /** In the order in which a block held them. */
  #inBlocks(taken: readonly number[]): readonly number[] {
    const { book } = this;
    return [...taken].sort((one, other) => {
      const [a, b] = [book.places[one]?.at ?? 0, book.places[other]?.at ?? 0];
      return a === b ? (this.#turns.get(one) ?? 0) - (this.#turns.get(other) ?? 0) : a - b;
    });
  }

  #factsOf(tx: number): string {
    const { book } = this;
    const { by, nonce, price, gas, value, call } = book.drafts[tx] as Draft;
    const text = JSON.stringify(call, (_, given) => (typeof given === 'bigint' ? `${given}` : given));
    const rival = book.rival(by, nonce);
    return `${tx} by ${by} nonce ${nonce} (used ${book.used(by)}, free ${book.free(by)}) price ${price} gas ${gas} value ${value} ${text} rival ${rival} at ${rival === undefined ? '-' : book.drafts[rival]?.price} clock ${this.sim.chain.clock()}`;
  }

  #found(finding: Finding): void {
    this.apart = true;
    this.findings.push(finding);
  }
}

function same(one: Draft, other: Draft): boolean {
  const text = (draft: Draft) => JSON.stringify(draft, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  return text(one) === text(other);
}
