import { z } from 'zod';
import type { NewRecord } from '../../ports/event-log.ts';
import type { ConfirmationSettings, MakerReserved, MatchBy, TakerRequest } from '../../ports/orders.ts';
import type { Envelope } from '../../primitives/envelope.ts';
import { addFractions, type Fraction, fractionOf, subtractFractions } from '../../primitives/fraction.ts';
import type { Millis } from '../../primitives/time.ts';
import type { MakerOrder, MakerTerms, OrderEnd, TakerMatch, TakerOrder } from './model.ts';

// Orders stand in the log of the node, each in a stream of its own. What a maker answers is not written, since nothing depends on it.
// Which maker a taker connects to is, before that one is told; and what a swap has taken of an order is, before the swap starts.

/** Machine ids of the streams of orders. */
export const ORDER_MACHINES = { maker: 'maker-order', taker: 'taker-order' } as const;

const PAYLOAD_VERSION = 1;

/** Three times the digits of the largest amount there is, so that a record cannot grow without end. */
const LONGEST_FRACTION = 600;

const fraction = z
  .string()
  .max(LONGEST_FRACTION)
  .regex(/^\d+\/[1-9]\d*$/)
  .transform((text): Fraction => {
    const [numer = '0', denom = '1'] = text.split('/');
    return fractionOf(BigInt(numer), BigInt(denom));
  });

export function fractionToText({ numer, denom }: Fraction): string {
  return `${numer}/${denom}`;
}

const count = z.number().int().nonnegative();
const millis = count.transform((value) => value as Millis);
const confirmations: z.ZodType<ConfirmationSettings> = z.object({
  base_confs: count,
  base_nota: z.boolean(),
  rel_confs: count,
  rel_nota: z.boolean(),
});
const matchBy: z.ZodType<MatchBy> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Any') }),
  z.object({ type: z.literal('Orders'), data: z.array(z.string()) }),
  z.object({ type: z.literal('Pubkeys'), data: z.array(z.string()) }),
]);

const makerCreated = z.object({
  base: z.string(),
  rel: z.string(),
  price: fraction,
  max_base_vol: fraction,
  min_base_vol: fraction,
  conf_settings: confirmations,
  offer: z.object({ expires_at: millis, taker: z.string().nullable() }).nullable(),
});

const takerCreated = z.object({
  base: z.string(),
  rel: z.string(),
  base_amount: fraction,
  rel_amount: fraction,
  action: z.enum(['Buy', 'Sell']),
  match_by: matchBy,
  conf_settings: confirmations,
  base_protocol_info: z.string().nullable(),
  rel_protocol_info: z.string().nullable(),
  timeout: count,
  order_type: z.enum(['GoodTillCancelled', 'FillOrKill']),
  min_volume: fraction,
  maker: z.string().nullable(),
});

/** The taker takes the answer of a maker, and tells it next. One that was told before is given up. */
const connecting = z.object({
  maker: z.string(),
  maker_order_uuid: z.string(),
  base: z.string(),
  rel: z.string(),
  base_amount: fraction,
  rel_amount: fraction,
  conf_settings: confirmations,
  base_protocol_info: z.string().nullable(),
  rel_protocol_info: z.string().nullable(),
});

/** A taker took so much of a maker's order: its swap starts. */
const taken = z.object({ taker_order_uuid: z.string(), taker: z.string(), base_amount: fraction });

/** The swap did not start after all. */
const givenBack = z.object({ taker_order_uuid: z.string(), base_amount: fraction });

type Draft = { -readonly [K in keyof MakerOrder]: MakerOrder[K] };

/** How an order's stream begins. */
export function makerOrderCreated(terms: MakerTerms, at: Millis): NewRecord {
  const { price, max_base_vol, min_base_vol } = terms;
  const amounts = textsOf({ price, max_base_vol, min_base_vol });
  return { at, type: 'MakerOrderCreated', version: PAYLOAD_VERSION, data: { ...terms, ...amounts } };
}

export function takerOrderCreated(order: TakerOrder): NewRecord {
  const { request, created_at, match: _match, givenUp: _givenUp, copied: _copied, ...rest } = order;
  const { kind: _kind, uuid: _uuid, ...asked } = request;
  const { base_amount, rel_amount } = asked;
  const amounts = textsOf({ base_amount, rel_amount, min_volume: rest.min_volume });
  const data = { ...asked, ...rest, ...amounts };
  return { at: created_at, type: 'TakerOrderCreated', version: PAYLOAD_VERSION, data };
}

