import { z } from 'zod';
import type { Compatibility } from '../../node/compatibility.ts';
import { atMember, isMissing, option, readAs, text, u64, uuid } from '../../node/serde.ts';
import type { Paging, SwapFilter } from '../../node/swaps/list.ts';
import type { Uuid } from '../../primitives/ids.ts';
import { isJsonObject, type JsonObject } from '../../primitives/json.ts';
import { internalFailure } from './failure.ts';

const pageNumber = u64.refine((value) => value > 0, {
  error: 'invalid value: integer `0`, expected a nonzero usize',
});

const filterMembers = {
  my_coin: option(text),
  other_coin: option(text),
  from_timestamp: option(u64),
  to_timestamp: option(u64),
};

export const swapFilter: z.ZodType<SwapFilter> = z.object(filterMembers);

const MOST_LISTED = 10;

/** An empty `params` is none: as with the real node, whose struct is read from an object. */
export const swapsPage: z.ZodType<SwapFilter & Paging> = z.object({
  limit: u64.default(MOST_LISTED),
  page_number: pageNumber.default(1),
  from_uuid: option(uuid),
  ...filterMembers,
});

/**
 * The members of a legacy request.
 *
 * @param mode outside of `kdf` the text says which member is wrong. @defaultValue as the real node, which says it of one that is missing alone
 * @throws RpcFailure with the text of the real node
 */
export function readLegacy<T>(
  schema: z.ZodType<T>,
  request: unknown,
  { compatibility }: { readonly compatibility: Compatibility } = { compatibility: 'kdf' },
): T {
  const read = readAs(schema, request);
  if (read.ok) return read.value;
  const { problem, path } = read;
  const isNamed = compatibility === 'kdf' || path.length === 0 || isMissing(read);
  throw internalFailure(isNamed ? problem : atMember(problem, path));
}

/** `params.uuid` of a legacy request. @throws RpcFailure */
export function uuidOfParams({ params }: JsonObject): Uuid {
  const read = readAs(uuid, isJsonObject(params) ? (params['uuid'] ?? null) : null);
  // Named, since other methods have it beside `method`.
  if (!read.ok) throw internalFailure(`params.uuid: ${read.problem}`);
  return read.value;
}
