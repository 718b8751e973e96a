import type { z } from 'zod';
import { standardLists } from './event-lists.ts';
import { makerPayloads } from './maker.ts';
import { noData } from './payloads.ts';
import { takerPayloads } from './taker.ts';

export type Role = 'taker' | 'maker';

export type EventSpec = {
  readonly role: Role;
  readonly type: string;
  readonly payload: z.ZodType;
  /** Counts as an error in KDF's `is_success`. Waiting and refund markers do. */
  readonly errorClass: boolean;
  /** The real node writes the event without `data` and refuses any. */
  readonly unit: boolean;
};

function specs(role: Role, payloads: Readonly<Record<string, z.ZodType>>) {
  // What the real node lists as success with watchers is what it counts as such.
  const success = new Set(standardLists(role, { watchers: true }).success);
  return new Map<string, EventSpec>(
    Object.entries(payloads).map(([type, payload]) => [
      type,
      {
        role,
        type,
        payload,
        errorClass: !success.has(type),
        unit: payload === noData || type === 'MakerPaymentSpendConfirmed',
      },
    ]),
  );
}

/** Every public event of each role by its name. */
export const catalog: Readonly<Record<Role, ReadonlyMap<string, EventSpec>>> = {
  taker: specs('taker', takerPayloads),
  maker: specs('maker', makerPayloads),
};

/** Name of the machine that folds a role's log, which is also the first part of its stream names. */
export const machineOfRole: Readonly<Record<Role, 'taker-swap' | 'maker-swap'>> = {
  taker: 'taker-swap',
  maker: 'maker-swap',
};
