import { z } from 'zod';
import { amount, count, none, resultOf, uuid } from './form.ts';

const bigInteger = z.tuple([z.number(), z.array(count)]);
/** `[[sign, [digits of 32 bits, least first]], the same of the denominator]`. */
const ratio = z.tuple([bigInteger, bigInteger]);
const fraction = z.object({ numer: z.string(), denom: z.string() });
/** A number in any of the real node's spellings. */
const anyAmount = z.union([z.string(), z.number(), fraction, ratio]);

const confirmations = {
  base_confs: count.nullish(),
  base_nota: z.boolean().nullish(),
  rel_confs: count.nullish(),
  rel_nota: z.boolean().nullish(),
};
const settings = z.strictObject({
  base_confs: count,
  base_nota: z.boolean(),
  rel_confs: count,
  rel_nota: z.boolean(),
});
const matchBy = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Any') }),
  z.object({ type: z.literal('Orders'), data: z.array(uuid) }),
  z.object({ type: z.literal('Pubkeys'), data: z.array(z.string()) }),
]);
const orderType = z.strictObject({ type: z.enum(['FillOrKill', 'GoodTillCancelled']) });
const tickers = { base_orderbook_ticker: z.string().nullable(), rel_orderbook_ticker: z.string().nullable() };
const ends = { sender_pubkey: z.string(), dest_pub_key: z.string() };
const amounts = { base_amount: amount, base_amount_rat: ratio, rel_amount: amount, rel_amount_rat: ratio };
const pair = { base: z.string(), rel: z.string() };
const ids = { taker_order_uuid: uuid, maker_order_uuid: uuid };

const requestMembers = {
  ...pair,
  ...amounts,
  action: z.enum(['Buy', 'Sell']),
  uuid,
  method: z.literal('request'),
  ...ends,
  match_by: matchBy,
  conf_settings: settings,
};
const request = z.strictObject(requestMembers);
const reserved = z.strictObject({
  ...pair,
  ...amounts,
  ...ids,
  ...ends,
  conf_settings: settings,
  method: z.literal('reserved'),
});
const connection = z.strictObject({ ...ids, ...ends, method: z.enum(['connect', 'connected']) });

const makerOrderMembers = {
  ...pair,
  price: amount,
  price_rat: ratio,
  max_base_vol: amount,
  max_base_vol_rat: ratio,
  min_base_vol: amount,
  min_base_vol_rat: ratio,
  created_at: count,
  updated_at: count,
  matches: z.record(
    uuid,
    z.strictObject({
      request,
      reserved,
      connect: connection.nullable(),
      connected: connection.nullable(),
      last_updated: count,
    }),
  ),
  started_swaps: z.array(uuid),
  uuid,
  conf_settings: settings,
  ...tickers,
};

const takerAnswer = z.strictObject({
  ...requestMembers,
  order_type: orderType,
  min_volume: amount,
  min_volume_fraction: fraction,
  min_volume_rat: ratio,
  ...tickers,
});

const ownTaker = z.strictObject({
  created_at: count,
  request,
  matches: z.record(uuid, z.strictObject({ reserved, connect: connection, connected: z.null(), last_updated: count })),
  order_type: orderType,
  cancellable: z.boolean(),
  ...tickers,
});

export const setprice = {
  legacy: {
    params: z.object({
      ...pair,
      price: anyAmount,
      max: z.boolean().optional(),
      volume: anyAmount.optional(),
      min_volume: anyAmount.nullish(),
      cancel_previous: z.boolean().optional(),
      ...confirmations,
      save_in_history: z.boolean().optional(),
    }),
    result: resultOf(z.strictObject(makerOrderMembers)),
  },
};

const taking = {
  legacy: {
    params: z.object({
      ...pair,
      price: anyAmount,
      volume: anyAmount,
      timeout: count.nullish(),
      match_by: matchBy.optional(),
      order_type: orderType.optional(),
      ...confirmations,
      min_volume: anyAmount.nullish(),
      save_in_history: z.boolean().optional(),
    }),
    result: resultOf(takerAnswer),
  },
};

export const buy = taking;
export const sell = taking;

export const my_orders = {
  legacy: {
    params: none,
    result: resultOf(
      z.strictObject({
        maker_orders: z.record(
          uuid,
          z.strictObject({ ...makerOrderMembers, cancellable: z.boolean(), available_amount: amount }),
        ),
        taker_orders: z.record(uuid, ownTaker),
      }),
    ),
  },
};

const success = z.strictObject({ result: z.literal('success') });

export const cancel_order = {
  legacy: { params: z.object({ uuid }), result: success },
  v2: { params: z.object({ uuid }), result: success },
};

export const offer = {
  v2: {
    params: z.object({
      ...pair,
      base_amount: anyAmount,
      rel_amount: anyAmount,
      expires_in: count.nullish(),
      taker: z.string().nullish(),
      ...confirmations,
    }),
    result: z.strictObject({
      uuid,
      /** Seconds since 1970. */
      expires_at: count,
      offer: z.string(),
    }),
  },
};

export const take = { v2: { params: z.object({ offer: z.string() }), result: takerAnswer } };
