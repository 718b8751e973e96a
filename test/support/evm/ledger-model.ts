import type { Address } from 'viem';
import type { Manner } from './contract-world.ts';
import { ETHER, type Payment, type Reward, TARGET } from './swap-contract.ts';

/** How the account with code takes ether. */
export type Mood = 'takes' | 'refuses' | 'burns';

/** A movement of coins out of the contract. */
type Payout = {
  readonly coin: Address;
  readonly to: Address;
  readonly amount: bigint;
  /** Whether the contract keeps what the account refuses, and goes on. */
  readonly optional?: boolean;
};

type Open = { readonly payment: Payment; state: 'open' | 'claimed' | 'refunded' };

export type Parts = {
  readonly contract: Address;
  readonly plain: Address;
  readonly moody: Address;
  readonly actor: Address;
  readonly accounts: readonly Address[];
};

/** What each account owns, of each coin. */
type Ledger = Map<Address, Map<Address, bigint>>;

const REFUSING: readonly Manner[] = [
  'returns false',
  'returns two',
  'returns one byte',
  'reverts',
  'reverts silently',
  'reverts with true',
];

/**
 * What must become of every call, from the rules of the swap contract and the ledgers of the coins alone: it never asks the contract.
 * A call gives the names of all errors that fit it; it must fail with one of them, or be done where there is none.
 */
export class LedgerModel {
  manner: Manner = 'sound';
  mood: Mood = 'takes';
  readonly payments = new Map<string, Open>();
  /** Wei that the contract keeps for ever: rewards of its own, and those that their senders refused. */
  kept = 0n;
  readonly #parts: Parts;
  readonly #ledger: Ledger;

  constructor(parts: Parts, balance: (coin: Address, account: Address) => bigint) {
    this.#parts = parts;
    const all = [...parts.accounts, parts.contract];
    const coins = [ETHER, parts.plain, parts.moody];
    this.#ledger = new Map(coins.map((coin) => [coin, new Map(all.map((one) => [one, balance(coin, one)]))]));
  }

  owned(coin: Address, account: Address): bigint {
    return this.#ledger.get(coin)?.get(account) ?? 0n;
  }

  /** What all open payments need of a coin. */
  owed(coin: Address): bigint {
    const open = [...this.payments.values()].filter(({ state }) => state === 'open').map(({ payment }) => payment);
    const amounts = open.map(
      (one) => (one.token === coin ? one.amount : 0n) + (coin === ETHER ? besideTokens(one) : 0n),
    );
    return amounts.reduce((sum, amount) => sum + amount, 0n);
  }

