import type { Reward } from '../../../htlc/evm-reward-calls.ts';

/** What a payment promises to anyone who ends it for a party. */
export type CallReward = Reward & {
  /** Account for which it is ended; empty for a payment. */
  readonly owner: string;
};

/** What a transaction of an account does. Addresses and ids are hex; what a kind does not need is empty, zero or null. */
export type Call = {
  readonly kind: 'transfer' | 'payment' | 'claim' | 'refund';
  /** Id of the payment in the swap contract. */
  readonly swap: string;
  /** Who gets a transfer, a payment or what is claimed against; the receiver of a payment that is refunded. */
  readonly party: string;
  /** In base units, of the payment that is claimed or refunded. */
  readonly amount: bigint;
  /** 32 bytes in hex, of a claim. */
  readonly secret: string | null;
  /** Hash of the secret in the form of the contract, of a payment or refund. */
  readonly hash: string;
  /** Of a payment, in seconds; 0 if the chain counts blocks. */
  readonly lockTime: number;
  /** Of a payment, in blocks after its own; 0 if the chain goes by time. */
  readonly lockBlocks: number;
  /** @defaultValue none: a plain call, for the parties alone */
  readonly reward?: CallReward;
};

export type AccountTransaction = {
  readonly id: string;
  readonly hex: string;
  readonly from: string;
  readonly nonce: number;
  /** Price of one unit of gas, in base units. */
  readonly price: number;
  /** Most gas that it may use. */
  readonly gas: number;
  /** What leaves the account besides the fee, in base units. */
  readonly value: bigint;
  readonly call: Call;
  /** Whether the account's key signed it. */
  readonly signed: boolean;
};

/** Gas limits of KDF for each kind of call. */
export const GAS_LIMIT: Readonly<Record<Call['kind'], number>> = {
  transfer: 21_000,
  payment: 65_000,
  claim: 65_000,
  refund: 100_000,
};

/** What a transaction costs before it does anything: nodes accept none with less. For a call with its arguments, nominal. */
export const GAS_OF_ENTRY: Readonly<Record<Call['kind'], number>> = {
  transfer: 21_000,
  payment: 25_000,
  claim: 25_000,
  refund: 25_000,
};

/** What a successful call uses, and what a call that the contract refuses uses. */
export const GAS_USED: Readonly<Record<Call['kind'], number>> = {
  transfer: 21_000,
  payment: 60_000,
  claim: 55_000,
  refund: 50_000,
};
export const GAS_OF_REFUSAL = 30_000;

/** The fee for so much gas, in base units. */
export function feeOf(price: number, gas: number): bigint {
  return BigInt(price) * BigInt(gas);
}

/** Name of an account's nonce in the lists of what a transaction takes. */
export function slotOf({ from, nonce }: Pick<AccountTransaction, 'from' | 'nonce'>): string {
  return `${from}:${nonce}`;
}

export function transferTo(party: string): Call {
  return { kind: 'transfer', swap: '', party, amount: 0n, secret: null, hash: '', lockTime: 0, lockBlocks: 0 };
}
