import { keccak256 } from '../primitives/hash.ts';
import { bytesToHex } from '../primitives/hex.ts';

/** An event of a contract in a transaction. Hex without 0x, lower case. */
export type ContractLog = { readonly contract: string; readonly topics: readonly string[]; readonly data: string };

const topicOf = (signature: string): string => bytesToHex(keccak256(new TextEncoder().encode(signature)));

const SWAP_TOPICS = {
  paid: topicOf('PaymentSent(bytes32)'),
  claimed: topicOf('ReceiverSpent(bytes32,bytes32)'),
  refunded: topicOf('SenderRefunded(bytes32)'),
} as const;

/** Events of the swap contract about a payment. */
export type SwapEventKind = keyof typeof SWAP_TOPICS;

export type SwapEventQuery = { readonly kind: SwapEventKind; readonly contract: string; readonly id: string };

/** Topic of a token's `Transfer`, which names the sender and the receiver. */
export const TRANSFER_TOPIC = topicOf('Transfer(address,address,uint256)');

const WORD = 64;

/** Whether the swap contract reports this event for the payment with this id. */
export function isSwapEvent({ contract, topics, data }: ContractLog, query: SwapEventQuery): boolean {
  return contract === query.contract && topics[0] === SWAP_TOPICS[query.kind] && data.slice(0, WORD) === query.id;
}

/** The secret that the event of a claim reveals, 32 bytes in hex; null for any other event. */
export function secretTold({ data }: Pick<ContractLog, 'data'>, kind: SwapEventKind): string | null {
  return kind === 'claimed' ? data.slice(WORD, 2 * WORD) : null;
}

/** An account as an event topic. */
export function topicOfAccount(account: string): string {
  return account.padStart(WORD, '0');
}

/** Accounts in hex; the amount in base units. */
export type TokenMove = {
  readonly token: string;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
};

/** Whether a token reports that it moved exactly this. */
export function isTokenMove({ contract, topics, data }: ContractLog, { token, from, to, amount }: TokenMove): boolean {
  const [topic, sender, receiver] = topics;
  return (
    contract === token &&
    topic === TRANSFER_TOPIC &&
    sender === topicOfAccount(from) &&
    receiver === topicOfAccount(to) &&
    data === amount.toString(16).padStart(WORD, '0')
  );
}