  /** A payment with so much ether beside it; for payments of ether that is the amount. */
  pay(payment: Payment, value: bigint): readonly string[] {
    const { id, token, amount, receiver, reward, sender } = payment;
    const faults = rewardFaults(payment);
    if (this.payments.has(id)) faults.push('IdAlreadyUsed');
    if (amount === 0n) faults.push('NothingPaid');
    if (receiver === ETHER || receiver === this.#parts.contract) faults.push('ReceiverCannotClaim');
    if (token !== ETHER && value !== besideTokens(payment)) faults.push(reward === undefined ? '' : 'WrongRewardValue');
    if (token !== ETHER) faults.push(...this.#tokenFaults(payment));
    if (faults.length > 0) return faults;
    this.payments.set(id, { payment, state: 'open' });
    this.#move({ coin: token, from: sender, to: this.#parts.contract, amount });
    const beside = besideTokens(payment);
    this.#move({ coin: ETHER, from: sender, to: this.#parts.contract, amount: beside });
    return [];
  }

  /** A claim or refund of the terms given, by the account given, in a block at the time given. */
  end(
    kind: 'claim' | 'refund',
    terms: Payment,
    by: { readonly from: Address; readonly at: number },
  ): readonly string[] {
    const known = this.payments.get(terms.id);
    if (known === undefined || known.state !== 'open') return ['PaymentNotOpen'];
    const { payment } = known;
    const faults: string[] = [];
    if (kind === 'refund' && by.at < payment.lockTime) faults.push('LockedUntil');
    const named = kind === 'claim' ? { receiver: by.from } : { sender: by.from };
    if (!sameTerms(payment, terms.reward === undefined ? { ...terms, ...named } : terms)) faults.push('TermsDiffer');
    if (faults.length > 0) return faults;
    const payouts = kind === 'claim' ? claimed(payment, by.from) : refunded(payment, by.from);
    const moving = payouts.filter(({ amount }) => amount > 0n);
    const stopped = moving.flatMap((one) => (one.optional ? [] : this.#payoutFaults(one)));
    if (stopped.length > 0) return stopped;
    known.state = kind === 'claim' ? 'claimed' : 'refunded';
    for (const one of moving) {
      // An account with code has not gas enough to take what it may refuse.
      if (one.optional && one.to === this.#parts.actor) this.kept += one.amount;
      else this.#move({ ...one, from: this.#parts.contract });
    }
    const { target, onClaim, amount = 0n } = payment.reward ?? {};
    if (kind === 'claim' && target === TARGET.contract && !onClaim) this.kept += amount;
    return [];
  }

  #payoutFaults({ coin, to }: Payout): readonly string[] {
    if (coin === ETHER) return to === this.#parts.actor && this.mood !== 'takes' ? ['EtherRefused'] : [];
    return coin === this.#parts.moody && REFUSING.includes(this.manner) ? ['TokenRefused'] : [];
  }

  #tokenFaults({ token, sender, amount }: Payment): readonly string[] {
    const poor = this.owned(token, sender) < amount;
    if (token === this.#parts.plain) return poor ? ['TokenRefused'] : [];
    if (REFUSING.includes(this.manner)) return ['TokenRefused'];
    if (this.manner === 'moves nothing') return amount > 0n ? ['TokenAmountDiffers'] : [];
    if (poor) return ['TokenRefused'];
    const fee = this.manner === 'takes a fee' && amount >= 100n;
    return fee || this.manner === 'adds a bonus' ? ['TokenAmountDiffers'] : [];
  }

  #move({ coin, from, to, amount }: Payout & { readonly from: Address }): void {
    const moody = coin === this.#parts.moody;
    if (moody && this.manner === 'moves nothing') return;
    const fee = moody && this.manner === 'takes a fee' ? amount / 100n : 0n;
    const bonus = moody && this.manner === 'adds a bonus' ? 1n : 0n;
    this.#add(coin, { account: from, amount: -amount });
    this.#add(coin, { account: to, amount: amount - fee + bonus });
  }

  #add(coin: Address, { account, amount }: { readonly account: Address; readonly amount: bigint }): void {
    this.#ledger.get(coin)?.set(account, this.owned(coin, account) + amount);
  }
}

function isTaken({ target, onClaim }: Reward): boolean {
  return target !== TARGET.none || onClaim;
}

/** Wei that a payment of tokens needs beside them. */
export function besideTokens({ token, reward }: Payment): bigint {
  if (token === ETHER || reward === undefined || reward.target === TARGET.spender) return 0n;
  return isTaken(reward) ? reward.amount : 0n;
}

function rewardFaults({ token, amount, reward }: Payment): string[] {
  if (reward === undefined) return [];
  const { target, onClaim } = reward;
  const faults: string[] = [];
  if (target > 3) faults.push('UnknownRewardTarget');
  if (onClaim && (target === TARGET.sender || target === TARGET.spender)) faults.push('RewardPromisedTwice');
  const within = token === ETHER || target === TARGET.spender;
  if (within && isTaken(reward) && reward.amount >= amount) faults.push('RewardTakesAll');
  return faults;
}

/** Whether both name the same parties, secret, coin, amount and reward: the lock time is not asked for. */
function sameTerms(left: Payment, right: Payment): boolean {
  const text = ({ sender, receiver, secret, token, amount, reward }: Payment) =>
    [sender, receiver, secret, token, amount, reward?.target, reward?.onClaim, reward?.amount].join();
  return text(left) === text(right);
}

/** Who gets what of a payment once its secret is shown. */
function claimed({ token, amount, reward, receiver, sender }: Payment, caller: Address): readonly Payout[] {
  const whole = { coin: token, to: receiver, amount };
  if (reward === undefined || !isTaken(reward)) return [whole];
  const inTokens = reward.target === TARGET.spender;
  const rest = token === ETHER || inTokens ? { ...whole, amount: amount - reward.amount } : whole;
  const share = { coin: inTokens ? token : ETHER, amount: reward.amount };
  if (inTokens || reward.onClaim) return [rest, { ...share, to: caller }];
  return reward.target === TARGET.sender ? [rest, { ...share, to: sender, optional: true }] : [rest];
}

/** Who gets what of a payment whose lock has ended. */
function refunded({ token, amount, reward, sender }: Payment, caller: Address): readonly Payout[] {
  const whole = { coin: token, to: sender, amount };
  if (reward === undefined || !isTaken(reward)) return [whole];
  const within = token === ETHER || reward.target === TARGET.spender;
  const to = reward.target === TARGET.none ? sender : caller;
  const share = { coin: within ? token : ETHER, to, amount: reward.amount };
  return [within ? { ...whole, amount: amount - reward.amount } : whole, share];
}
