import { gasCost } from '../../htlc/contract-output.ts';
import { inputKey } from '../../htlc/key-input.ts';
import { virtualSize } from '../../htlc/spend.ts';
import type { TransactionOutput } from '../../htlc/transaction.ts';
import type { ChainFault } from '../../ports/chain.ts';
import type { Signer } from '../../ports/signer.ts';
import { sameBytes } from '../../primitives/hex.ts';
import { inOrder, MOST_COINS } from './choose-coins.ts';
import { type FeeRate, feeAt, feeWithin, rateOf, type UtxoCoin } from './coin.ts';
import type { Made } from './made.ts';
import type { ChainIndex, Seen } from './reader.ts';
import { Reservations } from './reservations.ts';
import { isReward } from './reward.ts';
import { bareScript, type Coin, ownScript, ownScripts, signCoins, sizeWith } from './sign-coins.ts';
import { holdsTokens } from './slp.ts';

/** What an earlier variant takes and pays, while it may still confirm. The rate is of what it pays beside the gas of its calls. */
export type Replaced = { readonly coins: readonly Coin[]; readonly fee: bigint; readonly rate: FeeRate };

export type Wanted = {
  readonly outputs: readonly TransactionOutput[];
  readonly rate: FeeRate;
  readonly replaced: Replaced | null;
  /** In base units; null for no bound. */
  readonly maxFee: bigint | null;
  /** Whether every input must show the key that signs it, by which others tell who pays. */
  readonly showsKey: boolean;
};

/** Which coins pay, what they make, and what is left to the miner. */
export type Plan = {
  readonly coins: readonly Coin[];
  readonly outputs: readonly TransactionOutput[];
  readonly fee: bigint;
};

export type PurseOptions = {
  readonly index: ChainIndex;
  readonly signer: Signer;
  readonly coin: UtxoCoin;
  /** Where others take coins of the same key. @defaultValue nobody does */
  readonly reservations?: Reservations;
};

/** The coins of one key, and what of them is promised. */
export class Purse {
  /** Output script of the own address. */
  readonly script: Uint8Array;
  readonly #reservations: Reservations;
  readonly #index: ChainIndex;
  readonly #signer: Signer;
  readonly #coin: UtxoCoin;
  /** Of all outputs that count as its, in hex. */
  readonly scripts: readonly string[];
  readonly #bare: Uint8Array;

  constructor({ index, signer, coin, reservations = new Reservations() }: PurseOptions) {
    this.#reservations = reservations;
    this.#index = index;
    this.#signer = signer;
    this.#coin = coin;
    this.script = ownScript(coin, signer.key);
    this.#bare = bareScript(signer.key);
    this.scripts = ownScripts(coin, signer.key);
  }

  /** Everything that was signed here or told from an earlier process, by id. */
  get prepared(): Map<string, Made> {
    return this.#reservations.prepared;
  }

  /** What each swap will still take, in base units. */
  get held(): Map<string, bigint> {
    return this.#reservations.held;
  }

