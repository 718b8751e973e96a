import { z } from 'zod';

/** A method in one of its forms, as it is on the wire. */
export type ApiForm = {
  /** Members of a legacy request beside `method` and `userpass`, or `params` of a v2 request. */
  readonly params: z.ZodType;
  /** The whole answer to a legacy request, or `result` of the answer to a v2 request. */
  readonly result: z.ZodType;
};

export type ApiMethod = { readonly legacy?: ApiForm; readonly v2?: ApiForm };

/** No parameters. */
export const none = z.object({});

/** A decimal number in coin units as a text. */
export const amount = z.string().regex(/^-?\d+(?:\.\d+)?$/);
export const count = z.number().int().nonnegative();
export const hex = z.string().regex(/^(?:[0-9a-f]{2})*$/);
export const uuid = z.string();

/** The legacy answers that hold all they say in `result`. */
export function resultOf<T extends z.ZodType>(result: T) {
  return z.strictObject({ result });
}
