import type { SwapMessageKind } from '../../../src/ports/peers.ts';
import type { Leg, LegKeys, ToldTransaction } from './chain.ts';
import { Falls } from './falls.ts';
import { endOf, fateOf, type Record as Judged, LOCK_DURATION, type Watching } from './judge.ts';
import type { LegLedger } from './ledger.ts';
import { forget, type LegState, legState, nextFee } from './leg-state.ts';
import { isLineDeed, type LineDeed, performOnLines } from './line-deeds.ts';
import type { Party, PlacedChains } from './party.ts';
import type { Deed, Fate, Scenario, Stage } from './scenario.ts';
import { LEGS, type Side } from './sides.ts';
import { snatchable } from './thief.ts';
import type { MatrixWorld } from './world.ts';

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

/** Minutes that follow on the end where somebody is killed: nothing may come after it. */
const AFTERMATH = 4;
const SHORT_STEP = 5;
const EARLY = 300;
/**
 * Half a minute; in the long wait for a lock, where nothing is close to anything, a whole one, and three of them between processes. A chain with
 * accounts then has one block in each step, as one whose proposers are away.
 */
const STEP = 30;
const LONG_WAIT = 45 * 60;
/** Seconds before a lock is over and after it in which steps are not the longest. */
const BEFORE_LOCK = 300;
const AFTER_LOCK = 900;
/** After a run that is over it goes on until its last spend is this deep. */
const SETTLED = 4;
const USUAL_MINUTES = 420;

/** The way of one run: time, blocks, faults, and what the chains show. */
export class Course {
  readonly #options: CourseOptions;
  readonly #legs: Readonly<Record<Leg, LegState>>;
  readonly #falls: Falls;
  readonly #later: { readonly at: number; readonly undo: () => void | Promise<void> }[] = [];
  /** In seconds. */
  #left = 0;
  #passed = 0;
  /** Whether something was done once more while somebody was away. */
  #hasStruck = false;
  #keys: LegKeys | null = null;
  #balances: Record<Leg, Map<string, bigint>> = { maker: new Map(), taker: new Map() };
  readonly #had = { maker: { maker: 0n, taker: 0n }, taker: { maker: 0n, taker: 0n } };
  readonly #watcherHad: Record<Leg, bigint | null> = { maker: null, taker: null };
  readonly #shown = new Set<string>();
  #takerPayment: number | null = null;
  #makersClaim: number | null = null;
  /** The keys of somebody who listens for secrets. */
  #thief: LegKeys | null = null;

  constructor(options: CourseOptions) {
    this.#options = options;
    const { maker, taker } = options.heights;
    this.#legs = { maker: legState(maker), taker: legState(taker) };
    const mortal = options.kills ? [...options.parties.values()] : [];
    this.#falls = new Falls(mortal, (fallen) => this.#strikeAgain(fallen));
  }

