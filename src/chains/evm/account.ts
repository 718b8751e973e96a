import { decodeTransfer } from '../../htlc/evm-calls.ts';
import { approvalCall } from '../../htlc/token-calls.ts';
import type { Signer } from '../../ports/signer.ts';
import { BackendSilent } from '../../ports/silence.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';
import { type Joined, JoinedCoins } from '../accounts/joined-coins.ts';
import { TakenNumbers } from '../accounts/taken-numbers.ts';
import { Turns } from '../accounts/turns.ts';
import { BARE_TRANSFER } from './coin.ts';
import { allowanceOf } from './contract-calls.ts';
import { finalityMemory } from './depth.ts';
import { transferGas } from './gas.ts';
import { Holds } from './holds.ts';
import { Prepared } from './prepared.ts';
import {
  type DayPrices,
  dayPrices,
  dearerOf,
  leastPrice,
  type PriceRule,
  replacementOf,
  usualPrice,
} from './prices.ts';
import type { EvmLook, EvmReader } from './reader.ts';
import { isKnownAlready } from './refusals.ts';
import { swapCallOf } from './terms.ts';
import { accountOf, canBeDearer, type Draft, feeOf, type Made, type Price, signed } from './transaction.ts';

export type EvmAccountOptions = {
  readonly reader: EvmReader;
  readonly signer: Signer;
  readonly chainId: number;
  readonly prices: PriceRule;
};

/** What to sign, without what is the same for the whole account. */
export type Content = Pick<Draft, 'nonce' | 'to' | 'value' | 'data' | 'gas' | 'price'>;

/**
 * One account of one chain: the only place that assigns its nonces, for all coins that it holds. A transaction keeps its nonce until the chain shows
 * the nonce used, or until it is given back. An unused nonce below a used one is filled; but only once everything that was signed before is marked.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import { createEvmNodeReader, EvmAccount, readEvmEntry } from 'swapfold/chains/evm';
 * import { walletOfPassphrase } from 'swapfold/node';
 *
 * const block = { number: '0x10', hash: `0x${'ab'.repeat(32)}`, timestamp: '0x65536f00' };
 * const told: Record<string, unknown> = {
 *   ...{ eth_chainId: '0x1', eth_getBlockByNumber: block },
 *   eth_getTransactionCount: '0x5',
 * };
 * const node = { name: 'a node', request: async (method: string) => told[method] };
 * const reader = createEvmNodeReader(node, 1);
 * const signer = walletOfPassphrase(new Secret('an example')).coins;
 * const account = new EvmAccount({ reader, signer, chainId: 1, prices: readEvmEntry({}).prices });
 * await account.freeNonces(await reader.look(), 2); // → [5, 6]
 * account.signBy(walletOfPassphrase(new Secret('another')).coins); // throws RangeError
 * ```
 */
export class EvmAccount {
  readonly reader: EvmReader;
  readonly chainId: number;
  readonly prices: PriceRule;
  /** 40 hex digits. */
  readonly address: string;
  /** The public key, 33 bytes in hex. */
  readonly key: string;
  /** By id, what was signed here or reported from an earlier process, except what ended long ago. */
  readonly prepared = new Prepared();
  /** What swaps will still take, over all coins of the account. */
  readonly holds = new Holds();
  /** What is remembered about the chain's finality. */
  readonly finality = finalityMemory();
  /** Ids of what was to be sent: its requester has it in a log. */
  readonly offered = new Set<string>();
  #signer: Signer;
  readonly #taken = new TakenNumbers<Made>(({ nonce }) => nonce);
  /** Ids of helper transactions, which are in no log: approvals, and fillers of nonces. */
  readonly #helpers = new Set<string>();
  /** The tokens that transactions outside swaps take, by id and token. */
  readonly #takes = new Map<string, ReadonlyMap<string, bigint>>();
  /** Approvals of a payment, by its id. */
  readonly #approvals = new Map<string, readonly Made[]>();
  readonly #turns = new Turns();
  readonly #coins = new JoinedCoins(() => this.#fillLater());
  /** The first nonce that no node knew, by the last look that settles anything. */
  #settled: number | null = null;

