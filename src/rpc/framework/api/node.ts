import { z } from 'zod';
import { none, resultOf } from './form.ts';

export const version = {
  legacy: { params: none, result: z.strictObject({ result: z.string(), datetime: z.string() }) },
};

export const stop = { legacy: { params: none, result: resultOf(z.literal('success')) } };

const named = { key: z.string(), labels: z.record(z.string(), z.union([z.string(), z.number()])) };

export const metrics = {
  legacy: {
    params: none,
    result: z.strictObject({
      metrics: z.array(
        z.discriminatedUnion('type', [
          z.strictObject({ ...named, type: z.literal('counter'), value: z.number() }),
          z.strictObject({ ...named, type: z.literal('gauge'), value: z.number() }),
          z.strictObject({
            ...named,
            type: z.literal('histogram'),
            count: z.number(),
            sum: z.number(),
            buckets: z.record(z.string(), z.number()),
          }),
        ]),
      ),
    }),
  },
};

export const discover = { v2: { params: none, result: z.looseObject({ openrpc: z.string() }) } };
