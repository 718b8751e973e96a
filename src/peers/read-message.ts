import { z } from 'zod';
import { decimal, flag, hex33, hexBytes, kindOf, orNull, unixSeconds, uuid, whole } from '../events/fields.ts';
import { instructions } from '../events/payloads.ts';
import type { SwapMessage } from '../ports/peers.ts';

// What comes over a network was written by somebody else: it is read into the port's shapes here, or it is no message.
// Unknown members are left out, so that nobody can write into another's log what its vocabulary does not know.

/** Longest hex of a transaction: a standard one has at most 100,000 bytes, a call of a contract far fewer. */
const MAX_TX_DIGITS = 400_000;

const shortHex = hexBytes.refine((digits) => digits.length <= 256, { error: 'expected at most 128 bytes in hex' });
const tx = z.object({
  tx_hex: hexBytes.refine((digits) => digits.length <= MAX_TX_DIGITS, { error: 'expected a transaction of sane size' }),
  tx_hash: shortHex,
});

const common = { started_at: unixSeconds, payment_locktime: unixSeconds, secret_hash: shortHex };
const contracts = { maker_coin_swap_contract: orNull(shortHex), taker_coin_swap_contract: orNull(shortHex) };

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

/** An invoice has some hundred characters. */
const LONGEST_INSTRUCTIONS = 10_000;

function isShort(value: unknown): boolean {
  return JSON.stringify(value).length <= LONGEST_INSTRUCTIONS;
}

const ticker = z.string().min(1).max(64);

/** Bytes as the real node's messages hold them once they are unpacked: a list of numbers. Hex is taken as well. */
function bytesOf<T extends z.ZodType>(schema: T) {
  return z.preprocess(hexOfBytes, schema);
}

function hexOfBytes(value: unknown): unknown {
  const bytes = value instanceof Uint8Array ? [...value] : value;
  if (!Array.isArray(bytes) || bytes.length > MAX_TX_DIGITS / 2) return value;
  let digits = '';
  for (const byte of bytes as unknown[]) {
    if (typeof byte !== 'number' || !Number.isInteger(byte) || byte < 0 || byte > 255) return value;
    digits += byte.toString(16).padStart(2, '0');
  }
  return digits;
}

/** The real node tells neither the amounts nor the taker's key. */
const watch = z.object({
  uuid,
  secret_hash: bytesOf(shortHex),
  maker_payment_spend_preimage: bytesOf(tx.shape.tx_hex),
  taker_payment_refund_preimage: bytesOf(tx.shape.tx_hex),
  swap_started_at: unixSeconds,
  lock_duration: whole,
  taker_coin: ticker,
  taker_amount: orNull(decimal),
  taker_fee_hash: bytesOf(shortHex),
  taker_payment_hash: bytesOf(shortHex),
  taker_coin_start_block: whole,
  taker_payment_confirmations: whole,
  taker_payment_requires_nota: orNull(flag),
  maker_coin: ticker,
  maker_amount: orNull(decimal),
  maker_pub: bytesOf(hex33),
  taker_pub: orNull(hex33),
  maker_payment_hash: bytesOf(shortHex),
  maker_coin_start_block: whole,
});

const swapMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('negotiation'), offer: negotiation }),
  z.object({ kind: z.literal('negotiationReply'), reply: negotiation }),
  z.object({ kind: z.literal('negotiated'), accepted: flag }),
  z.object({ kind: z.literal('takerFee'), tx }),
  z.object({ kind: z.literal('makerPayment'), tx, instructions: instructions.refine(isShort, 'shorter instructions') }),
  z.object({ kind: z.literal('takerPayment'), tx }),
  z.object({ kind: z.literal('watcher'), watch }),
  z.object({ kind: z.literal('transaction'), tx }),
]);

/** A message, or at which member (JSON pointer) it is none. */
export type ReadMessage =
  | { readonly ok: true; readonly message: SwapMessage }
  | { readonly ok: false; readonly path: string; readonly expected: string };

/** Null for a value that throws when it is read, as one may that never left the process. */
function parse(value: unknown): ReturnType<typeof swapMessage.safeParse> | null {
  try {
    return swapMessage.safeParse(value);
  } catch {
    return null;
  }
}

/** Reads a value that another node sent. Hex comes out in lower case. Never throws. */
export function readMessage(value: unknown): ReadMessage {
  const parsed = parse(value);
  if (parsed === null) return { ok: false, path: '', expected: 'a message whose members can be read' };
  if (parsed.success) return { ok: true, message: parsed.data satisfies SwapMessage };
  const issue = parsed.error.issues[0];
  const path = (issue?.path ?? []).map((step) => `/${String(step).slice(0, 40)}`).join('');
  return { ok: false, path, expected: issue?.message ?? `a message, found ${kindOf(value)}` };
}
