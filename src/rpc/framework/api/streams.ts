import { z } from 'zod';
import { count } from './form.ts';

/** Whose streams are meant; 0 where it is absent. */
const client = { client_id: count.optional() };

const answer = <T extends z.ZodType>(streamer_id: T) => z.strictObject({ streamer_id });

export const swap_status = { v2: { params: z.object(client), result: answer(z.literal('SWAP_STATUS')) } };
export const order_status = { v2: { params: z.object(client), result: answer(z.literal('ORDER_STATUS')) } };

export const heartbeat = {
  v2: {
    params: z.object({
      ...client,
      config: z.strictObject({ stream_interval_seconds: z.number().min(1).max(3600).optional() }).nullish(),
    }),
    result: answer(z.literal('HEARTBEAT')),
  },
};

export const balance = {
  v2: {
    params: z.object({ ...client, coin: z.string(), config: z.null().optional() }),
    result: answer(z.string().regex(/^BALANCE:/)),
  },
};

export const disable = {
  v2: {
    params: z.object({ client_id: count, streamer_id: z.string() }),
    result: z.strictObject({ result: z.literal('Success') }),
  },
};

/** Never answered but with an error. */
export const refused = { v2: { params: z.looseObject({}), result: z.never() } };
export const refusedCoin = { v2: { params: z.object({ ...client, coin: z.string() }), result: z.never() } };
