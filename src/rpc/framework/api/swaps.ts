import { z } from 'zod';
import { amount, count, hex, none, resultOf, uuid } from './form.ts';

const event = z.looseObject({
  /** Milliseconds since 1970. */
  timestamp: count,
  event: z.looseObject({ type: z.string(), data: z.unknown().optional() }),
});

/** A stored swap (specification §6); members that other releases wrote stay in it. */
const swapMembers = {
  uuid,
  my_order_uuid: uuid.nullable(),
  events: z.array(event),
  maker_amount: z.union([amount, z.number()]).nullish(),
  maker_coin: z.string().nullish(),
  taker_amount: z.union([amount, z.number()]).nullish(),
  taker_coin: z.string().nullish(),
  gui: z.string().nullish(),
  mm_version: z.string().nullish(),
  success_events: z.array(z.string()),
  error_events: z.array(z.string()),
};

const taggedSwap = z.looseObject({ type: z.enum(['Maker', 'Taker']), ...swapMembers });
const bareSwap = z.looseObject(swapMembers);
const typedSwap = z.strictObject({ swap_type: z.enum(['MakerV1', 'TakerV1']), swap_data: bareSwap });

const myInfo = z.looseObject({
  my_coin: z.string(),
  other_coin: z.string(),
  my_amount: amount,
  other_amount: amount,
  /** Seconds since 1970. */
  started_at: count,
});

const status = taggedSwap.extend({
  my_info: myInfo.nullable(),
  recoverable: z.boolean(),
  is_finished: z.boolean(),
  is_success: z.boolean().optional(),
});

const ofUuid = z.object({ params: z.object({ uuid }) });

export const my_swap_status = {
  legacy: { params: ofUuid, result: resultOf(status) },
  v2: { params: z.object({ uuid }), result: typedSwap },
};

const filter = {
  my_coin: z.string().nullish(),
  other_coin: z.string().nullish(),
  from_timestamp: count.nullish(),
  to_timestamp: count.nullish(),
};

const paging = z.object({
  ...filter,
  limit: count.optional(),
  page_number: count.optional(),
  from_uuid: uuid.nullish(),
});

const pageOf = <T extends z.ZodType>(swap: T) =>
  z.strictObject({
    swaps: z.array(swap),
    from_uuid: uuid.nullable(),
    skipped: count,
    limit: count,
    total: count,
    page_number: count,
    total_pages: count,
    found_records: count,
  });

export const my_recent_swaps = {
  legacy: { params: paging, result: resultOf(pageOf(status)) },
  v2: { params: paging, result: pageOf(typedSwap) },
};

const shownFilter = {
  my_coin: z.string().nullable(),
  other_coin: z.string().nullable(),
  from_timestamp: count.nullable(),
  to_timestamp: count.nullable(),
};

export const all_swaps_uuids_by_filter = {
  legacy: {
    params: z.object(filter),
    result: resultOf(z.strictObject({ found_records: count, uuids: z.array(uuid), ...shownFilter })),
  },
};

const withStatus = z.object({ include_status: z.boolean().nullish() });

export const active_swaps = {
  legacy: {
    params: withStatus,
    result: z.strictObject({ uuids: z.array(uuid), statuses: z.record(uuid, taggedSwap).nullable() }),
  },
  v2: {
    params: withStatus,
    result: z.strictObject({ uuids: z.array(uuid), statuses: z.record(uuid, typedSwap) }),
  },
};

export const coins_needed_for_kick_start = { legacy: { params: none, result: resultOf(z.array(z.string())) } };

export const recover_funds_of_swap = {
  legacy: {
    params: ofUuid,
    result: resultOf(
      z.strictObject({
        action: z.enum(['RefundedMyPayment', 'SpentOtherPayment']),
        coin: z.string(),
        tx_hash: hex,
        tx_hex: hex,
      }),
    ),
  },
};

export const import_swaps = {
  legacy: {
    params: z.object({ swaps: z.array(taggedSwap) }),
    result: resultOf(z.strictObject({ imported: z.array(uuid), skipped: z.record(uuid, z.string()) })),
  },
};

export const recreate_swap_data = {
  v2: { params: z.object({ swap: bareSwap }), result: z.strictObject({ swap: taggedSwap }) },
};

export const stats_swap_status = {
  legacy: {
    params: ofUuid,
    result: resultOf(z.strictObject({ maker: bareSwap.nullable(), taker: bareSwap.nullable() })),
  },
};
