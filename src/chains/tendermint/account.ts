import { tendermintAccount, tendermintAddress } from '../../htlc/tendermint-address.ts';
import { TIMEOUT_BLOCKS } from '../../htlc/tendermint-lock.ts';
import type { TendermintMessage } from '../../htlc/tendermint-messages.ts';
import type { Signer } from '../../ports/signer.ts';
import { BackendSilent } from '../../ports/silence.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import { NEVER_TAKEN } from '../accounts/answers.ts';
import { type Joined, JoinedCoins } from '../accounts/joined-coins.ts';
import { TakenNumbers } from '../accounts/taken-numbers.ts';
import { Turns } from '../accounts/turns.ts';
import { type GasKind, gasLimits, type TendermintNetwork } from './coin.ts';
import { Holds } from './holds.ts';
import { leastFee } from './prices.ts';
import type { TendermintLook, TendermintReader } from './reader.ts';
import { isKnownAlready, refusalKind } from './refusals.ts';
import { isOver, isSignedBy, type Made, madeOf, signed } from './transaction.ts';

export type TendermintAccountOptions = {
  readonly reader: TendermintReader;
  readonly signer: Signer;
  readonly network: TendermintNetwork;
};

/** What to sign, without the parts that are the same for the whole account. */
export type Content = Pick<Made, 'messages' | 'memo' | 'sequence' | 'timeout' | 'gas'> & {
  /** In base units. */
  readonly fee: bigint;
};

/**
 * One account of one chain: the only place that assigns its sequences, for all coins that it holds. A transaction keeps its sequence until the chain
 * shows the sequence used, until no block may hold the transaction any more, or until it is given back. An unused sequence below a used one is
 * filled; but only once everything that was signed before is marked.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import {
 *   BackendSilent, createTendermintNodeReader, TendermintAccount,
 * } from 'swapfold/chains/tendermint';
 * import { accountOfAddress, decimalOf, tendermintAccount } from 'swapfold/htlc';
 * import { walletOfPassphrase } from 'swapfold/node';
 *
 * const fees = { denom: 'uiris', decimals: 6, coin: 'IRIS' };
 * const ids = { chainId: 'irishub-1', prefix: 'iaa', module: 'irismod' } as const;
 * const network = { ...ids, fees, gasPrice: decimalOf('0.25') };
 * const node = { name: 'a node', request: () => Promise.reject(new BackendSilent('no answer')) };
 * const reader = createTendermintNodeReader(node, network);
 * const signer = walletOfPassphrase(new Secret('an example')).coins;
 * const account = new TendermintAccount({ reader, signer, network });
 * accountOfAddress('iaa', account.address); // → tendermintAccount(signer.key)
 * account.signBy(walletOfPassphrase(new Secret('another')).coins); // throws RangeError
 * ```
 */
export class TendermintAccount {
  readonly reader: TendermintReader;
  readonly network: TendermintNetwork;
  /** 40 hex digits. */
  readonly account: string;
  /** The same as the chain writes it. */
  readonly address: string;
  /** The public key, 33 bytes in hex. */
  readonly key: string;
  /** By id, what this process signed or an earlier one reported, apart from what is long over. */
  readonly prepared = new Map<string, Made>();
  /** What swaps will still take of each coin of the account. */
  readonly holds: Holds;
  /** Ids of transactions that were to be sent: a log holds them. */
  readonly offered = new Set<string>();
  /** The most gas that nodes have reported for each kind, if above the usual limit. */
  readonly learned = new Map<GasKind, bigint>();
  #signer: Signer;
  readonly #taken = new TakenNumbers<Made>(({ sequence }) => sequence);
  /** Ids of transactions that fill gaps; no log holds them. */
  readonly #fillers = new Set<string>();
  readonly #turns = new Turns();
  readonly #coins = new JoinedCoins(() => this.#fillLater());

  constructor({ reader, signer, network }: TendermintAccountOptions) {
    this.reader = reader;
    this.network = network;
    this.#signer = signer;
    this.account = tendermintAccount(signer.key) ?? '';
    this.address = tendermintAddress(network.prefix, this.account);
    this.key = bytesToHex(signer.key);
    this.holds = new Holds(network.fees.denom);
  }

  /** Signs through another signer of the same key from now on. @throws RangeError for another key */
  signBy(signer: Signer): void {
    if (bytesToHex(signer.key) !== this.key) throw new RangeError('the key of an account stays the same');
    this.#signer = signer;
  }

  /** Runs jobs one after another, even if one fails: each must know what the one before has signed. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.next(work);
  }

  /** Another coin uses the account, named by its ticker. */
  join(coin: string): Joined {
    return this.#coins.join(() => this.holds.forget(coin));
  }

  /** Signs it, and marks its sequence as taken. @throws BackendSilent where the chain does not know the account */
  async sign(content: Content, look: TendermintLook): Promise<Made> {
    const made = await this.signOnly(content, look);
    this.take(made);
    return made;
  }

