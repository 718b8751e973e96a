import { isJsonObject, type JsonObject } from '../primitives/json.ts';
import type { Role } from './catalog.ts';
import { earlyShapes } from './early-shapes.ts';
import type { Upcaster } from './upcaster.ts';

function has(data: unknown, key: string): data is JsonObject {
  return isJsonObject(data) && Object.hasOwn(data, key);
}

function renamed(from: string, to: string) {
  return {
    applies: (data: unknown) => has(data, from) && !has(data, to),
    upcast: (data: unknown) =>
      Object.fromEntries(Object.entries(data as JsonObject).map(([key, value]) => [key === from ? to : key, value])),
  };
}

function filledWithNull(...keys: readonly string[]) {
  return {
    applies: (data: unknown) => isJsonObject(data) && keys.some((key) => !Object.hasOwn(data, key)),
    upcast: (data: unknown) => ({ ...Object.fromEntries(keys.map((key) => [key, null])), ...(data as JsonObject) }),
  };
}

/** Until May 2019 amounts were whole satoshi, which must not be taken for coins: here only texts are certain. */
function namesAmountsAsText(data: unknown): boolean {
  return (
    has(data, 'maker_amount') && typeof data['maker_amount'] === 'string' && typeof data['taker_amount'] === 'string'
  );
}

function withoutStartBlocks() {
  const filled = filledWithNull('maker_coin_start_block', 'taker_coin_start_block');
  return { ...filled, applies: (data: unknown) => namesAmountsAsText(data) && filled.applies(data) };
}

const isByteList = (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === 'number');

export const upcasters: readonly Upcaster[] = [
  {
    id: 'taker.Started/1',
    role: 'taker',
    type: 'Started',
    written: 'by releases of 2025-02-08 to 2025-02-13',
    summary: 'member `maker` was named `maker_pubkey`',
    ...renamed('maker_pubkey', 'maker'),
  },
  {
    id: 'maker.Started/1',
    role: 'maker',
    type: 'Started',
    written: 'by releases of 2025-02-08 to 2025-02-13',
    summary: 'member `taker` was named `taker_pubkey`',
    ...renamed('taker_pubkey', 'taker'),
  },
  {
    id: 'taker.Started/2',
    role: 'taker',
    type: 'Started',
    written: 'by releases before 2019-06-07',
    summary: 'members `maker_coin_start_block` and `taker_coin_start_block` did not exist',
    ...withoutStartBlocks(),
  },
  {
    id: 'maker.Started/2',
    role: 'maker',
    type: 'Started',
    written: 'by releases before 2019-06-07',
    summary: 'members `maker_coin_start_block` and `taker_coin_start_block` did not exist',
    ...withoutStartBlocks(),
  },
  {
    id: 'taker.Started/3',
    role: 'taker',
    type: 'Started',
    written: 'with only the members that the specification requires',
    summary: 'members `my_persistent_pub` and `maker_payment_wait` are absent',
    ...filledWithNull('my_persistent_pub', 'maker_payment_wait'),
  },
  {
    id: 'taker.Negotiated/1',
    role: 'taker',
    type: 'Negotiated',
    written: 'with only the members that the specification requires',
    summary: 'member `secret_hash` is absent',
    ...filledWithNull('secret_hash'),
  },
  {
    id: 'taker.TakerPaymentWaitRefundStarted/1',
    role: 'taker',
    type: 'TakerPaymentWaitRefundStarted',
    written: 'by programs that store swaps again',
    summary: 'member `wait_until` was lost',
    ...filledWithNull('wait_until'),
  },
  {
    id: 'maker.MakerPaymentWaitRefundStarted/1',
    role: 'maker',
    type: 'MakerPaymentWaitRefundStarted',
    written: 'by programs that store swaps again',
    summary: 'member `wait_until` was lost',
    ...filledWithNull('wait_until'),
  },
  {
    id: 'taker.WatcherMessageSent/1',
    role: 'taker',
    type: 'WatcherMessageSent',
    written: 'by releases of 2022-09-26 to 2022-10-26',
    summary: 'only the maker payment spend preimage, without the refund preimage',
    applies: (data) => data === null || data === undefined || isByteList(data),
    upcast: (data) => [data ?? null, null],
  },
  {
    id: 'maker.TakerPaymentSpent/1',
    role: 'maker',
    type: 'TakerPaymentSpent',
    written: 'by the published documentation',
    summary: "the taker's shape {transaction, secret} in a maker's log",
    applies: (data) => has(data, 'transaction') && isJsonObject(data['transaction']) && !has(data, 'tx_hex'),
    upcast: (data) => {
      const { transaction, ...rest } = data as JsonObject;
      return { ...rest, ...(transaction as JsonObject) };
    },
  },
  ...earlyShapes,
];

const byEvent = new Map<string, readonly Upcaster[]>();
for (const step of upcasters) {
  const key = `${step.role}.${step.type}`;
  byEvent.set(key, [...(byEvent.get(key) ?? []), step]);
}

/** Applies every step that fits, in order, and names the steps taken. */
export function upcast(role: Role, type: string, data: unknown): { data: unknown; steps: readonly Upcaster[] } {
  const steps: Upcaster[] = [];
  let current = data;
  for (const step of byEvent.get(`${role}.${type}`) ?? []) {
    if (!step.applies(current)) continue;
    current = step.upcast(current);
    steps.push(step);
  }
  return { data: current, steps };
}