export function takerConnecting({ reserved, from, last_updated }: TakerMatch): NewRecord {
  const { kind: _kind, taker_order_uuid: _uuid, ...terms } = reserved;
  const { base_amount, rel_amount } = terms;
  const data = { maker: from, ...terms, ...textsOf({ base_amount, rel_amount }) };
  return { at: last_updated, type: 'TakerConnecting', version: PAYLOAD_VERSION, data };
}

/** Someone else connects under the uuid of the order. Told once. */
export function takerOrderCopied(by: string, at: Millis): NewRecord {
  return { at, type: 'TakerOrderCopied', version: PAYLOAD_VERSION, data: { by } };
}

type Taken = { readonly taker_order_uuid: string; readonly base_amount: Fraction };

export function orderTaken({ base_amount, ...rest }: Taken & { readonly taker: string }, at: Millis): NewRecord {
  return { at, type: 'OrderTaken', version: PAYLOAD_VERSION, data: { ...rest, ...textsOf({ base_amount }) } };
}

export function orderGivenBack({ base_amount, ...rest }: Taken, at: Millis): NewRecord {
  return { at, type: 'OrderGivenBack', version: PAYLOAD_VERSION, data: { ...rest, ...textsOf({ base_amount }) } };
}

export function orderEnded(reason: OrderEnd, at: Millis): NewRecord {
  return { at, type: 'OrderEnded', version: PAYLOAD_VERSION, data: { reason } };
}

function textsOf(amounts: Readonly<Record<string, Fraction>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, fractionToText(amount)]));
}

/**
 * The order that a stream holds, without what was in memory alone; null when it has ended.
 *
 * @throws ZodError for records that no release wrote
 */
export function foldMakerOrder(uuid: string, records: readonly Envelope[]): MakerOrder | null {
  const [first] = records;
  if (first === undefined || records.at(-1)?.type === 'OrderEnded') return null;
  const terms = makerCreated.parse(first.data);
  const order: Draft = {
    ...terms,
    uuid,
    created_at: first.at,
    matches: new Map(),
    given: fractionOf(0n),
    takers: new Map(),
  };
  for (const { type, data } of records) {
    if (type === 'OrderTaken') {
      const { taker_order_uuid, taker, base_amount } = taken.parse(data);
      order.given = addFractions(order.given, base_amount);
      order.takers = new Map(order.takers).set(taker_order_uuid, taker);
    } else if (type === 'OrderGivenBack') {
      const { taker_order_uuid, base_amount } = givenBack.parse(data);
      order.given = subtractFractions(order.given, base_amount);
      order.takers = new Map([...order.takers].filter(([swap]) => swap !== taker_order_uuid));
    }
  }
  return order;
}

/** How much each swap took of a maker's order, by the taker's order. */
export function takenOf(records: readonly Envelope[]): ReadonlyMap<string, Fraction> {
  const found = new Map<string, Fraction>();
  for (const { type, data } of records) {
    if (type === 'OrderTaken') {
      const { taker_order_uuid, base_amount } = taken.parse(data);
      found.set(taker_order_uuid, base_amount);
    } else if (type === 'OrderGivenBack') found.delete(givenBack.parse(data).taker_order_uuid);
  }
  return found;
}

/** As {@link foldMakerOrder}, of a taker's order, with the maker that it connects to. */
export function foldTakerOrder(uuid: string, records: readonly Envelope[]): TakerOrder | null {
  const [first] = records;
  if (first === undefined || records.at(-1)?.type === 'OrderEnded') return null;
  const { timeout, order_type, min_volume, maker, ...asked } = takerCreated.parse(first.data);
  const request: TakerRequest = { kind: 'takerRequest', uuid, ...asked };
  const told = records.flatMap((record) => (record.type === 'TakerConnecting' ? [matchOf(uuid, record)] : []));
  const match = told.pop() ?? null;
  const givenUp = told.map(({ from }) => from);
  const copied = records.some(({ type }) => type === 'TakerOrderCopied');
  return { request, created_at: first.at, timeout, order_type, min_volume, maker, match, givenUp, copied };
}

function matchOf(taker_order_uuid: string, { data, at: last_updated }: Envelope): TakerMatch {
  const { maker: from, ...terms } = connecting.parse(data);
  const reserved: MakerReserved = { kind: 'makerReserved', taker_order_uuid, ...terms };
  return { reserved, from, last_updated };
}
