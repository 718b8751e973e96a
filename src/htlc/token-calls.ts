import { ripemd160 } from '../primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../primitives/hex.ts';
import { concatBytes } from './byte-writer.ts';
import { ERC20_TRANSFER, type SwapCall } from './evm-calls.ts';

/** Selector of an approval. */
export const ERC20_APPROVE = '095ea7b3';
const ALLOWANCE = 'dd62ed3e';
const BALANCE_OF = '70a08231';
const PAYMENTS = '0716326d';
/** Call data that asks a token for its decimals. */
export const TOKEN_DECIMALS = '313ce567';

const WORD = 64;

/**
 * Call data of a token's transfer, in hex; the amount in base units.
 *
 * @example
 * ```ts
 * import { transferCall } from 'swapfold/htlc';
 *
 * const data = transferCall('22'.repeat(20), 9_650n);
 * data.slice(0, 8); // → 'a9059cbb'
 * data.slice(32, 72); // → '22'.repeat(20)
 * BigInt(`0x${data.slice(72)}`); // → 9_650n
 * ```
 */
export function transferCall(to: string, amount: bigint): string {
  return ERC20_TRANSFER + abiWord(to) + abiWord(amount.toString(16));
}

/**
 * Call data that lets `spender` spend this much of a token, in hex.
 *
 * @example
 * ```ts
 * import { approvalCall } from 'swapfold/htlc';
 *
 * const data = approvalCall('22'.repeat(20), 9_650n);
 * data.slice(0, 8); // → '095ea7b3'
 * BigInt(`0x${data.slice(72)}`); // → 9_650n
 * ```
 */
export function approvalCall(spender: string, amount: bigint): string {
  return ERC20_APPROVE + abiWord(spender) + abiWord(amount.toString(16));
}

/** The amount of an approval for this spender, in base units; undefined for any other call data. */
export function approvedBy(data: string, spender: string): bigint | undefined {
  const head = ERC20_APPROVE + abiWord(spender);
  return data.length === head.length + WORD && data.startsWith(head)
    ? BigInt(`0x${data.slice(head.length)}`)
    : undefined;
}

/**
 * Call data that asks a token for the balance of an account.
 *
 * @example
 * ```ts
 * import { balanceCall } from 'swapfold/htlc';
 *
 * balanceCall('22'.repeat(20)); // → `70a08231${'0'.repeat(24)}${'22'.repeat(20)}`
 * ```
 */
export function balanceCall(owner: string): string {
  return BALANCE_OF + abiWord(owner);
}

/**
 * Call data that asks a token how much of it a spender may spend.
 *
 * @example
 * ```ts
 * import { allowanceCall } from 'swapfold/htlc';
 *
 * const data = allowanceCall({ owner: '11'.repeat(20), spender: '22'.repeat(20) });
 * data.slice(0, 8); // → 'dd62ed3e'
 * [data.slice(32, 72), data.slice(96)]; // → ['11'.repeat(20), '22'.repeat(20)]
 * ```
 */
export function allowanceCall({ owner, spender }: { readonly owner: string; readonly spender: string }): string {
  return ALLOWANCE + abiWord(owner) + abiWord(spender);
}

/**
 * Call data that asks the swap contract what it stores under an id.
 *
 * @example
 * ```ts
 * import { storedPaymentCall } from 'swapfold/htlc';
 *
 * const id = '35053334979f73cf959774c018299f9ad27fe5eaabbcf6da4bb069f817fd0712';
 * storedPaymentCall(id); // → `0716326d${id}`
 * ```
 */
export function storedPaymentCall(id: string): string {
  return PAYMENTS + id;
}

/** What the swap contract stores under an id. */
export type StoredPayment = {
  /** 20 bytes in hex. */
  readonly paymentHash: string;
  readonly lock: bigint;
  /** 0 none, 1 paid, 2 claimed, 3 refunded. */
  readonly state: number;
};

/**
 * Reads the answer to {@link storedPaymentCall}; undefined for one of another size or kind, as from an address without this contract.
 *
 * @example
 * ```ts
 * import { decodeStoredPayment } from 'swapfold/htlc';
 *
 * const lock = (1_734_579_600).toString(16).padStart(64, '0');
 * const answer = `${'ab'.repeat(20).padEnd(64, '0')}${lock}${'1'.padStart(64, '0')}`;
 * const { paymentHash, state } = decodeStoredPayment(answer) ?? {};
 * [paymentHash, state]; // → ['ab'.repeat(20), 1]
 * decodeStoredPayment(''); // → undefined
 * ```
 */
export function decodeStoredPayment(answer: string): StoredPayment | undefined {
  if (answer.length !== 3 * WORD) return undefined;
  const state = BigInt(`0x${answer.slice(2 * WORD)}`);
  if (state > 3n) return undefined;
  return {
    paymentHash: answer.slice(0, 40),
    lock: BigInt(`0x${answer.slice(WORD, 2 * WORD)}`),
    state: Number(state),
  };
}

/**
 * Reads an answer of one number; undefined for one of another size, as from an address without a contract.
 *
 * @example
 * ```ts
 * import { decodeNumberAnswer } from 'swapfold/htlc';
 *
 * decodeNumberAnswer('6'.padStart(64, '0')); // → 6n
 * decodeNumberAnswer(''); // → undefined
 * ```
 */
export function decodeNumberAnswer(answer: string): bigint | undefined {
  return answer.length === WORD ? BigInt(`0x${answer}`) : undefined;
}

/** What a payment without a reward is made of. Hex without 0x; the secret hash has 20 bytes, the amount is in base units. */
export type ContractPayment = Pick<SwapCall, 'token' | 'amount'> & {
  readonly receiver: string;
  readonly sender: string;
  readonly secretHash: string;
};

/**
 * What the swap contract stores of a payment, 40 hex digits: RIPEMD-160 over its parts.
 *
 * @example
 * ```ts
 * import { contractPaymentHash, NO_TOKEN } from 'swapfold/htlc';
 *
 * const parties = { receiver: '22'.repeat(20), sender: '11'.repeat(20) };
 * const terms = { secretHash: '97'.repeat(20), token: NO_TOKEN, amount: 24n * 10n ** 17n };
 * const hash = contractPaymentHash({ ...parties, ...terms });
 * hash; // → 'e72fa4251e4f79fda403440104d3f5f99aa0ff38'
 * ```
 */
export function contractPaymentHash({ receiver, sender, secretHash, token, amount }: ContractPayment): string {
  const parts = [receiver, sender, secretHash, token, abiWord(amount.toString(16))];
  return bytesToHex(ripemd160(concatBytes(parts.map(hexToBytes))));
}

/** A number or an address as call data and answers have it: 32 bytes in hex. */
export function abiWord(hex: string): string {
  return hex.padStart(WORD, '0');
}