  /** Signs it and marks nothing: its sequence stays free until it is sent. @throws BackendSilent */
  async signOnly(content: Content, look: TendermintLook): Promise<Made> {
    const state = await look.account(this.address);
    if (state === null) throw new BackendSilent(`the chain does not know ${this.address} yet`);
    const { messages, memo, sequence, timeout, gas, fee } = content;
    const { fees, chainId } = this.network;
    const draft = {
      ...{ messages, memo, timeoutHeight: BigInt(timeout), key: this.#signer.key, sequence: BigInt(sequence), gas },
      fee: [{ denom: fees.denom, amount: fee }],
    };
    return signed(draft, { signer: this.#signer, context: { chainId, accountNumber: state.number } });
  }

  take(made: Made): void {
    this.prepared.set(made.id, made);
    if (made.from !== this.account) return;
    this.#taken.take(made);
  }

  /** Releases the sequence of a transaction that will never go out, unless another one has it. */
  giveBack(made: Made): void {
    if (made.from !== this.account) return;
    this.holds.giveBack(made.id);
    this.#taken.drop(made);
    this.#fillLater();
  }

  /** All transactions signed with a sequence. */
  holders(sequence: number): readonly Made[] {
    return this.#taken.holders(sequence);
  }

  /** How many sequences are used in blocks. @throws BackendSilent */
  async used(look: TendermintLook): Promise<number> {
    return (await look.account(this.address))?.sequence ?? 0;
  }

  /** The first sequence that nothing has and no node knows of. @throws BackendSilent */
  async freeSequence(look: TendermintLook): Promise<number> {
    let free = await this.#firstUnknown(look);
    while (this.#isTaken(free, look.head.height)) free += 1;
    return free;
  }

  /** For each sequence that no block has used, the newest transaction that a block may still include, in order of inclusion. */
  waiting({ used, height }: { readonly used: number; readonly height: number }): readonly Made[] {
    return this.#taken.from(used).flatMap((one) => this.holders(one).findLast((made) => !isOver(made, height)) ?? []);
  }

  /**
   * Makes sure that what comes before a sequence can be included: sends again what no node has, and fills unused sequences if it is known that
   * nothing will use them. @throws BackendSilent
   */
  async fillGaps(look: TendermintLook, below?: number): Promise<void> {
    const first = await this.#firstUnknown(look);
    const top = this.waiting({ used: first, height: look.head.height }).at(-1)?.sequence ?? 0;
    for (let sequence = first; sequence < (below ?? top); sequence += 1) {
      const live = this.holders(sequence).findLast((made) => !isOver(made, look.head.height));
      if (live !== undefined && (this.offered.has(live.id) || this.#fillers.has(live.id)))
        await this.reader.send(live.hex);
      else if (live !== undefined || !this.#coins.isTold() || !look.settled) return;
      else if (!(await this.#fill(sequence, look))) return;
    }
  }

  /** Fills gaps as soon as it can, so that a job that waits for its turn finds it done. */
  #fillLater(): void {
    if (!this.#coins.isTold() || this.#taken.isEmpty()) return;
    void this.inTurn(async () => this.fillGaps(await this.reader.look())).catch(() => undefined);
  }

  /**
   * A harmless transaction: the least amount to oneself, because the chain accepts no empty transfer. False if no node accepts it: then what would
   * follow waits in vain.
   */
  async #fill(sequence: number, look: TendermintLook): Promise<boolean> {
    const { fees } = this.network;
    const messages: readonly TendermintMessage[] = [
      { kind: 'send', from: this.address, to: this.address, coins: [{ denom: fees.denom, amount: 1n }] },
    ];
    const gas = gasLimits(this.network).transfer;
    const fee = leastFee(this.network, gas);
    const made = await this.sign(
      { messages, memo: '', sequence, timeout: look.head.height + TIMEOUT_BLOCKS, gas, fee },
      look,
    );
    this.#fillers.add(made.id);
    const refusal = await this.reader.send(made.hex);
    if (refusal === null || isKnownAlready(refusal)) return true;
    if (NEVER_TAKEN.has(refusalKind(refusal))) this.#taken.drop(made);
    return false;
  }

  #isTaken(sequence: number, height: number): boolean {
    return this.holders(sequence).some((made) => !isOver(made, height));
  }

  /** Counts what waits: only the owner signs for the account, so one node's word is enough. */
  async #firstUnknown(look: TendermintLook): Promise<number> {
    const state = await look.account(this.address);
    if (state === null) return 0;
    if (look.settled) this.#forgetBefore(state.sequence - KEPT_SEQUENCES);
    const context = { chainId: this.network.chainId, accountNumber: state.number };
    const own = (await look.waiting()).filter((hex) => isSignedBy(hex, { key: this.#signer.key, context })).map(madeOf);
    return own.reduce((first, made) => Math.max(first, (made?.sequence ?? -1) + 1), state.sequence);
  }

  /** What blocks have used long ago, from the oldest on where it is very much. The log of its swap knows it, and the chain; a restart forgets it, too. */
  #forgetBefore(sequence: number): void {
    if (this.prepared.size <= 2 * MOST_PREPARED) return;
    for (const made of this.prepared.values()) {
      if (this.prepared.size <= MOST_PREPARED) break;
      const isOwn = made.from === this.account;
      if (isOwn && made.sequence >= sequence) continue;
      if (isOwn) this.#taken.drop(made);
      this.prepared.delete(made.id);
      this.offered.delete(made.id);
      this.#fillers.delete(made.id);
    }
  }
}

/** So many are kept where more than twice as many are over. */
export const MOST_PREPARED = 5000;
/** Of those that blocks have used, the last ones are kept in any case. */
const KEPT_SEQUENCES = 1000;
