import { sha256 } from '../primitives/hash.ts';
import { bytesToHex } from '../primitives/hex.ts';
import { concatBytes, uintBytes } from './byte-writer.ts';
import { type EvmTransaction, evmCall } from './evm-transaction.ts';
import { bytesNumber } from './rlp.ts';

/** Selectors of KDF's swap contract. */
export const ETH_PAYMENT = '152cf3af';
export const ERC20_PAYMENT = '9b415b2a';
export const RECEIVER_SPEND = '02ed292b';
export const SENDER_REFUND = '46fc0294';
/** Selector of an ERC-20 transfer, which pays fees of tokens. */
export const ERC20_TRANSFER = 'a9059cbb';

/** The content of a call of the swap contract. Hex without 0x, lower case; amounts in base units. */
export type SwapCall = {
  readonly kind: 'payment' | 'claim' | 'refund';
  readonly swapId: string;
  readonly amount: bigint;
  /** All zeros for the chain's own coin. */
  readonly token: string;
  /** The other party: the receiver of a payment or refund, the sender of a claimed payment. */
  readonly party: string;
  readonly secretHash?: string;
  readonly lockTime?: bigint;
};

/** Instead of a token's address: the chain's own coin. */
export const NO_TOKEN = '0'.repeat(40);

/**
 * Reads a call of one of the four functions of the swap contract; undefined for any other call.
 *
 * @example
 * ```ts
 * import { decodeSwapCall, encodeSwapCall, hexToBytes, NO_TOKEN } from 'swapfold/htlc';
 *
 * const to = '8500afc0bc5214728082163326c2ff0c73f4a871';
 * const paid = { swapId: '35'.repeat(32), amount: 0n, token: NO_TOKEN, party: '22'.repeat(20) };
 * const hash = { secretHash: '97'.repeat(20), lockTime: 1_734_579_600n };
 * const data = hexToBytes(encodeSwapCall({ kind: 'payment', ...paid, ...hash }));
 * const { kind, amount, lockTime } = decodeSwapCall({ to, value: 24n, data }) ?? {};
 * [kind, amount, lockTime]; // → ['payment', 24n, 1_734_579_600n]
 * ```
 */
export function decodeSwapCall(transaction: EvmTransaction): SwapCall | undefined {
  const call = evmCall(transaction);
  if (call === undefined) return undefined;
  const { selector, words } = call;
  const [swapId, ...rest] = words.map(bytesToHex);
  if (swapId === undefined) return undefined;
  const numbers = words.slice(1).map(bytesNumber);
  if (selector === ETH_PAYMENT && rest.length === 3) {
    const [party = '', secretHash = ''] = rest;
    return {
      kind: 'payment',
      swapId,
      amount: transaction.value,
      token: NO_TOKEN,
      party: address(party),
      secretHash: first20(secretHash),
      lockTime: numbers[2] ?? 0n,
    };
  }
  if (selector === ERC20_PAYMENT && rest.length === 5) {
    const [, token = '', party = '', secretHash = ''] = rest;
    return {
      kind: 'payment',
      swapId,
      amount: numbers[0] ?? 0n,
      token: address(token),
      party: address(party),
      secretHash: first20(secretHash),
      lockTime: numbers[4] ?? 0n,
    };
  }
  if (rest.length !== 4 || (selector !== RECEIVER_SPEND && selector !== SENDER_REFUND)) return undefined;
  const [, hash = '', token = '', party = ''] = rest;
  const base = { swapId, amount: numbers[0] ?? 0n, token: address(token), party: address(party) };
  return selector === RECEIVER_SPEND
    ? { kind: 'claim', ...base }
    : { kind: 'refund', ...base, secretHash: first20(hash) };
}

/** A call to build: a complete {@link SwapCall}. Hex without 0x; amounts in base units. */
export type SwapCallArguments = Pick<SwapCall, 'swapId' | 'amount' | 'token' | 'party'> &
  (
    | { readonly kind: 'payment'; readonly secretHash: string; readonly lockTime: bigint }
    | { readonly kind: 'claim'; readonly secret: string }
    | { readonly kind: 'refund'; readonly secretHash: string }
  );