  /** Adds blocks of one second each, so that the chains' clocks show the time. */
  async bury(blocks: number): Promise<void> {
    for (const leg of this.#miners()) {
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
  async begin(keys: LegKeys): Promise<number> {
    const { said, scenario, chains } = this.#options;
    this.#left = 60 * (scenario.minutes ?? USUAL_MINUTES);
    this.#passed = 0;
    said.clear();
    this.#shown.clear();
    this.#keys = keys;
    for (const leg of LEGS) {
      await this.#read(leg);
      const state = this.#legs[leg];
      state.from = state.height + state.blocks.length;
      await this.#weigh(leg, keys);
      const ledger = this.#ledger(leg);
      for (const side of LEGS) this.#had[side][leg] = ledger.balance(chains[leg].chain.scriptOf(keys[side]));
      this.#watcherHad[leg] = await this.#watcherHas(leg);
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
      const isThere = await this.#until(() => this.#isAt(at));
      // What struck while somebody was away may have ended it before.
      if (!isThere && this.#hasStruck) break;
      if (!isThere) throw new Error(`it never came to ${at}`);
      if (place === 0) this.#options.onTurn();
      for (const deed of deeds) await this.#perform(deed);
    }
    await this.#until(() => this.#isOver());
    if (!this.#options.kills) return;
    await this.#passMinutes(AFTERMATH);
    await this.#until(() => this.#falls.all().length === 0);
  }

  async record({ amounts, startedAt }: Pick<Judged, 'amounts' | 'startedAt'>): Promise<Judged> {
    const { chains, scenario } = this.#options;
    const keys = this.#keys;
    if (keys === null) throw new Error('nothing has begun');
    for (const leg of LEGS) {
      await this.#read(leg);
      await this.#weigh(leg, keys);
    }
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
      watcher: { maker: await this.#watching('maker'), taker: await this.#watching('taker') },
      shown: this.#shown,
      seenAt: { takerPayment: this.#takerPayment, makersClaim: this.#makersClaim },
    };
  }

  /** What whoever watches has of the own coin of a chain with accounts; null elsewhere. */
  async #watcherHas(leg: Leg): Promise<bigint | null> {
    const { evm, counted, scriptOf } = this.#chain(leg);
    const key = this.#options.parties.get('watcher')?.key;
    return key === undefined || evm === undefined || evm.token !== null ? null : counted(scriptOf(key));
  }

  async #watching(leg: Leg): Promise<Watching | null> {
    const key = this.#options.parties.get('watcher')?.key;
    const [had, has] = [this.#watcherHad[leg], await this.#watcherHas(leg)];
    return key === undefined || had === null || has === null
      ? null
      : { script: this.#chain(leg).scriptOf(key), had, has };
  }

  #chain(leg: Leg) {
    return this.#options.chains[leg].chain;
  }

  /** Legs whose chains have blocks of their own. */
  #miners(): readonly Leg[] {
    return LEGS.filter((leg) => this.#chain(leg).isOver !== true);
  }

  /** Legs that are on the chain of this one. */
  #legsOn(leg: Leg): readonly Leg[] {
    return LEGS.some((each) => this.#chain(each).isOver) ? LEGS : [leg];
  }

  #seconds(): number {
    return Math.floor(this.#options.world.clock.now() / 1000);
  }

  #ledger(leg: Leg): LegLedger {
    const { blocks, from } = this.#legs[leg];
    return this.#chain(leg).books.ledger(blocks, { from, balances: this.#balances[leg] });
  }

  #fate(leg: Leg): Fate {
    return fateOf(this.#ledger(leg), this.#options.scenario);
  }

  /** Lets time pass until the condition holds; false where the run is over before. */
  async #until(condition: () => boolean): Promise<boolean> {
    while (!condition()) {
      if (this.#left <= 0) return false;
      await this.#pass(condition);
    }
    return true;
  }

  async #passMinutes(minutes: number): Promise<void> {
    const end = this.#passed + 60 * minutes;
    while (this.#passed < end) await this.#pass();
  }

  /** Some time, and the blocks that are due by then; they come later where the condition holds before, which they would end. */
  async #pass(condition: () => boolean = () => false): Promise<void> {
    const { world } = this.#options;
    const step = this.#step();
    this.#left -= step;
    this.#passed += step;
    await world.clock.advance(step * 1000);
    const now = this.#seconds();
    await this.#falls.pass(now);
    for (const later of this.#later.splice(0)) {
      if (later.at <= now) await later.undo();
      else this.#later.push(later);
    }
    await this.#look();
    if (this.#isQuick() && condition()) return;
    for (const leg of this.#miners()) {
      const isDue = this.#legs[leg].due <= now;
      await this.#mineUntil(leg, now);
      if (isDue) for (const each of this.#legsOn(leg)) await this.#read(each);
    }
  }

  /** Whether what was just sent would always be in a block before anybody can do something about it. */
  #isQuick(): boolean {
    return LEGS.some((leg) => this.#chain(leg).blockTime < STEP);
  }

  async #mineUntil(leg: Leg, now: number): Promise<void> {
    const state = this.#legs[leg];
    const { blockTime, evm } = this.#chain(leg);
    const isSparse = evm !== undefined && this.#passed > LONG_WAIT;
    for (; state.due <= now; state.due += blockTime) {
      if (isSparse && state.due + blockTime <= now) continue;
      const at = state.standsAt ?? state.due + state.ahead;
      state.least = nextFee(state);
      await this.#chain(leg).mine(at, state.least ?? undefined);
    }
  }

  async #strikeAgain(fallen: readonly Party[]): Promise<void> {
    const { again } = this.#options.scenario;
    if (again === undefined || !fallen.some(({ side }) => again.of === null || side === again.of)) return;
    this.#hasStruck = true;
    for (const deed of again.deeds) await this.#perform(deed);
  }

  #step(): number {
    const { scenario } = this.#options;
    if ((isEarly(scenario) && this.#passed < EARLY) || this.#falls.all().length > 0) return SHORT_STEP;
    if (this.#passed <= LONG_WAIT) return STEP;
    if (this.#options.kills) return 6 * STEP;
    return this.#isQuiet() ? 4 * STEP : 2 * STEP;
  }

  /** Whether blocks of accounts alone come by for a while: no lock is close. */
  #isQuiet(): boolean {
    const sinceLock = (this.#passed + BEFORE_LOCK) % LOCK_DURATION;
    return LEGS.some((leg) => this.#chain(leg).evm !== undefined) && sinceLock > BEFORE_LOCK + AFTER_LOCK;
  }

  /** What the accounts of both have now. */
  async #weigh(leg: Leg, keys: LegKeys): Promise<void> {
    const chain = this.#chain(leg);
    if (chain.evm === undefined) return;
    for (const side of LEGS) {
      const script = chain.scriptOf(keys[side]);
      this.#balances[leg].set(script, (await chain.counted(script)) ?? 0n);
    }
  }

  async #read(leg: Leg): Promise<void> {
    const state = this.#legs[leg];
    state.blocks.push(...(await this.#chain(leg).blocksAbove(state.height + state.blocks.length)));
  }

  /** What waits, and how deep things are when others are first seen. */
  async #look(): Promise<void> {
    const looks = LEGS.map(async (leg) => {
      this.#legs[leg].waiting = await this.#chain(leg).waiting();
    });
    await Promise.all(looks);
    await this.#listen();
    if (this.#takerPayment === null && this.#isAt('takerPaymentSeen')) this.#takerPayment = this.#depthOf('maker');
    if (this.#makersClaim === null && this.#isAt('takerPaymentTaken')) this.#makersClaim = this.#depthOf('taker');
  }

  /** What of the taker coin is out, and what somebody does with it who listens. */
  async #listen(): Promise<void> {
    const { waiting, blocks, height, from } = this.#legs.taker;
    const { books } = this.#chain('taker');
    const own = blocks.filter((block) => block.height > Math.max(height, from)).flatMap((block) => block.transactions);
    for (const told of [...own, ...waiting]) {
      const secret = books.shown(told);
      if (secret !== null) this.#shown.add(secret);
    }
    const { troubles } = this.#chain('maker');
    if (this.#thief === null || troubles === undefined) return;
    const payment = snatchable({ shown: this.#shown, maker: this.#ledger('maker'), taker: this.#ledger('taker') });
    if (payment === null) return;
    const keys = this.#thief;
    this.#thief = null;
    await troubles.snatch(payment, keys);
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
      case 'feeMined':
        return this.#ledger('taker').fees.length > 0;
      case 'takerPaymentBack':
        return this.#fate('taker') === 'refunded';
      case 'makerPaymentBack':
        return this.#fate('maker') === 'refunded';
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
      case 'snatch':
        this.#thief = this.#keys;
        return;
      default:
        if (!isLineDeed(deed)) await this.#performOn(deed.leg, deed);
        else
          performOnLines(deed, {
            legs: this.#legsOn(deed.leg),
            parties: this.#options.parties,
            after: (minutes, undo) => this.#after(minutes, undo),
          });
    }
  }

  async #performOn(leg: Leg, deed: Exclude<Extract<Deed, { readonly leg: Leg }>, LineDeed>): Promise<void> {
    const [miner = leg] = this.#miners().filter((each) => this.#legsOn(leg).includes(each));
    const state = this.#legs[miner];
    const chain = this.#chain(leg);
    switch (deed.do) {
      case 'reorg':
        for (const each of this.#legsOn(leg)) forget(this.#legs[each], deed.depth);
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
      case 'dear':
        state.least = deed.rate;
        this.#after(deed.minutes, () => {
          state.least = null;
        });
        return;
      case 'rise':
        state.rising = { to: deed.to, until: this.#seconds() + deed.minutes * 60 };
        return;
      case 'spoil':
        await chain.troubles?.spoil(deed.by);
        this.#after(deed.minutes, () => chain.troubles?.spoil(null));
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

  #after(minutes: number, undo: () => void | Promise<void>): void {
    this.#later.push({ at: this.#seconds() + minutes * 60, undo });
  }

  #party(side: Side): Party {
    const party = this.#options.parties.get(side);
    if (party === undefined) throw new Error(`nobody is the ${side}`);
    return party;
  }
}
