import { z } from 'zod';
import { decimal, flag, hex33, hexBytes, kindOf, orNull, unixSeconds, uuid, whole } from '../events/fields.ts';
import { instructions } from '../events/payloads.ts';
import type { SwapMessage, SwapMessageKind } from '../ports/peers.ts';
import { boundedCopy, membersOf, textUpTo } from './bounded-copy.ts';
import { LONGEST_KIND, MESSAGE_BOUNDS } from './message-bounds.ts';

// What comes over a network was written by someone else: it is read into the port's shapes here, or it is no message. It is
// measured and copied first, member by member (`takeMessage`), so that whoever writes much gets little of the receiver's time; only
// the copy, which is small, meets a schema (`readTaken`). Unknown members are omitted, so that nobody can write into another's log
// what its vocabulary does not know.

const tx = z.object({ tx_hex: hexBytes, tx_hash: hexBytes });

const common = { started_at: unixSeconds, payment_locktime: unixSeconds, secret_hash: hexBytes };
const contracts = { maker_coin_swap_contract: orNull(hexBytes), taker_coin_swap_contract: orNull(hexBytes) };

const negotiation = z.discriminatedUnion('version', [
  z.object({ version: z.literal(1), persistent_pubkey: hex33, ...common }),
  z.object({ version: z.literal(2), persistent_pubkey: hex33, ...common, ...contracts }),
  z.object({
    version: z.literal(3),
    maker_coin_htlc_pub: hex33,
    taker_coin_htlc_pub: hex33,
    ...common,
    ...contracts,
  }),
]);

const ticker = z.string().min(1);

/** The real node tells neither the amounts nor the taker's key. */
const watch = z.object({
  uuid,
  secret_hash: hexBytes,
  maker_payment_spend_preimage: hexBytes,
  taker_payment_refund_preimage: hexBytes,
  swap_started_at: unixSeconds,
  lock_duration: whole,
  taker_coin: ticker,
  taker_amount: orNull(decimal),
  taker_fee_hash: hexBytes,
  taker_payment_hash: hexBytes,
  taker_coin_start_block: whole,
  taker_payment_confirmations: whole,
  taker_payment_requires_nota: orNull(flag),
  maker_coin: ticker,
  maker_amount: orNull(decimal),
  maker_pub: hex33,
  taker_pub: orNull(hex33),
  maker_payment_hash: hexBytes,
  maker_coin_start_block: whole,
});

const swapMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('negotiation'), offer: negotiation }),
  z.object({ kind: z.literal('negotiationReply'), reply: negotiation }),
  z.object({ kind: z.literal('negotiated'), accepted: flag }),
  z.object({ kind: z.literal('takerFee'), tx, instructions: instructions.optional() }),
  z.object({ kind: z.literal('makerPayment'), tx, instructions }),
  z.object({ kind: z.literal('takerPayment'), tx }),
  z.object({ kind: z.literal('watcher'), watch }),
  z.object({ kind: z.literal('transaction'), tx }),
]);

type Refused = { readonly ok: false; readonly path: string; readonly expected: string };

/** A message, or the member (JSON pointer) that makes it invalid. */
export type ReadMessage = { readonly ok: true; readonly message: SwapMessage } | Refused;

/**
 * A copy of what may be a message, which holds no more than one may hold; or at which member there is more, or something else. Either
 * way with what it cost to find out: the characters, numbers and members that were read.
 */
export type TakenMessage = { readonly weight: number } & (
  | { readonly ok: true; readonly kind: SwapMessageKind; readonly copy: unknown }
  | Refused
);

export type TakeOptions = {
  /** Which kinds are useful where it came; for others, only the kind is read. @defaultValue all */
  readonly kinds?: ReadonlySet<SwapMessageKind>;
};

/** Measures a value that another node sent, and copies what a message of its kind may hold. Never throws. */
export function takeMessage(value: unknown, { kinds }: TakeOptions = {}): TakenMessage {
  if (typeof value !== 'object' || value === null) {
    return { ok: false, path: '', expected: `expected a message, found ${kindOf(value)}`, weight: 1 };
  }
  const named = boundedCopy(value, KIND);
  if (!named.ok) return named;
  const { kind } = named.value as { readonly kind?: unknown };
  const bound = typeof kind === 'string' ? MESSAGE_BOUNDS.get(kind) : undefined;
  if (bound === undefined || (kinds !== undefined && !kinds.has(kind as SwapMessageKind))) {
    return {
      ok: false,
      path: '/kind',
      expected: 'expected a kind of message that is of use here',
      weight: named.weight,
    };
  }
  const copied = boundedCopy(value, bound);
  const weight = named.weight + copied.weight;
  if (!copied.ok) return { ...copied, weight };
  return { ok: true, kind: kind as SwapMessageKind, copy: { ...(copied.value as object), kind }, weight };
}

const KIND = membersOf({ kind: textUpTo(LONGEST_KIND) });

/** Reads what {@link takeMessage} took. Hex comes out in lower case. */
export function readTaken(taken: TakenMessage): ReadMessage {
  if (!taken.ok) return { ok: false, path: taken.path, expected: taken.expected };
  const parsed = swapMessage.safeParse(taken.copy);
  if (parsed.success) return { ok: true, message: parsed.data satisfies SwapMessage };
  const issue = parsed.error.issues[0];
  const path = (issue?.path ?? []).map((step) => `/${String(step)}`).join('');
  return { ok: false, path, expected: issue?.message ?? 'expected a message' };
}

/** Measures and reads a value that another node sent. Never throws. */
export function readMessage(value: unknown, options: TakeOptions = {}): ReadMessage {
  return readTaken(takeMessage(value, options));
}