/**
 * The call data in hex, selector first. A payment of the chain's own coin carries its amount as the value of the transaction;
 * everywhere else the amount is an argument. A secret hash is in its 20-byte form.
 *
 * @example
 * ```ts
 * import { encodeSwapCall, NO_TOKEN } from 'swapfold/htlc';
 *
 * const paid = { swapId: '35'.repeat(32), amount: 24n * 10n ** 17n, token: NO_TOKEN };
 * const party = '7e5f4552091a69125d5dfcb7b8c2659029395bdf';
 * const data = encodeSwapCall({ kind: 'claim', ...paid, party, secret: '5e'.repeat(32) });
 * data.slice(0, 8); // → '02ed292b'
 * data.slice(8 + 2 * 64, 8 + 3 * 64); // → '5e'.repeat(32)
 * data.slice(-40); // → party
 * ```
 */
export function encodeSwapCall(call: SwapCallArguments): string {
  const { kind, swapId, token, party } = call;
  const amount = word(call.amount.toString(16));
  if (kind === 'claim') return RECEIVER_SPEND + swapId + amount + word(call.secret) + word(token) + word(party);
  const hash = call.secretHash.padEnd(WORD_DIGITS, '0');
  if (kind === 'refund') return SENDER_REFUND + swapId + amount + hash + word(token) + word(party);
  const lockTime = word(call.lockTime.toString(16));
  if (token === NO_TOKEN) return ETH_PAYMENT + swapId + word(party) + hash + lockTime;
  return ERC20_PAYMENT + swapId + amount + word(token) + word(party) + hash + lockTime;
}

const WORD_DIGITS = 64;

function word(hex: string): string {
  return hex.padStart(WORD_DIGITS, '0');
}

/**
 * The id under which the swap contract stores a payment, 64 hex digits: SHA-256 over the lock time (4 bytes, least significant first) and the secret
 * hash as negotiated.
 *
 * @throws RangeError if the lock time does not fit 4 bytes.
 *
 * @example
 * ```ts
 * import { contractSwapId, hexToBytes } from 'swapfold/htlc';
 *
 * const secretHash = hexToBytes('97f55bb66bf6ae306e3a0e1e22cdd69221084a9d');
 * const id = contractSwapId(1_734_579_600, secretHash);
 * id; // → '35053334979f73cf959774c018299f9ad27fe5eaabbcf6da4bb069f817fd0712'
 * ```
 */
export function contractSwapId(lockTime: number, secretHash: Uint8Array): string {
  return bytesToHex(sha256(concatBytes([uintBytes(lockTime, 4), secretHash])));
}

/** An address fills the end of its word, `bytes20` the start. */
function address(word: string): string {
  return word.slice(24);
}

function first20(word: string): string {
  return word.slice(0, 40);
}

/**
 * The recipient and amount of a fee, in base units: a plain transfer of the chain's coin, or a token transfer. Undefined for any other transaction.
 *
 * @example
 * ```ts
 * import { decodeTransfer, hexToBytes, transferCall } from 'swapfold/htlc';
 *
 * const [token, to] = ['d362e096e873eb7907e205fadc6175c6fec7bc44', '22'.repeat(20)];
 * const data = hexToBytes(transferCall(to, 9_650n));
 * decodeTransfer({ to: token, value: 0n, data }); // → { to, amount: 9_650n, token: true }
 * const bare = decodeTransfer({ to, value: 386n, data: new Uint8Array(0) });
 * bare; // → { to, amount: 386n, token: false }
 * ```
 */
export function decodeTransfer(
  transaction: EvmTransaction,
): { readonly to: string; readonly amount: bigint; readonly token: boolean } | undefined {
  if (transaction.data.length === 0) {
    return transaction.to === undefined ? undefined : { to: transaction.to, amount: transaction.value, token: false };
  }
  const call = evmCall(transaction);
  const [to, amount] = call?.words ?? [];
  if (call?.selector !== ERC20_TRANSFER || to === undefined || amount === undefined) return undefined;
  return { to: address(bytesToHex(to)), amount: bytesNumber(amount), token: true };
}
