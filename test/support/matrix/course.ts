import type { SwapMessageKind } from '../../../src/ports/peers.ts';
import type { Leg, ToldBlock, ToldTransaction } from './chain.ts';
import { endOf, fateOf, type Record as Judged } from './judge.ts';
import type { LegLedger } from './ledger.ts';
import type { Party, PlacedChains } from './party.ts';
import type { Deed, Fate, Scenario, Stage } from './scenario.ts';
import { LEGS, type Side } from './sides.ts';
import type { MatrixWorld } from './world.ts';

type Keys = Readonly<Record<Leg, Uint8Array>>;

export type CourseOptions = {
  readonly world: MatrixWorld;
  readonly chains: PlacedChains;
  readonly parties: ReadonlyMap<Side, Party>;
  readonly scenario: Scenario;
  /** Heights above which the run is. */
  readonly heights: Readonly<Record<Leg, number>>;
  /** Kinds of messages that somebody has sent. */
  readonly said: Set<SwapMessageKind>;
  /** Whether somebody may die by a kill, and is then started again. */
  readonly kills: boolean;
  /** Told right before the first thing of the scenario is done. */
  readonly onTurn: () => void;
};

/** Whether something happens between two messages. */
export function isEarly({ steps: [first] }: Scenario): boolean {
  return first !== undefined && ['asked', 'replied', 'feeSeen'].includes(first.at);
}

/** Seconds for which somebody who was killed is away. */
const DOWN = 15;
/** Minutes that follow on the end where somebody is killed: nothing may come after it. */
const AFTERMATH = 4;
const SHORT_STEP = 5;
const EARLY = 300;
/** Half a minute; in the long wait for a lock, where nothing is close to anything, a whole one, and three of them between processes. */
const STEP = 30;
const LONG_WAIT = 45 * 60;
/** After a run that is over it goes on until its last spend is this deep. */
const SETTLED = 4;
const USUAL_MINUTES = 420;

type LegState = {
  readonly height: number;
  /** What is above it belongs to the run. */
  from: number;
  blocks: ToldBlock[];
  /** In seconds: when the next block is due, and how far its time is off; null where it stands still at a time. */
  due: number;
  ahead: number;
  standsAt: number | null;
  least: number | null;
  /** What its node relays at least; null for what it has by itself. */
  relays: number | null;
  waiting: readonly ToldTransaction[];
};

/** The way of one run: time, blocks, faults, and what the chains show. */
export class Course {
  readonly #options: CourseOptions;
  readonly #legs: Readonly<Record<Leg, LegState>>;
  readonly #later: { readonly at: number; readonly undo: () => void | Promise<void> }[] = [];
  /** In seconds. */
  #left = 0;
  #killedAt: number | null = null;
  #passed = 0;
  #keys: Keys | null = null;
  readonly #had = { maker: { maker: 0n, taker: 0n }, taker: { maker: 0n, taker: 0n } };
  #takerPayment: number | null = null;
  #makersClaim: number | null = null;

  constructor(options: CourseOptions) {
    this.#options = options;
    const legOf = (leg: Leg): LegState => ({
      ...{
        height: options.heights[leg],
        from: 0,
        blocks: [],
        due: 0,
        ahead: 0,
        standsAt: null,
        least: null,
        relays: null,
        waiting: [],
      },
    });
    this.#legs = { maker: legOf('maker'), taker: legOf('taker') };
  }

