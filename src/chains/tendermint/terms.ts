import { moduleSwapId } from '../../htlc/module-swap-id.ts';
import { tendermintAccount, tendermintAddress } from '../../htlc/tendermint-address.ts';
import { frameworkLockBlocks } from '../../htlc/tendermint-lock.ts';
import {
  type ClaimHtlc,
  type CreateHtlc,
  coinsText,
  type HtlcModule,
  type ModuleCoin,
} from '../../htlc/tendermint-messages.ts';
import type { StoredHtlc } from '../../htlc/tendermint-stored.ts';
import type { PaymentTerms } from '../../ports/chain.ts';
import { toBaseUnits } from '../../primitives/decimal.ts';
import { hexToBytes, isHex } from '../../primitives/hex.ts';
import type { Parts } from './parts.ts';
import type { Made } from './transaction.ts';

/** The terms of a payment in the words of the HTLC module. */
export type Named = {
  readonly module: HtlcModule;
  /** 64 hex digits in upper case. */
  readonly id: string;
  /** Addresses. */
  readonly sender: string;
  readonly receiver: string;
  readonly coins: readonly ModuleCoin[];
  /** SHA-256 of the secret, 64 hex digits in lower case. */
  readonly secretHash: string;
  /** When it is to come back, in seconds. */
  readonly lock: number;
  /** For how many blocks nodes of the framework lock it; null if it is unknown what they count from. */
  readonly blocks: number | null;
};

const HASH_DIGITS = 64;
const KEY_DIGITS = 66;
const ACCOUNT_DIGITS = 40;

/** Null for terms that the module cannot hold, and on a chain without one. */
export function namedOf(terms: PaymentTerms, { coin, account }: Parts): Named | null {
  const { module, prefix } = account.network;
  const [sender, receiver] = [accountOfKey(terms.sender), accountOfKey(terms.receiver)];
  if (module === null || sender === null || receiver === null || terms.contract !== null) return null;
  if (terms.secretHash.length !== HASH_DIGITS || !isHex(terms.secretHash)) return null;
  const coins = [{ denom: coin.denom, amount: toBaseUnits(terms.amount, coin.decimals) }];
  const secretHash = terms.secretHash.toLowerCase();
  const id = moduleSwapId({
    ...{ secretHash: hexToBytes(secretHash), sender: hexToBytes(sender), receiver: hexToBytes(receiver) },
    coins: coinsText(coins),
  });
  return {
    ...{ module, id: id.toUpperCase(), coins, secretHash, lock: terms.lock },
    blocks: terms.counted === undefined ? null : frameworkLockBlocks(terms.counted.duration, coin.blockTime),
    ...{ sender: tendermintAddress(prefix, sender), receiver: tendermintAddress(prefix, receiver) },
  };
}

/** The account of a public key of 33 bytes in hex, or an account itself, of 20; null for what is neither. */
export function accountOfKey(key: string): string | null {
  if (key.length === ACCOUNT_DIGITS && isHex(key)) return key.toLowerCase();
  if (key.length !== KEY_DIGITS || !isHex(key)) return null;
  return tendermintAccount(hexToBytes(key)) ?? null;
}

/** The single message of a transaction that makes or claims an HTLC payment; null for anything else. */
export function callOf(
  { messages }: Pick<Made, 'messages'>,
  named: Pick<Named, 'module'>,
): CreateHtlc | ClaimHtlc | null {
  const [message] = messages;
  if (message === undefined || messages.length > 1) return null;
  if (message.kind !== 'create' && message.kind !== 'claim') return null;
  return message.module === named.module ? message : null;
}

/** Whether a payment is under the id of these terms, whatever else it says. */
export function isUnderId({ sender, to, coins, hashLock }: CreateHtlc, named: Named): boolean {
  const rest = coinsText(coins) === coinsText(named.coins) && hashLock.toLowerCase() === named.secretHash;
  return rest && sender === named.sender && to === named.receiver;
}

/** Blocks by which a lock may be shorter than the agreed time at the nominal pace, and still be taken for one that keeps its terms. */
const TOLERATED_BLOCKS = 10;

type Locked = { readonly named: Pick<Named, 'lock' | 'blocks'>; readonly paidAt: number; readonly blockTime: number };

/**
 * Why a lock of so many blocks from this moment on does not keep a payment until its end, in seconds; null where it does. Of nodes of the framework it
 * keeps its terms by so many blocks as they count, and by no fewer; whether that is long enough for money is another question.
 */
export function lockProblem(blocks: number, { named, paidAt, blockTime }: Locked): string | null {
  const { lock, blocks: least } = named;
  if (least !== null)
    return blocks >= least ? null : `Payment tx time_lock of ${blocks} blocks is invalid, expected ${least}`;
  if (paidAt + (blocks + TOLERATED_BLOCKS) * blockTime >= lock) return null;
  return `Payment tx time_lock of ${blocks} blocks ends before ${lock}`;
}

/** Why a transaction does not pay what the terms ask for, apart from its lock; null if it does. */
export function callProblem(made: Made, named: Named): string | null {
  const call = callOf(made, named);
  if (call === null || call.kind !== 'create') return `Payment tx ${made.id} is no payment of the HTLC module`;
  const wrong = (name: string, found: string, expected: string) =>
    found === expected ? null : `Payment tx ${name} ${found} is invalid, expected ${expected}`;
  return (
    wrong('sender', call.sender, named.sender) ??
    wrong('receiver', call.to, named.receiver) ??
    wrong('amount', coinsText(call.coins), coinsText(named.coins)) ??
    wrong('hash_lock', call.hashLock.toLowerCase(), named.secretHash) ??
    wrong('timestamp', String(call.timestamp), '0') ??
    (call.isTransfer ? 'Payment tx is a transfer between chains' : null)
  );
}

/** Why what the module keeps under the id is not the payment of the terms, but for its lock; null where it is. */
export function storedProblem(stored: StoredHtlc, named: Named): string | null {
  const { sender, to, coins, hashLock, timestamp, isTransfer } = stored;
  const call = { sender, to, coins, hashLock, timestamp, isTransfer, timeLock: 0n };
  const same = isUnderId({ kind: 'create', module: named.module, ...call }, named);
  if (!same) return `HTLC ${named.id} of the module is another payment`;
  // With a timestamp, the hash lock has another form, which no secret of a swap opens.
  if (timestamp !== 0n) return `HTLC ${named.id} of the module has the timestamp ${timestamp}, expected 0`;
  return isTransfer ? `HTLC ${named.id} of the module is a transfer between chains` : null;
}
