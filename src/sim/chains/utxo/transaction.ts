/** What an output pays to. `data` carries the secret hash of a payment or the name of a fee's swap, `burn` destroys a part of the trading fee. */
export type OutputKind = 'key' | 'htlc' | 'dexFee' | 'burn' | 'data';

export type UtxoOutput = {
  readonly kind: OutputKind;
  /** In base units. */
  readonly value: bigint;
  /** The address, the identity of the hash time lock, or what data names; empty for other data and for burns. */
  readonly lock: string;
};

/** How an input takes an output, with everything that a chain must know to judge it. */
export type Unlock = {
  /** `bare`: a watcher's preimage, which lacks the secret. `unknown`: no rule permits it. */
  readonly by: 'key' | 'secret' | 'refund' | 'bare' | 'unknown';
  /** What it can spend: an address, or the identity of a hash time lock. */
  readonly lock: string;
  /** Address of the key that signed. */
  readonly signer: string;
  /** Whether that key signed this transaction, and the rule asks for this key. */
  readonly signed: boolean;
  /** 32 bytes in hex; null unless by secret. */
  readonly secret: string | null;
  /** Whether the secret has the hash that the hash time lock names. */
  readonly hashed: boolean;
  /** Of the hash time lock, in seconds; 0 for a key. */
  readonly lockTime: number;
};

export type UtxoInput = {
  readonly txid: string;
  readonly vout: number;
  /** Whether the sequence is final, so that the lock time of the transaction does not count. */
  readonly final: boolean;
  readonly unlock: Unlock;
};

/** A transaction, as its bytes state it. */
export type UtxoTransaction = {
  readonly id: string;
  readonly hex: string;
  /** Empty for the outputs with which a simulation starts. */
  readonly inputs: readonly UtxoInput[];
  readonly outputs: readonly UtxoOutput[];
  readonly lockTime: number;
};

/** The size in bytes that KDF assumes for the spend of a hash time lock. */
export const SPEND_SIZE = 496;

const FIXED_SIZE = 10;
const INPUT_SIZE = 148;
const OUTPUT_SIZE = 34;

/** Nominal bytes of a transaction that pays from keys. Outputs of data are not counted. */
export function paymentSize(inputs: number, outputs: number): number {
  return FIXED_SIZE + inputs * INPUT_SIZE + outputs * OUTPUT_SIZE;
}

/** Nominal bytes by which fees are judged, the same for every form of the bytes. */
export function nominalSize({ inputs, outputs }: UtxoTransaction): number {
  if (inputs[0] !== undefined && inputs[0].unlock.by !== 'key') return SPEND_SIZE;
  let counted = 0;
  for (const { kind } of outputs) if (kind !== 'data') counted++;
  return paymentSize(inputs.length, counted);
}

/** Name of an output in the lists of what a transaction takes. */
export function outpointOf({ txid, vout }: Pick<UtxoInput, 'txid' | 'vout'>): string {
  return `${txid}:${vout}`;
}