  /** How deep something lies that makes this one impossible, through whatever unconfirmed parents; 0 for nothing. */
  conflictDepth({ txid: own, tx }: Pick<Made, 'txid' | 'tx'>): number {
    let deepest = 0;
    for (const { txid, vout } of tx.inputs) {
      for (const taker of this.#index.takers(txid, vout)) {
        if (taker.txid !== own) deepest = Math.max(deepest, this.#index.depth(taker));
      }
      const parent = this.#index.get(txid) === undefined ? this.prepared.get(txid) : undefined;
      if (parent !== undefined) deepest = Math.max(deepest, this.conflictDepth(parent));
    }
    return deepest;
  }

  /** Marks what it takes as taken. */
  take(made: Made): void {
    this.#reservations.take(made);
  }

  giveBack(made: Made): void {
    this.#reservations.giveBack(made);
  }

  /** All that was signed here or told from an earlier process, and not given back. */
  taking(): ReadonlySet<Made> {
    return this.#reservations.taking();
  }

  /** Whether it was signed here, or told from an earlier process, and not given back. */
  hasTaken(made: Pick<Made, 'txid' | 'tx'>): boolean {
    return this.#reservations.isTaken(made);
  }

  /** Why bytes that somebody signed must not go out: they may take tokens that swaps need. Null where they take none. */
  async objectionTo(made: Made): Promise<ChainFault | null> {
    for (const guard of this.#reservations.guards.values()) {
      const objection = await guard(made);
      if (objection !== null) return objection;
    }
    return null;
  }

  /** Coins that nothing takes and nobody has promised; unconfirmed ones only where nobody else can make them go away. */
  spendable(): bigint {
    return sum(this.#free(true)) + sum(this.#free(false));
  }

  /** What of that was paid to the bare key. */
  bare(): bigint {
    return sum(this.free().filter(({ bare }) => bare));
  }

  /** Of what is spendable the coins that a block holds. */
  confirmed(): readonly Coin[] {
    return this.#free(true);
  }

  /** The same as {@link Purse.spendable}, coin by coin, confirmed ones first. */
  free(): readonly Coin[] {
    return [...this.#free(true), ...this.#free(false)];
  }

  /** Others that were signed here, may still confirm, and take a coin that this one takes. */
  takersBeside(made: Made): readonly Made[] {
    const holders = made.tx.inputs.flatMap((input) => this.holdersOf(input));
    return holders.filter(({ txid }) => txid !== made.txid);
  }

  /** The largest output of the own wallet; null where it has none. */
  largestOf(made: Pick<Made, 'txid' | 'tx'>): Coin | null {
    return this.#coinsOf(made).reduce<Coin | null>(
      (largest, coin) => (largest === null || coin.value > largest.value ? coin : largest),
      null,
    );
  }

  /** What was signed here, may still confirm, and takes this coin. */
  holdersOf({ txid, vout }: Pick<Coin, 'txid' | 'vout'>): readonly Made[] {
    const holders = this.#reservations.holders(`${txid}:${vout}`);
    return holders.filter((holder) => this.conflictDepth(holder) < this.#coin.finality);
  }

  /** All that nothing on the chain or in the mempool takes, promised or not, and apart from it what is too young. */
  balances(): { readonly spendable: bigint; readonly unspendable: bigint } {
    const there = this.#paid().map((seen) => ({
      seen,
      value: sum(this.#coinsOf(seen).filter((coin) => !this.#isTaken(coin))),
    }));
    const young = sum(there.filter(({ seen }) => !this.#isMature(seen)));
    return { spendable: sum(there) - young, unspendable: young };
  }

  /** Change of what is prepared and not on its way. */
  coming(): bigint {
    const waiting = [...this.#reservations.latest()].filter(({ txid }) => this.#index.get(txid) === undefined);
    return sum(waiting.filter((made) => this.conflictDepth(made) === 0).flatMap((made) => this.#coinsOf(made)));
  }

  /** What is signed for here and not taken on the chain or in the mempool: by swaps, and by withdrawals that nobody has sent. */
  signedFor(): bigint {
    const coins = this.#paid().flatMap((seen) => this.#coinsOf(seen));
    return sum(coins.filter((coin) => !this.#isTaken(coin) && this.#isReserved(coin)));
  }

  heldByOthers(swap: string): bigint {
    return [...this.held].reduce((total, [of, amount]) => (of === swap ? total : total + amount), 0n);
  }

  /** Chooses coins: those of the replaced variant, then confirmed ones. `tooFew`: there are none left that may pay. */
  plan(wanted: Wanted): Plan | 'tooFew' | 'tooDear' {
    const coins = [...(wanted.replaced?.coins ?? [])];
    const enough = coins.length > 0 ? this.planWith(coins, wanted) : null;
    if (enough !== null) return enough;
    const value = sum(wanted.outputs);
    let total = sum(coins);
    // A replacement may take no further output that waits (BIP 125, rule 2).
    const waiting = wanted.replaced === null ? this.#free(false) : [];
    const free = [this.#free(true), waiting].map((of) => of.filter(({ bare }) => !(wanted.showsKey && bare)));
    const terms = { outputs: wanted.outputs, rate: wanted.rate, change: this.script };
    for (const coin of free.flatMap((of) => inOrder(of, terms, this.#coin))) {
      if (coins.some(({ txid, vout }) => txid === coin.txid && vout === coin.vout)) continue;
      if (coins.length >= MOST_COINS) return 'tooFew';
      coins.push(coin);
      total += coin.value;
      const plan = total < value ? null : this.planWith(coins, wanted);
      if (plan !== null) return plan;
    }
    return 'tooFew';
  }

  /** Null while these coins do not pay for all of it. */
  planWith(coins: readonly Coin[], { outputs, rate, replaced, maxFee }: Wanted): Plan | 'tooDear' | null {
    const { dust, fees } = this.#coin;
    const value = sum(outputs);
    const change: TransactionOutput = { value: 0n, script: this.script };
    const size = sizeWith(coins.length, [...outputs, change], this.#coin);
    const gas = gasCost(outputs);
    const least = maxOf(replaced?.fee ?? 0n, gas) + feeAt(fees.floor, size);
    const dearer = replaced === null ? rate : maxOf(rate, replaced.rate + fees.floor);
    const fee = feeWithin(gas + feeAt(dearer, size), { least, maxFee });
    if (fee === null) return 'tooDear';
    const left = sum(coins) - value - fee;
    if (left < 0n) return null;
    if (left >= dust) return { coins: [...coins], outputs: [...outputs, { ...change, value: left }], fee };
    // What is too little for an output goes to the miner, where that keeps to the bound and leaves any output at all.
    const isPaid = outputs.length > 0 && (maxFee === null || fee + left <= maxFee);
    return isPaid ? { coins: [...coins], outputs, fee: fee + left } : null;
  }

  sign({ coins, outputs }: Plan): Promise<Made> {
    return signCoins(coins, { outputs, coin: this.#coin, signer: this.#signer });
  }

  /** Null for one that is settled, whose place nothing can take any more, or that is none of this wallet. */
  replacedOf(made: Made | null): Replaced | null {
    if (made === null || (this.#index.get(made.txid)?.height ?? null) !== null) return null;
    if (this.conflictDepth(made) > 0) return null;
    const coins: Coin[] = [];
    for (const { txid, vout } of made.tx.inputs) {
      const parent = this.#index.get(txid) ?? this.prepared.get(txid);
      const coin = parent === undefined ? undefined : this.#coinsOf(parent).find((own) => own.vout === vout);
      if (coin === undefined) return null;
      coins.push(coin);
    }
    const fee = sum(coins) - sum(made.tx.outputs);
    return { coins, fee, rate: rateOf(fee - gasCost(made.tx.outputs), virtualSize(made.tx)) };
  }

  #free(confirmed: boolean): Coin[] {
    return this.#paid()
      .filter(
        (seen) => this.#index.depth(seen) > 0 === confirmed && (confirmed ? this.#isMature(seen) : this.#isOwn(seen)),
      )
      .flatMap((seen) => this.#coinsOf(seen))
      .filter((coin) => !this.#isTaken(coin) && !this.#isReserved(coin));
  }

  #isTaken({ txid, vout }: Coin): boolean {
    return this.#index.takers(txid, vout).length > 0;
  }

  /** What pays to the own address, or to its bare key where that is no address with a witness. */
  #paid(): readonly Seen[] {
    const found = this.scripts.flatMap((script) => this.#index.paying(script));
    return [...new Set(found)];
  }

  #isReserved(coin: Coin): boolean {
    return this.holdersOf(coin).length > 0;
  }

  #isMature(seen: Seen): boolean {
    return !isReward(seen.tx, this.#coin) || this.#index.depth(seen) >= this.#coin.maturity;
  }

  /** Nobody but this wallet can replace these; a claim may be replaced at any moment, and what spends it goes with it. */
  #isOwn({ tx }: Pick<Made, 'tx'>): boolean {
    return tx.inputs.every((input) => {
      const key = inputKey(input);
      if (key === undefined || !sameBytes(key, this.#signer.key)) return false;
      const parent = this.#index.get(input.txid);
      return parent === undefined || parent.height !== null || this.#isOwn(parent);
    });
  }

  #coinsOf({ txid, tx }: Pick<Seen, 'txid' | 'tx'>): Coin[] {
    return tx.outputs.flatMap(({ value, script }, vout) => {
      if (this.#coin.tokens === 'slp' && holdsTokens(tx.outputs, vout)) return [];
      const bare = this.#coin.address === 'p2pkh' && sameBytes(script, this.#bare);
      return bare || sameBytes(script, this.script) ? [{ txid, vout, value, bare }] : [];
    });
  }
}

function sum(values: readonly { readonly value: bigint }[]): bigint {
  return values.reduce((total, { value }) => total + value, 0n);
}

function maxOf(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
