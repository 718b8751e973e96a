import { kdfFlags, myInfo } from '../../events/kdf-flags.ts';
import type { JsonObject, JsonValue } from '../../primitives/json.ts';
import { eventsOf, isTaker, mapPayloads, type RealNode, without } from './shape.ts';

/** A swap in the real node's form, and as some shape writes it. */
export type WrapperEntry = { readonly swap: JsonObject; readonly written: JsonObject };

/** What an RPC answer or request puts around swaps. */
export type Wrapper = {
  readonly name: string;
  readonly summary: string;
  /** What the real node does with a swap that is taken out of it. */
  readonly realNode: RealNode;
  /** Whether it holds one swap or any count. */
  readonly holds: 'one' | 'many';
  /** Done to a swap before it is written: where a status is for someone else, it hides the secrets. */
  readonly prepare: (swap: JsonObject) => JsonObject;
  readonly wrap: (entries: readonly WrapperEntry[]) => JsonValue;
};

const keep = (swap: JsonObject) => swap;

/** With zeros for a maker's secret, as the real node shows a swap. */
export function hideSecrets(swap: JsonObject): JsonObject {
  return mapPayloads(
    swap,
    (data) => ({ ...data, ...(isTaker(swap) ? {} : { secret: '0'.repeat(64) }), p2p_privkey: null }),
    { only: ['Started'] },
  );
}

/** The members that a status has beside the saved swap. */
function statusMembers(swap: JsonObject): JsonObject {
  const role = isTaker(swap) ? 'taker' : 'maker';
  const events = eventsOf(swap).map(({ event }) => ({ type: event.type, data: event.data ?? null }));
  const { finished, success, recoverable } = kdfFlags(
    role,
    events.map(({ type }) => type),
  );
  return {
    my_info: myInfo(role, events),
    recoverable,
    is_finished: finished,
    ...(success === null ? {} : { is_success: success }),
  };
}

function statusV1({ swap, written }: WrapperEntry): JsonObject {
  return { ...written, ...statusMembers(swap) };
}

function statusV2({ swap, written }: WrapperEntry): JsonObject {
  return {
    swap_type: isTaker(swap) ? 'TakerV1' : 'MakerV1',
    swap_data: { ...without(written, 'type'), ...statusMembers(swap) },
  };
}

function page(swaps: readonly JsonValue[]): JsonObject {
  return {
    swaps,
    from_uuid: null,
    skipped: 0,
    limit: 10,
    total: swaps.length,
    page_number: 1,
    total_pages: 1,
    found_records: swaps.length,
  };
}

const uuidOf = ({ swap }: WrapperEntry) => String(swap['uuid']);
const writtenOf = ({ written }: WrapperEntry) => written;
const rpcV2 = (result: JsonValue): JsonObject => ({ mmrpc: '2.0', result, id: null });

export const wrappers: readonly Wrapper[] = [
  {
    name: 'array',
    summary: 'a list of saved swaps',
    realNode: 'loads',
    holds: 'many',
    prepare: keep,
    wrap: (entries) => entries.map(writtenOf),
  },
  {
    name: 'my_swap_status',
    summary: 'answer of the legacy method: secrets hidden',
    realNode: 'loads',
    holds: 'one',
    prepare: hideSecrets,
    wrap: ([entry]) => ({ result: entry === undefined ? null : statusV1(entry) }),
  },
  {
    name: 'my_swap_status v2',
    summary: 'answer of the method of version 2: the role outside of the swap, secrets shown',
    realNode: 'recreateOnly',
    holds: 'one',
    prepare: keep,
    wrap: ([entry]) => rpcV2(entry === undefined ? null : statusV2(entry)),
  },
  {
    name: 'my_recent_swaps',
    summary: 'a page of statuses',
    realNode: 'loads',
    holds: 'many',
    prepare: hideSecrets,
    wrap: (entries) => ({ result: page(entries.map(statusV1)) }),
  },
  {
    name: 'my_recent_swaps v2',
    summary: 'a page of statuses with their protocol',
    realNode: 'recreateOnly',
    holds: 'many',
    prepare: keep,
    wrap: (entries) => rpcV2(page(entries.map(statusV2))),
  },
  {
    name: 'active_swaps',
    summary: 'statuses by swap id, without `result` around them',
    realNode: 'loads',
    holds: 'many',
    prepare: keep,
    wrap: (entries) => ({
      uuids: entries.map(uuidOf),
      statuses: Object.fromEntries(entries.map((entry) => [uuidOf(entry), entry.written])),
    }),
  },
  {
    name: 'stats_swap_status',
    summary: 'the logs of both parties of a swap, without `type`',
    realNode: 'recreateOnly',
    holds: 'one',
    prepare: hideSecrets,
    wrap: ([entry]) => {
      const none = { maker: null, taker: null };
      if (entry === undefined) return { result: none };
      return { result: { ...none, [isTaker(entry.swap) ? 'taker' : 'maker']: without(entry.written, 'type') } };
    },
  },
  {
    name: 'import_swaps',
    summary: 'request with the swaps at its top level',
    realNode: 'loads',
    holds: 'many',
    prepare: keep,
    wrap: (entries) => ({ method: 'import_swaps', swaps: entries.map(writtenOf) }),
  },
  {
    name: 'recreate_swap_data',
    summary: 'request of the method of version 2',
    realNode: 'recreateOnly',
    holds: 'one',
    prepare: keep,
    wrap: ([entry]) => ({
      mmrpc: '2.0',
      method: 'recreate_swap_data',
      params: { swap: entry?.written ?? null },
    }),
  },
  {
    name: 'swapstatus',
    summary: 'message in which a node publishes its own finished swap: secrets hidden',
    realNode: 'loads',
    holds: 'one',
    prepare: hideSecrets,
    wrap: ([entry]) => ({ method: 'swapstatus', data: entry?.written ?? null }),
  },
];
