import { z } from 'zod';
import { flag, hex32, hexBytes, kindOf, orNull, uuid, whole } from '../events/fields.ts';
import type { OrderMessage } from '../ports/orders.ts';
import type { Fraction } from '../primitives/fraction.ts';
import { type Bound, boundedCopy, hexUpTo, listUpTo, membersOf, textUpTo, wholeUpTo } from './bounded-copy.ts';
import { LONGEST_KIND, MESSAGE_LIMITS } from './message-bounds.ts';

// As with messages of a swap: measured and copied first, then read by a schema. Unknown members are omitted.

/** The most that a message about orders may hold, beside `MESSAGE_LIMITS`. */
export const ORDER_LIMITS = {
  /** Bits of a numerator or a denominator: more than the digits of any amount that the real node writes. */
  fractionBits: 512,
  /** Orders or keys that one request names. */
  named: 256,
  /** Bytes of what a wallet says of a coin's protocol; the real node's longest has some 40. */
  protocolBytes: 256,
} as const;

const { fractionBits, named, protocolBytes } = ORDER_LIMITS;
const ticker = textUpTo(MESSAGE_LIMITS.ticker);
const id = textUpTo(MESSAGE_LIMITS.uuid);
const small = textUpTo(32);
const fraction = membersOf({ numer: wholeUpTo(fractionBits), denom: wholeUpTo(fractionBits) });
const orders = { taker_order_uuid: id, maker_order_uuid: id };
const amounts = {
  base: ticker,
  rel: ticker,
  base_amount: fraction,
  rel_amount: fraction,
  conf_settings: membersOf({ base_confs: small, base_nota: small, rel_confs: small, rel_nota: small }),
  base_protocol_info: hexUpTo(protocolBytes),
  rel_protocol_info: hexUpTo(protocolBytes),
};
const matchBy = membersOf({ type: small, data: listUpTo(named, textUpTo(64)) });

const BOUNDS: ReadonlyMap<unknown, Bound> = new Map(
  Object.entries({
    takerRequest: membersOf({ uuid: id, ...amounts, action: small, match_by: matchBy }),
    makerReserved: membersOf({ ...orders, ...amounts }),
    takerConnect: membersOf(orders),
    makerConnected: membersOf(orders),
  } satisfies Record<OrderMessage['kind'], Bound>),
);

/** Above zero, in lowest terms as the real node keeps it, whatever the sender made of it. */
const amount = z
  .object({ numer: z.bigint(), denom: z.bigint() })
  .refine(({ numer, denom }) => numer > 0n && denom > 0n, { error: 'expected an amount above zero' })
  .transform(lowest);

const name = z.string().min(1);
const confirmations = z.object({ base_confs: whole, base_nota: flag, rel_confs: whole, rel_nota: flag });
const traded = {
  base: name,
  rel: name,
  base_amount: amount,
  rel_amount: amount,
  conf_settings: confirmations,
  base_protocol_info: orNull(hexBytes),
  rel_protocol_info: orNull(hexBytes),
};
const match = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Any') }),
  z.object({ type: z.literal('Orders'), data: z.array(uuid) }),
  z.object({ type: z.literal('Pubkeys'), data: z.array(hex32) }),
]);
const matched = { taker_order_uuid: uuid, maker_order_uuid: uuid };

const orderMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('takerRequest'), uuid, ...traded, action: z.enum(['Buy', 'Sell']), match_by: match }),
  z.object({ kind: z.literal('makerReserved'), ...matched, ...traded }),
  z.object({ kind: z.literal('takerConnect'), ...matched }),
  z.object({ kind: z.literal('makerConnected'), ...matched }),
]);

/** A message about orders, or the member (JSON pointer) that makes it invalid. */
export type ReadOrderMessage =
  | { readonly ok: true; readonly message: OrderMessage }
  | { readonly ok: false; readonly path: string; readonly expected: string };

const KIND = membersOf({ kind: textUpTo(LONGEST_KIND) });

/** Measures and reads a value that another node sent. Hex comes out in lower case, amounts in lowest terms. Never throws. */
export function readOrderMessage(value: unknown): ReadOrderMessage {
  if (typeof value !== 'object' || value === null) {
    return { ok: false, path: '', expected: `expected a message about orders, found ${kindOf(value)}` };
  }
  const kinded = boundedCopy(value, KIND);
  if (!kinded.ok) return { ok: false, path: kinded.path, expected: kinded.expected };
  const { kind } = kinded.value as { readonly kind?: unknown };
  const bound = BOUNDS.get(kind);
  if (bound === undefined) return { ok: false, path: '/kind', expected: 'expected a kind of message about orders' };
  const copied = boundedCopy(value, bound);
  if (!copied.ok) return { ok: false, path: copied.path, expected: copied.expected };
  const parsed = orderMessage.safeParse({ ...(copied.value as object), kind });
  if (parsed.success) return { ok: true, message: parsed.data };
  const [issue] = parsed.error.issues;
  const path = (issue?.path ?? []).map((step) => `/${String(step)}`).join('');
  return { ok: false, path, expected: issue?.message ?? 'expected a message about orders' };
}

function lowest({ numer, denom }: Fraction): Fraction {
  let [high, low] = [numer, denom];
  while (low !== 0n) [high, low] = [low, high % low];
  return { numer: numer / high, denom: denom / high };
}