  constructor({ reader, signer, chainId, prices }: EvmAccountOptions) {
    this.reader = reader;
    this.chainId = chainId;
    this.prices = prices;
    this.#signer = signer;
    this.address = accountOf(signer.key);
    this.key = bytesToHex(signer.key);
  }

  /** Signs through another signer of the same key from now on. @throws RangeError for another key */
  signBy(signer: Signer): void {
    if (bytesToHex(signer.key) !== this.key) throw new RangeError('the key of an account stays the same');
    this.#signer = signer;
  }

  /** Runs one after another, whether or not each succeeds: each must know what the one before has signed. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.next(work);
  }

  /** Another coin uses the account, named by its ticker. */
  join(coin: string): Joined {
    return this.#coins.join(() => this.holds.forget(coin));
  }

  /** Signs the same at another price; an approval that a payment waits for stays an approval. */
  async signDearer(made: Made, price: Price, day: DayPrices): Promise<Made> {
    const dearer = await this.sign({ ...contentOf(made), price }, day);
    if (this.#helpers.has(made.id)) this.#helpers.add(dearer.id);
    const takes = this.#takes.get(made.id);
    if (takes !== undefined) this.#takes.set(dearer.id, takes);
    if (this.approvalsOf(made).length > 0) this.approve(dearer, this.approvalsOf(made));
    return dearer;
  }

  /** Whether it may go out again at any time: helpers, and what was sent before. */
  isOut({ id }: Made): boolean {
    return this.offered.has(id) || this.#helpers.has(id);
  }

  /** Marks what will be sent, which may go out again at any time from then on. */
  offer(made: Made): void {
    this.prepared.add(made);
    this.offered.add(made.id);
  }

  /** Signs it, and marks its nonce as used. */
  async sign(content: Content, { legacy }: Pick<DayPrices, 'legacy'>): Promise<Made> {
    const made = await this.signOnly(content, { legacy });
    this.take(made);
    return made;
  }

  /** Signs it and marks nothing: its nonce stays free until it is sent. */
  signOnly(content: Content, { legacy }: Pick<DayPrices, 'legacy'>): Promise<Made> {
    return signed({ ...content, chainId: this.chainId, legacy }, this.#signer);
  }

  /**
   * Marks what was sent outside swaps, which is in no log: the account maintains it as it does its helpers. `takes`: base units of tokens, if that is
   * more than its bytes say.
   */
  adopt(made: Made, takes: ReadonlyMap<string, bigint> = new Map()): void {
    this.take(made);
    this.#helpers.add(made.id);
    this.#takes.set(made.id, takes);
  }

  /** Whether it was sent outside swaps, so that its bytes alone do not show what it does. */
  isBesideSwaps({ id }: Made): boolean {
    return this.#takes.has(id);
  }

  /** What a transaction takes from the account of this token, in base units. */
  tokensTaken(made: Made, token: string): bigint {
    return this.#takes.get(made.id)?.get(token) ?? tokensTaken(made, token);
  }

  take(made: Made): void {
    this.prepared.add(made);
    if (made.from !== this.address) return;
    this.#taken.take(made);
  }

  /** Gives back the nonce of what will never go out, unless something else has it, and those of its approvals for which nothing else waits. */
  giveBack(made: Made): void {
    if (made.from !== this.address) return;
    this.holds.giveBack(made.id);
    this.#drop(made);
    const stands = new Set(this.holders(made.nonce).flatMap((other) => this.approvalsOf(other).map(({ id }) => id)));
    for (const each of this.approvalsOf(made)) if (!stands.has(each.id)) this.#drop(each);
    // Below the last used one.
    if (this.#taken.from(made.nonce + 1).length > 0) this.#fillLater();
  }

  #drop(made: Made): void {
    this.#taken.drop(made);
    this.#helpers.delete(made.id);
  }

  /** Everything that was signed with a nonce. */
  holders(nonce: number): readonly Made[] {
    return this.#taken.holders(nonce);
  }

  /** Approvals that a payment waits for. They go out with it. */
  approve(payment: Made, approvals: readonly Made[]): void {
    this.#approvals.set(payment.id, approvals);
    for (const { id } of approvals) this.#helpers.add(id);
  }

  approvalsOf({ id }: Made): readonly Made[] {
    return this.#approvals.get(id) ?? [];
  }

  /** The given number of nonces that nothing has and no node knows, in order; none up to `above`. @throws BackendSilent */
  async freeNonces(look: EvmLook, count: number, { above = -1 }: { above?: number } = {}): Promise<readonly number[]> {
    const free: number[] = [];
    for (let nonce = Math.max(await this.#firstUnknown(look), above + 1); free.length < count; nonce += 1)
      if (!this.#taken.has(nonce)) free.push(nonce);
    return free;
  }

  /** The newest transaction of each nonce that no block has used, in the order in which they can be included. */
  waiting(used: number): readonly Made[] {
    return this.#taken.from(used).flatMap((nonce) => this.holders(nonce).at(-1) ?? []);
  }

  /** Sends again what must precede a transaction and what the node lacks. @throws BackendSilent */
  async sendHelpers({ nonce }: Pick<Made, 'nonce'>, look: EvmLook): Promise<void> {
    const used = await look.used(this.address);
    const helpers = this.waiting(used).filter((made) => made.nonce < nonce && this.#helpers.has(made.id));
    const known = await Promise.all(helpers.map(({ id }) => look.transaction(id)));
    for (const [place, { hex }] of helpers.entries()) if (known[place] === null) await this.reader.send(hex);
  }

  /** Fills every unused nonce below a used one, if it is known that nothing will use it. @throws BackendSilent */
  async fillGaps(look: EvmLook): Promise<void> {
    const top = this.#taken.from(0).at(-1) ?? 0;
    await this.sendHelpers({ nonce: top }, look);
    if (!this.#coins.isTold() || !look.settled) return;
    // After what was sent.
    const [used, first, day] = await Promise.all([
      look.used(this.address),
      this.#firstUnknown(look),
      dayPrices(this.prices, look),
    ]);
    for (let nonce = used; nonce < top; nonce += 1) {
      const helper = this.holders(nonce).findLast(({ id }) => this.#helpers.has(id));
      const price = helper === undefined ? this.#fillerPrice(day) : this.#raised(helper, day);
      if (helper !== undefined && price !== null) await this.#helpDearer(helper, { price, day, look });
      else if (nonce >= first && !this.#taken.has(nonce) && price !== null)
        await this.#help({ ...(await this.#filler(nonce, look)), price }, day);
    }
  }

  /** One that every node refuses does not count: the older one continues to be sent, as the newest valid one. */
  async #helpDearer(
    helper: Made,
    { price, day, look }: { price: Price; day: DayPrices; look: EvmLook },
  ): Promise<void> {
    const dearer = await this.signDearer(helper, price, day);
    const refusal = await this.reader.send(dearer.hex);
    if (refusal === null || isKnownAlready(refusal)) return;
    this.#drop(dearer);
    if ((await look.transaction(helper.id)) === null) await this.reader.send(helper.hex);
  }

  /** Fills gaps as soon as it can, so that a job that waits for its turn finds it done. */
  #fillLater(): void {
    if (!this.#coins.isTold() || this.#taken.isEmpty()) return;
    void this.inTurn(async () => this.fillGaps(await this.reader.look())).catch(() => undefined);
  }

  async #help(content: Content, day: DayPrices): Promise<void> {
    const made = await this.sign(content, day);
    this.#helpers.add(made.id);
    await this.reader.send(made.hex);
  }

  #fillerPrice(day: DayPrices): Price {
    return usualPrice(this.prices, day);
  }

  /** The price that replaces one at which no block includes the helper any more; null if it is enough. */
  #raised(helper: Made, day: DayPrices): Price | null {
    if (leastPrice(this.prices, day).most <= helper.price.most || !canBeDearer(helper)) return null;
    const raised = dearerOf(this.#fillerPrice(day), replacementOf(helper.price));
    return raised.most <= day.ceiling ? raised : null;
  }

  /** A harmless transaction: nothing to oneself; or the approval without which the payment after it would be in vain. */
  async #filler(nonce: number, look: EvmLook): Promise<Omit<Content, 'price'>> {
    const to = this.address;
    const gas = await transferGas(look, { intent: { from: to, to, value: 0n, data: '' }, least: BARE_TRANSFER });
    const bare = { nonce, to, value: 0n, data: '', gas };
    const [next] = this.#taken.from(nonce + 1).flatMap((other) => this.holders(other).at(-1) ?? []);
    const payment = next === undefined ? null : tokenPayment(next);
    if (next === undefined || payment === null) return bare;
    const { token, spender, amount } = payment;
    if ((await allowanceOf(look, { token, owner: this.address, spender })) >= amount) return bare;
    const isLast = nonce === next.nonce - 1;
    return { nonce, to: token, value: 0n, data: approvalCall(spender, isLast ? amount : 0n), gas: APPROVAL_GAS };
  }

  /** If too few nodes answer, by what was settled last: a nonce far above would wait forever. */
  async #firstUnknown(look: EvmLook): Promise<number> {
    if (!look.settled && this.#settled !== null) return this.#settled;
    const [used, promised] = await Promise.all([look.used(this.address), look.promised(this.address)]);
    const first = Math.max(used, promised);
    if (!look.settled) return first;
    this.#settled = first;
    this.#forgetBefore(used - KEPT_NONCES);
    return first;
  }

  /** What the chain used so long ago that nothing brings it back. */
  #forgetBefore(nonce: number): void {
    for (const made of this.prepared.forget((one) => one.from !== this.address || one.nonce < nonce)) {
      this.#drop(made);
      this.offered.delete(made.id);
      this.#takes.delete(made.id);
      this.#approvals.delete(made.id);
    }
  }
}

const APPROVAL_GAS = 60_000n;
/** More than any reorganization undoes. */
const KEPT_NONCES = 1000;

function contentOf({ nonce, to, value, data, gas, price }: Made): Content {
  if (to === null) throw new BackendSilent('no helper creates a contract');
  return { nonce, to, value, data, gas, price };
}

export type TokenPayment = { readonly token: string; readonly spender: string; readonly amount: bigint };

const ONLY_ZEROS = /^0*$/;

type Calling = Pick<Made, 'to' | 'value' | 'data'>;

/** What a payment of tokens takes by its approval; null for anything else. */
export function tokenPayment({ to, value, data }: Calling): TokenPayment | null {
  const call = swapCallOf({ to, value, data });
  if (to === null || call?.kind !== 'payment' || ONLY_ZEROS.test(call.token)) return null;
  return { token: call.token, spender: to, amount: call.amount };
}

/** What a transaction takes from its account of this token by its bytes, in base units. */
function tokensTaken(made: Made, token: string): bigint {
  const payment = tokenPayment(made);
  if (payment !== null) return payment.token === token ? payment.amount : 0n;
  if (made.to !== token) return 0n;
  return decodeTransfer({ to: made.to, value: made.value, data: hexToBytes(made.data) })?.amount ?? 0n;
}

/** The most that a transaction takes from its account of the chain's own coin, in wei. */
export function weiTaken(made: Made): bigint {
  return made.value + feeOf(made);
}

/** What a waiting claim or refund takes at this price per unit of gas beyond what it offers, in wei; 0 for anything else. */
export function weiToRaise({ to, value, data, gas, price }: Made, usual: bigint): bigint {
  const kind = swapCallOf({ to, value, data })?.kind;
  const isEnd = kind === 'claim' || kind === 'refund';
  return isEnd && price.most < usual ? gas * (usual - price.most) : 0n;
}
