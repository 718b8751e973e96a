import { type DecimalText, fromBaseUnits } from '../primitives/decimal.ts';
import { parseUuid, type Uuid } from '../primitives/ids.ts';
import { isJsonObject, type JsonObject } from '../primitives/json.ts';
import { makerEventTypes } from './maker.ts';
import { takerEventTypes } from './taker.ts';
import type { Upcaster } from './upcaster.ts';

// Shapes of the first months in which the real node stored events, spring 2019 (stored-swap shape history). No release since then reads them.

/** The id of an order, which was that of its swap as well: 32 bytes in hex. */
const EARLY_ID = /^[0-9a-f]{64}$/i;

/** The uuid by which a swap with an id of 64 hex digits is told: its first 32 digits. Undefined for what is no such id. */
export function uuidOfEarlyId(id: unknown): Uuid | undefined {
  return typeof id === 'string' && EARLY_ID.test(id) ? parseUuid(id.slice(0, 32)) : undefined;
}

const LATE_APRIL = 'before 2019-04-23';
/** 2019-05-27 UTC: from then on amounts are decimal texts. */
const DECIMAL_SINCE = 1_558_915_200;

function earlyId(role: 'maker' | 'taker'): Upcaster {
  return {
    id: `${role}.Started/${role === 'taker' ? 4 : 3}`,
    role,
    type: 'Started',
    written: 'in spring 2019',
    summary: 'an id of 64 hex digits took the place of the uuid',
    applies: (data) => isJsonObject(data) && uuidOfEarlyId(data['uuid']) !== undefined,
    upcast: (data) => ({ ...(data as JsonObject), uuid: uuidOfEarlyId((data as JsonObject)['uuid']) ?? null }),
  };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Whole numbers alone do not tell satoshi from coins; with the date they do, since what was stored later is a text. */
function countsSatoshi(data: unknown): data is JsonObject {
  if (!isJsonObject(data)) return false;
  const { maker_amount, taker_amount, started_at } = data;
  return isCount(maker_amount) && isCount(taker_amount) && isCount(started_at) && started_at < DECIMAL_SINCE;
}

function coinsOf(satoshi: unknown): DecimalText {
  return fromBaseUnits(BigInt(isCount(satoshi) ? satoshi : 0));
}

function satoshiAmounts(role: 'maker' | 'taker'): Upcaster {
  return {
    id: `${role}.Started/${role === 'taker' ? 5 : 4}`,
    role,
    type: 'Started',
    written: 'before 2019-05-27',
    summary: 'amounts were whole numbers of satoshi, and start blocks did not exist',
    applies: countsSatoshi,
    upcast: (data) => {
      const { maker_amount, taker_amount, ...rest } = data as JsonObject;
      const blocks = { maker_coin_start_block: null, taker_coin_start_block: null };
      return { ...blocks, ...rest, maker_amount: coinsOf(maker_amount), taker_amount: coinsOf(taker_amount) };
    },
  };
}

function bareFailure(role: 'maker' | 'taker', type: string): Upcaster {
  return {
    id: `${role}.${type}/1`,
    role,
    type,
    written: LATE_APRIL,
    summary: 'the error was plain text',
    applies: (data) => typeof data === 'string',
    upcast: (data) => ({ error: data }),
  };
}

const isFailure = (type: string) => type.endsWith('Failed');

export const earlyShapes: readonly Upcaster[] = [
  earlyId('taker'),
  earlyId('maker'),
  satoshiAmounts('taker'),
  satoshiAmounts('maker'),
  {
    id: 'taker.Negotiated/2',
    role: 'taker',
    type: 'Negotiated',
    written: LATE_APRIL,
    summary: 'lock time, public key and secret hash were in a list',
    applies: (data) => Array.isArray(data) && data.length === 3,
    upcast: (data) => {
      const [maker_payment_locktime, maker_pubkey, secret_hash] = data as readonly unknown[];
      return { maker_payment_locktime, maker_pubkey, secret_hash };
    },
  },
  ...takerEventTypes.filter(isFailure).map((type) => bareFailure('taker', type)),
  ...makerEventTypes.filter(isFailure).map((type) => bareFailure('maker', type)),
];
