import { floatText } from '../../events/float-decimals.ts';
import { isJsonObject, type JsonObject, type JsonValue, LosslessNumber } from '../../primitives/json.ts';
import {
  DECIMAL_MEMBERS,
  looksLikeHex,
  mapEvents,
  mapLeaves,
  mapMembers,
  mapPayloads,
  type SwapShape,
  shape,
  without,
} from './shape.ts';

// One swap, spelled in every way that the real node's reader takes.

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

function ordered(names: { readonly name: string; readonly summary: string }, sign: 1 | -1): SwapShape {
  return shape({
    ...names,
    write: (swap) =>
      mapMembers(swap, (members) =>
        [...members].sort(([left], [right]) => (left < right ? -sign : sign)),
      ) as JsonObject,
  });
}

function mapDecimals(swap: JsonObject, change: (text: string) => JsonValue): JsonObject {
  return mapLeaves(swap, (leaf, key) =>
    typeof leaf === 'string' && DECIMAL_MEMBERS.has(key) && JSON_NUMBER.test(leaf) ? change(leaf) : leaf,
  ) as JsonObject;
}

/** A payload as the array of its members; the contract addresses, which are written only where they exist, as null. */
function positional(data: JsonObject): JsonValue {
  const members = Object.entries(data).flatMap(([key, member]): [string, JsonValue][] => {
    const value = isJsonObject(member) && key === 'transaction' ? positional(member) : (member ?? null);
    const contractsMissing = key.endsWith('trade_fee') && !Object.hasOwn(data, 'maker_coin_swap_contract_address');
    const lastFee = key === 'maker_payment_spend_trade_fee' || key === 'taker_payment_spend_trade_fee';
    if (!contractsMissing || !lastFee) return [[key, value]];
    return [
      [key, value],
      ['maker_coin_swap_contract_address', null],
      ['taker_coin_swap_contract_address', null],
    ];
  });
  return members.map(([, value]) => value);
}

export const spellingShapes: readonly SwapShape[] = [
  shape({ name: 'kdf', summary: 'as the real node writes it', write: (swap) => swap }),
  shape({
    name: 'untagged',
    summary: 'without `type`',
    realNode: 'recreateOnly',
    write: (swap) => without(swap, 'type'),
  }),
  ordered({ name: 'sorted-keys', summary: 'members in alphabetical order' }, 1),
  ordered({ name: 'reversed-keys', summary: 'members in the reverse of the alphabetical order' }, -1),
  shape({
    name: 'upper-case-hex',
    summary: 'hex in upper case',
    write: (swap) => mapLeaves(swap, (leaf) => (looksLikeHex(leaf) ? leaf.toUpperCase() : leaf)) as JsonObject,
  }),
  shape({
    name: 'numeric-decimals',
    summary: 'amounts as JSON numbers, of which the real node keeps sixteen digits',
    write: (swap) => mapDecimals(swap, (text) => new LosslessNumber(text)),
    keeps: (swap) => mapDecimals(swap, (text) => (text.includes('.') ? floatText(Number(text)) : text)),
  }),
  shape({
    name: 'absent-options',
    summary: 'members without value left out',
    write: (swap) => mapMembers(swap, (members) => members.filter(([, member]) => member !== null)) as JsonObject,
  }),
  shape({
    name: 'null-data',
    summary: '`data: null` where an event has no data',
    write: (swap) => mapEvents(swap, (event) => ({ ...event, data: event.data ?? null })),
  }),
  shape({
    name: 'positional-payloads',
    summary: 'payloads as arrays of their members',
    write: (swap) => mapPayloads(swap, (data) => positional(data)),
  }),
  shape({
    name: 'other-uuid-spellings',
    summary: 'ids as bare digits, in braces or as URN, in upper case',
    write: (swap) => {
      const respelled = mapPayloads(swap, (data) => respellUuid(data, (uuid) => `urn:uuid:${uuid}`), {
        only: ['Started'],
      });
      return {
        ...respelled,
        uuid: String(swap['uuid']).replaceAll('-', ''),
        ...(typeof swap['my_order_uuid'] === 'string'
          ? { my_order_uuid: `{${swap['my_order_uuid'].toUpperCase()}}` }
          : {}),
      };
    },
  }),
  shape({
    name: 'unknown-members',
    summary: 'members that no type of the real node knows, at every level',
    write: (swap) => ({ ...mapSaved(swap), note: { by: 'somebody' }, is_success: true }),
  }),
];

function respellUuid(data: JsonObject, spell: (uuid: string) => string): JsonObject {
  return typeof data['uuid'] === 'string' ? { ...data, uuid: spell(data['uuid']) } : data;
}

function mapSaved(swap: JsonObject): JsonObject {
  const inside = mapPayloads(swap, (data) => ({ ...data, comment: [1, null, 'x'] }));
  const events = (inside['events'] as readonly { readonly event: JsonObject }[]).map((saved, seq) => ({
    ...saved,
    event: { ...saved.event, extra_of_event: seq },
    node: 'seed-1',
  }));
  return { ...inside, events };
}
