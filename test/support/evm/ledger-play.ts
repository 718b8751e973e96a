import { type Address, keccak256, toHex } from 'viem';
import { expect } from 'vitest';
import type { Call, Outcome } from './chain.ts';
import { type ContractWorld, type Manner, RECEIVER, SENDER, STRANGER, tool, WATCHER } from './contract-world.ts';
import { type Ending, IDS, type LedgerAction, type Paying } from './ledger-actions.ts';
import { besideTokens, LedgerModel, type Mood, type Parts } from './ledger-model.ts';
import { claim, ETHER, type Payment, pay, paymentHash, refund } from './swap-contract.ts';

const EVENTS: Readonly<Record<string, string>> = {
  '0xccc9c051': 'paid',
  '0x36c177bc': 'claimed',
  '0x1797d500': 'refunded',
};
const INDEXES = Array.from({ length: IDS }, (_, index) => index);
const STATES = ['none', 'open', 'claimed', 'refunded'];

const at = <T>(list: readonly T[], index: number) => list[index] as T;
const secretOf = (index: number) => keccak256(toHex(`secret ${index}`));
const idOf = (index: number) => keccak256(toHex(`id ${index}`));

/** A world with the coins and accounts of the plays. */
export async function partsOf(world: ContractWorld): Promise<Parts> {
  const actor = await world.actor();
  const accounts = [SENDER, RECEIVER, WATCHER, STRANGER, actor];
  const plain = await world.token('PlainToken', { owners: accounts, amount: 8_000n });
  const moody = await world.token('MoodyToken', { owners: accounts, amount: 8_000n });
  return { contract: world.contract, plain, moody, actor, accounts };
}

export type LedgerPlayOptions = {
  readonly parts: Parts;
  /** Hears what became of every call. */
  readonly count: (what: string) => void;
};

/** Does the same on a chain and in the model, and compares. */
export class LedgerPlay {
  readonly #world: ContractWorld;
  readonly #parts: Parts;
  readonly #model: LedgerModel;
  readonly #coins: readonly Address[];
  readonly #events = new Map<string, string[]>();
  readonly #count: (what: string) => void;

  private constructor(world: ContractWorld, model: LedgerModel, { parts, count }: LedgerPlayOptions) {
    this.#world = world;
    this.#parts = parts;
    this.#model = model;
    this.#coins = [ETHER, parts.plain, parts.moody];
    this.#count = count;
  }

  static async start(world: ContractWorld, options: LedgerPlayOptions): Promise<LedgerPlay> {
    const { parts } = options;
    const balances = new Map<string, bigint>();
    for (const coin of [ETHER, parts.plain, parts.moody]) {
      for (const account of [...parts.accounts, parts.contract]) {
        balances.set(coin + account, await world.balance(coin, account));
      }
    }
    const model = new LedgerModel(parts, (coin, account) => balances.get(coin + account) ?? 0n);
    return new LedgerPlay(world, model, options);
  }

  async all(actions: readonly LedgerAction[]): Promise<void> {
    for (const action of actions) {
      await this.#one(action);
      await this.#compareContract();
    }
    await this.#compareAll();
  }

