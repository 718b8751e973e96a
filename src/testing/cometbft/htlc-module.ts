import { moduleSwapId } from '../../htlc/module-swap-id.ts';
import { accountOfAddress } from '../../htlc/tendermint-address.ts';
import { LEAST_LOCK_BLOCKS, MOST_LOCK_BLOCKS } from '../../htlc/tendermint-lock.ts';
import { type ClaimHtlc, type CreateHtlc, coinsText } from '../../htlc/tendermint-messages.ts';
import { sha256 } from '../../primitives/hash.ts';
import { bytesToHex, hexToBytes, isHex } from '../../primitives/hex.ts';
import type { AppEvent, Refused } from './result.ts';
import { type AppState, MODULE_ACCOUNT, moved, withPayment } from './state.ts';

/** What a message does to the state, or why it does nothing. */
export type Effect = { readonly state: AppState; readonly events: readonly AppEvent[] } | { readonly refused: Refused };

const INVALID_LOCK = 3;
const INVALID_HASH = 4;
const INVALID_SECRET = 5;
const EXISTS = 6;
const UNKNOWN = 7;
const NOT_OPEN = 8;

function refuse(code: number, log: string): Effect {
  return { refused: { code, codespace: 'htlc', log } };
}

/** Where the chain stands while a message has its effect. */
export type At = { readonly height: bigint; readonly prefix: string };

/** A payment that comes back by itself at the begin of the block in which its lock ends. */
export function createHtlc(state: AppState, message: CreateHtlc, { height, prefix }: At): Effect {
  const { sender, to, coins, hashLock, timestamp, timeLock, isTransfer } = message;
  if (timeLock < BigInt(LEAST_LOCK_BLOCKS) || timeLock > BigInt(MOST_LOCK_BLOCKS))
    return refuse(INVALID_LOCK, `the time lock must be between [${LEAST_LOCK_BLOCKS},${MOST_LOCK_BLOCKS}]`);
  if (hashLock.length !== 64 || !isHex(hashLock)) return refuse(INVALID_HASH, 'length of the hash lock must be 64');
  const [payer, receiver] = [accountOfAddress(prefix, sender), accountOfAddress(prefix, to)];
  if (payer === undefined || receiver === undefined || isTransfer) return refuse(UNKNOWN, 'invalid address');
  if (coins.length === 0 || coins.some(({ amount }) => amount <= 0n))
    return refuse(INVALID_LOCK, 'the transferred amount must be valid');
  const id = moduleSwapId({
    ...{ secretHash: hexToBytes(hashLock), sender: hexToBytes(payer), receiver: hexToBytes(receiver) },
    coins: coinsText(coins),
  }).toUpperCase();
  if (state.payments.has(id)) return refuse(EXISTS, `the HTLC already exists: ${id}`);
  const paid = moved(state, { from: sender, to: MODULE_ACCOUNT, coins });
  if (paid === null) return { refused: { code: 5, codespace: 'sdk', log: 'insufficient funds' } };
  const expirationHeight = height + timeLock;
  const kept = { id, sender, to, coins, hashLock, secret: '', timestamp, expirationHeight, closedBlock: 0n };
  const event = { type: 'create_htlc', attributes: { id, sender, receiver: to, hash_lock: hashLock } };
  return { state: withPayment(paid, { ...kept, state: 'open', isTransfer: false }), events: [event] };
}

/** Anyone may claim with the secret while the payment is open; its receiver gets it. */
export function claimHtlc(state: AppState, { sender, id, secret }: ClaimHtlc, { height }: At): Effect {
  const kept = state.payments.get(id);
  if (kept === undefined) return refuse(UNKNOWN, `unknown HTLC: ${id}`);
  if (kept.state !== 'open') return refuse(NOT_OPEN, `the HTLC is not open: ${id}`);
  if (secret.length !== 64 || !isHex(secret)) return refuse(INVALID_SECRET, 'length of the secret must be 64');
  if (bytesToHex(sha256(hexToBytes(secret))) !== kept.hashLock.toLowerCase())
    return refuse(INVALID_SECRET, 'the secret is invalid');
  const paid = moved(state, { from: MODULE_ACCOUNT, to: kept.to, coins: kept.coins });
  if (paid === null) throw new Error('the module holds less than it owes');
  const event = {
    type: 'claim_htlc',
    attributes: { id, sender, recipient: kept.to, hash_lock: kept.hashLock, secret },
  };
  return {
    state: withPayment(paid, { ...kept, secret, state: 'completed', closedBlock: height }),
    events: [event],
  };
}

/** Gives back what is locked no longer, before anything else in a block. */
export function refundExpired(state: AppState, height: bigint): AppState {
  let next = state;
  for (const kept of state.payments.values()) {
    if (kept.state !== 'open' || kept.expirationHeight > height) continue;
    const back = moved(next, { from: MODULE_ACCOUNT, to: kept.sender, coins: kept.coins });
    if (back === null) throw new Error('the module holds less than it owes');
    next = withPayment(back, { ...kept, state: 'refunded', closedBlock: height });
  }
  return next;
}