  /** Adds blocks of one second each, so that the chains' clocks show the time. */
  async bury(blocks: number): Promise<void> {
    for (const leg of LEGS) {
      const first = this.#seconds();
      for (let block = 0; block < blocks; block++) await this.#chain(leg).mine(first + block);
    }
    await this.#options.world.clock.advance(blocks * 1000);
    for (const leg of LEGS) {
      this.#legs[leg].due = this.#seconds() + this.#chain(leg).blockTime;
      if (this.#options.chains[leg].backend === 'Q') await (await this.#options.world.electrum(leg)).look();
    }
  }

  /** The run begins now, in seconds since 1970: what is in blocks belongs to what was before. */
  async begin(keys: Keys): Promise<number> {
    const { said, scenario, chains } = this.#options;
    this.#left = 60 * (scenario.minutes ?? USUAL_MINUTES);
    this.#passed = 0;
    said.clear();
    this.#keys = keys;
    for (const leg of LEGS) {
      await this.#read(leg);
      const state = this.#legs[leg];
      state.from = state.height + state.blocks.length;
      const ledger = this.#ledger(leg);
      for (const side of LEGS) this.#had[side][leg] = ledger.balance(chains[leg].chain.scriptOf(keys[side]));
    }
    this.#takerPayment = null;
    this.#makersClaim = null;
    return this.#seconds();
  }

  /** Until both payments are taken, in blocks. @throws Error where they are not within two hours */
  async untilTaken(): Promise<void> {
    this.#left = 7200;
    const isTaken = (): boolean => LEGS.every((leg) => this.#fate(leg) === 'claimed');
    if (!(await this.#until(isTaken))) throw new Error('the swap before was not finished');
    await this.#passMinutes(10);
  }

  async run(): Promise<void> {
    for (const [place, { at, deeds }] of this.#options.scenario.steps.entries()) {
      if (!(await this.#until(() => this.#isAt(at)))) throw new Error(`it never came to ${at}`);
      if (place === 0) this.#options.onTurn();
      for (const deed of deeds) await this.#perform(deed);
    }
    await this.#until(() => this.#isOver());
    if (!this.#options.kills) return;
    await this.#passMinutes(AFTERMATH);
    await this.#until(() => this.#fallen().length === 0);
  }

  async record({ amounts, startedAt }: Pick<Judged, 'amounts' | 'startedAt'>): Promise<Judged> {
    const { chains, scenario } = this.#options;
    const keys = this.#keys;
    if (keys === null) throw new Error('nothing has begun');
    for (const leg of LEGS) await this.#read(leg);
    const scriptsOf = (side: Leg) => ({
      maker: chains.maker.chain.scriptOf(keys[side]),
      taker: chains.taker.chain.scriptOf(keys[side]),
    });
    const scripts = { maker: scriptsOf('maker'), taker: scriptsOf('taker') };
    const namesOn = (leg: Leg) => ({
      maker: chains[leg].chain.books.partyOf(keys.maker),
      taker: chains[leg].chain.books.partyOf(keys.taker),
    });
    const countedOf = async (side: Leg) => ({
      maker: await chains.maker.chain.counted(scripts[side].maker),
      taker: await chains.taker.chain.counted(scripts[side].taker),
    });
    const counted = { maker: await countedOf('maker'), taker: await countedOf('taker') };
    return {
      ...{ scenario, amounts, startedAt, scripts, counted },
      names: { maker: namesOn('maker'), taker: namesOn('taker') },
      costs: { maker: chains.maker.chain.costs ?? null, taker: chains.taker.chain.costs ?? null },
      had: this.#had,
      ledgers: { maker: this.#ledger('maker'), taker: this.#ledger('taker') },
      waiting: { maker: await chains.maker.chain.waiting(), taker: await chains.taker.chain.waiting() },
      seenAt: { takerPayment: this.#takerPayment, makersClaim: this.#makersClaim },
    };
  }

  #chain(leg: Leg) {
    return this.#options.chains[leg].chain;
  }

  #seconds(): number {
    return Math.floor(this.#options.world.clock.now() / 1000);
  }

  #ledger(leg: Leg): LegLedger {
    const { blocks, from } = this.#legs[leg];
    return this.#chain(leg).books.ledger(blocks, from);
  }

  #fate(leg: Leg): Fate {
    return fateOf(this.#ledger(leg), this.#options.scenario);
  }

  /** Lets time pass until the condition holds; false where the run is over before. */
  async #until(condition: () => boolean): Promise<boolean> {
    while (!condition()) {
      if (this.#left <= 0) return false;
      await this.#pass();
    }
    return true;
  }

  async #passMinutes(minutes: number): Promise<void> {
    const end = this.#passed + 60 * minutes;
    while (this.#passed < end) await this.#pass();
  }

  /** Some time, and the blocks that are due by then. */
  async #pass(): Promise<void> {
    const { world } = this.#options;
    const step = this.#step();
    this.#left -= step;
    this.#passed += step;
    await world.clock.advance(step * 1000);
    const now = this.#seconds();
    await this.#reviveKilled(now);
    for (const later of this.#later.splice(0)) {
      if (later.at <= now) await later.undo();
      else this.#later.push(later);
    }
    await this.#look();
    for (const leg of LEGS) {
      const state = this.#legs[leg];
      const isDue = state.due <= now;
      for (; state.due <= now; state.due += this.#chain(leg).blockTime) {
        const at = state.standsAt ?? state.due + state.ahead;
        await this.#chain(leg).mine(at, state.least ?? undefined);
      }
      if (isDue) await this.#read(leg);
    }
  }

  async #reviveKilled(now: number): Promise<void> {
    const fallen = this.#fallen();
    if (fallen.length === 0) return;
    this.#killedAt ??= now;
    if (now < this.#killedAt + DOWN) return;
    this.#killedAt = null;
    for (const party of fallen) await party.revive();
  }

  #fallen(): readonly Party[] {
    return this.#options.kills ? [...this.#options.parties.values()].filter((party) => party.fell()) : [];
  }

  #step(): number {
    const { scenario } = this.#options;
    if ((isEarly(scenario) && this.#passed < EARLY) || this.#fallen().length > 0) return SHORT_STEP;
    return this.#passed > LONG_WAIT ? (this.#options.kills ? 6 : 2) * STEP : STEP;
  }

  async #read(leg: Leg): Promise<void> {
    const state = this.#legs[leg];
    state.blocks.push(...(await this.#chain(leg).blocksAbove(state.height + state.blocks.length)));
  }

  /** What waits, and how deep things are when others are first seen. */
  async #look(): Promise<void> {
    const looks = LEGS.map(async (leg) => {
      await this.#read(leg);
      this.#legs[leg].waiting = await this.#chain(leg).waiting();
    });
    await Promise.all(looks);
    if (this.#takerPayment === null && this.#isAt('takerPaymentSeen')) this.#takerPayment = this.#depthOf('maker');
    if (this.#makersClaim === null && this.#isAt('takerPaymentTaken')) this.#makersClaim = this.#depthOf('taker');
  }

  #depthOf(leg: Leg): number {
    const { height, blocks } = this.#legs[leg];
    const [payment] = this.#ledger(leg).payments;
    return payment === undefined ? 0 : height + blocks.length - payment.height + 1;
  }

  #isAt(stage: Stage): boolean {
    const { said } = this.#options;
    switch (stage) {
      case 'asked':
        return said.has('negotiation');
      case 'replied':
        return said.has('negotiationReply');
      case 'watched':
        return said.has('watcher');
      case 'feeSeen':
        return this.#waits('taker', 'isTradingFee') || this.#ledger('taker').fees.length > 0;
      case 'makerPaymentSeen':
        return this.#waits('maker', 'isPayment') || this.#fate('maker') !== 'none';
      case 'takerPaymentSeen':
        return this.#waits('taker', 'isPayment') || this.#fate('taker') !== 'none';
      case 'makerPaymentMined':
        return this.#fate('maker') !== 'none';
      case 'takerPaymentMined':
        return this.#fate('taker') !== 'none';
      case 'takerPaymentTaken':
        return this.#isTaken('taker');
      case 'makerPaymentTaken':
        return this.#isTaken('maker');
      case 'takerPaymentTakenMined':
        return this.#fate('taker') === 'claimed';
      default:
        return this.#fate('maker') === 'claimed';
    }
  }

  #waits(leg: Leg, what: 'isPayment' | 'isTradingFee'): boolean {
    return this.#legs[leg].waiting.some(this.#chain(leg).books[what]);
  }

  /** By a transaction in a block or in the mempool. */
  #isTaken(leg: Leg): boolean {
    const { payments } = this.#ledger(leg);
    const { books } = this.#chain(leg);
    const isSpend = (told: ToldTransaction): boolean => books.spends(told, payments);
    return payments.some(({ spend }) => spend !== null) || this.#legs[leg].waiting.some(isSpend);
  }

  /** It ended as it may, and so deep that nothing goes on. What ends before a payment is not over before its time. */
  #isOver(): boolean {
    const { scenario } = this.#options;
    const ledgers = { maker: this.#ledger('maker'), taker: this.#ledger('taker') };
    const found = endOf({ scenario, ledgers });
    const isSpent = (fate: string): boolean => fate === 'claimed' || fate === 'refunded';
    const isAny = scenario.ends.some(
      ({ maker, taker, fee }) => maker === found.maker && taker === found.taker && fee === found.fee,
    );
    if (!isAny || (!isSpent(found.maker) && found.maker !== 'left')) return false;
    if (found.maker === 'left' || found.taker === 'left') return false;
    return LEGS.every((leg) => {
      const { height, blocks } = this.#legs[leg];
      return ledgers[leg].payments.every(
        ({ spend }) => spend !== null && height + blocks.length - spend.height >= SETTLED,
      );
    });
  }

  async #perform(deed: Deed): Promise<void> {
    switch (deed.do) {
      case 'die':
        this.#party(deed.side).die();
        return;
      case 'revive':
        await this.#party(deed.side).revive();
        return;
      case 'wait':
        await this.#passMinutes(deed.minutes);
        return;
      case 'hostStands':
        this.#party(deed.side).host.freeze();
        return;
      case 'hostSet':
        this.#party(deed.side).host.set(deed.by * 1000);
        return;
      default:
        await this.#performOn(deed.leg, deed);
    }
  }

  async #performOn(leg: Leg, deed: Extract<Deed, { readonly leg: Leg }>): Promise<void> {
    const state = this.#legs[leg];
    const chain = this.#chain(leg);
    switch (deed.do) {
      case 'reorg':
        state.blocks.length -= Math.min(deed.depth, state.blocks.length);
        // What it held comes again, perhaps lower than the run began.
        state.from = Math.min(state.from, state.height + state.blocks.length);
        await chain.takeBack(deed.depth);
        if (deed.forgotten) await this.#restart(leg);
        return;
      case 'restart':
        await this.#restart(leg);
        return;
      case 'floor':
        state.relays = deed.rate;
        await this.#restart(leg);
        return;
      case 'outage':
        this.#cut(deed);
        return;
      case 'halve':
        this.#halve(deed);
        return;
      case 'slow':
        this.#slow(deed);
        return;
      case 'dear':
        state.least = deed.rate;
        this.#after(deed.minutes, () => {
          state.least = null;
        });
        return;
      case 'break':
        await chain.troubles?.break(deed.by);
        this.#after(deed.minutes, () => chain.troubles?.break(null));
        return;
      case 'steal':
      case 'disallow':
        await chain.troubles?.[deed.do](this.#party(deed.side).key);
        return;
      case 'chainStands':
        state.standsAt = await chain.time();
        this.#after(deed.minutes, () => {
          state.standsAt = null;
        });
        return;
      default:
        state.ahead += deed.seconds;
    }
  }

  #restart(leg: Leg): Promise<void> {
    const { replaces = true } = this.#options.scenario;
    return this.#chain(leg).restart(this.#seconds(), { replaces, relays: this.#legs[leg].relays });
  }

  #cut({ leg, side, minutes }: Extract<Deed, { readonly do: 'outage' }>): void {
    const concerned = [...this.#options.parties.values()].filter((party) => side === undefined || party.side === side);
    for (const { lines } of concerned) lines[leg].cut(false);
    this.#after(minutes, () => {
      for (const party of concerned) if (!party.isDead()) party.lines[leg].cut(true);
    });
  }

  #halve({ leg, side, minutes }: Extract<Deed, { readonly do: 'halve' }>): void {
    const { lines } = this.#party(side);
    lines[leg].halve(true);
    this.#after(minutes, () => lines[leg].halve(false));
  }

  #slow({ leg, seconds }: Extract<Deed, { readonly do: 'slow' }>): void {
    for (const { lines } of this.#options.parties.values()) lines[leg].slow(seconds);
  }

  #after(minutes: number, undo: () => void | Promise<void>): void {
    this.#later.push({ at: this.#seconds() + minutes * 60, undo });
  }

  #party(side: Side): Party {
    const party = this.#options.parties.get(side);
    if (party === undefined) throw new Error(`nobody is the ${side}`);
    return party;
  }
}