  async #one(action: LedgerAction): Promise<void> {
    if (action.type === 'pay') await this.#pay(action);
    else if (action.type === 'manner') await this.#setManner(action.manner);
    else if (action.type === 'mood') await this.#setMood(action.mood);
    else await this.#end(action);
  }

  async #pay({ id: drawn, fresh, sender, receiver, coin, amount, lock, reward, extra }: Paying): Promise<void> {
    const { accounts, contract } = this.#parts;
    const id = fresh ? this.#freshId(drawn) : drawn;
    const payment: Payment = {
      ...{ id: idOf(id), secret: secretOf(id), token: at(this.#coins, coin), amount, reward },
      sender: at(accounts, sender),
      receiver: at([...accounts, ETHER, contract], receiver),
      lockTime: this.#world.chain.now + 1 + lock,
    };
    const value = payment.token === ETHER ? amount : besideTokens(payment) + extra;
    const outcome = await this.#world.send(pay(contract, payment, value));
    this.#judge('pay', outcome, this.#model.pay(payment, value));
  }

  async #end({ type, id: drawn, open, by, when, wrong }: Ending): Promise<void> {
    const { accounts, contract } = this.#parts;
    const id = open ? this.#openId(drawn) : drawn;
    const known = this.#model.payments.get(idOf(id))?.payment ?? this.#unknown(id);
    const terms = { ...known, ...this.#wrongTerm(wrong) };
    const party = type === 'claim' ? known.receiver : known.sender;
    const from = by === undefined ? party : at(accounts, by);
    const call: Call = type === 'claim' ? claim(contract, terms, from) : refund(contract, terms, from);
    const distance = { next: 0, 'just before': -1, 'just then': 0, 'long after': 500 }[when];
    const next = this.#world.chain.now + 1;
    const time = when === 'next' ? next : Math.max(next, known.lockTime + distance);
    const outcome = await this.#world.send(call, time);
    this.#judge(type, outcome, this.#model.end(type, terms, { from, at: time }));
  }

  #freshId(drawn: number): number {
    const used = (id: number) => this.#model.payments.has(idOf(id));
    return INDEXES.find((id) => !used(id)) ?? drawn;
  }

  #openId(drawn: number): number {
    const open = INDEXES.filter((id) => this.#model.payments.get(idOf(id))?.state === 'open');
    return open[drawn % Math.max(1, open.length)] ?? drawn;
  }

  #unknown(id: number): Payment {
    const lockTime = this.#world.chain.now;
    return {
      ...{ id: idOf(id), secret: secretOf(id), lockTime },
      sender: SENDER,
      receiver: RECEIVER,
      token: ETHER,
      amount: 1n,
    };
  }

  #wrongTerm(wrong: Ending['wrong']): Partial<Payment> {
    if (wrong === undefined) return {};
    if (wrong.term === 'amount') return { amount: wrong.amount };
    if (wrong.term === 'coin') return { token: at(this.#coins, wrong.coin) };
    if (wrong.term === 'secret') return { secret: secretOf(wrong.secret) };
    if (wrong.term === 'reward') return { reward: wrong.reward };
    return { [wrong.term]: at(this.#parts.accounts, wrong.account) };
  }

  async #setManner(manner: Manner): Promise<void> {
    await this.#world.behave(this.#parts.moody, manner);
    this.#model.manner = manner;
  }

  async #setMood(mood: Mood): Promise<void> {
    const to = this.#parts.actor;
    await this.#world.must({ from: STRANGER, to, data: tool('refuse', [mood === 'refuses']) });
    await this.#world.must({ from: STRANGER, to, data: tool('burn', [mood === 'burns']) });
    this.#model.mood = mood;
  }

  /** A call with faults fails with one of them, and one without is done. */
  #judge(what: string, { done, error = '', logs }: Outcome, faults: readonly string[]): void {
    const name = /^[A-Z]\w*/.exec(error)?.[0] ?? '';
    this.#count(`${what} ${done ? 'done' : name}`);
    if (faults.length === 0) expect(error, `${what} has no fault`).toBe('');
    else expect(faults, `${what} was ${done ? 'done' : `refused: ${error}`}`).toContain(done ? 'done' : name);
    for (const { address, topics, data } of logs) {
      if (address.toLowerCase() !== this.#parts.contract.toLowerCase()) continue;
      const id = data.slice(0, 66);
      this.#events.set(id, [...(this.#events.get(id) ?? []), EVENTS[at(topics, 0).slice(0, 10)] ?? 'unknown']);
    }
  }

  /** The contract has what the ledgers say, and at least what it owes; exactly that in coins that do not lie. */
  async #compareContract(): Promise<void> {
    const { contract, moody } = this.#parts;
    const model = this.#model;
    const balances = await Promise.all(this.#coins.map((coin) => this.#world.balance(coin, contract)));
    for (const [index, coin] of this.#coins.entries()) {
      const balance = at(balances, index);
      expect(balance).toBe(model.owned(coin, contract));
      const owed = model.owed(coin) + (coin === ETHER ? model.kept : 0n);
      if (coin === moody) expect(balance).toBeGreaterThanOrEqual(owed);
      else expect(balance).toBe(owed);
    }
  }

  /** Every account, every id, every event. */
  async #compareAll(): Promise<void> {
    for (const coin of this.#coins) {
      for (const account of this.#parts.accounts) {
        expect(await this.#world.balance(coin, account)).toBe(this.#model.owned(coin, account));
      }
    }
    for (const index of INDEXES) {
      const id = idOf(index);
      const known = this.#model.payments.get(id);
      const { state, hash } = await this.#world.stored(id);
      expect(STATES[state]).toBe(known?.state ?? 'none');
      if (known !== undefined) expect(hash).toBe(paymentHash(known.payment));
      const end = known === undefined ? [] : known.state === 'open' ? ['paid'] : ['paid', known.state];
      expect(this.#events.get(id) ?? []).toEqual(end);
    }
  }
}
