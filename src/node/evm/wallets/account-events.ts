import { z } from 'zod';
import type { NewRecord } from '../../../ports/event-log.ts';
import type { Envelope } from '../../../primitives/envelope.ts';
import type { Millis } from '../../../primitives/time.ts';

// The accounts that a wallet uses of a coin stand in the log of the node, in one stream for each wallet and coin: which there are, and how many of
// their addresses are known. An extended public key tells all addresses of an account, and signs nothing.

/** Machine id of the streams. */
export const ACCOUNTS_MACHINE = 'evm-accounts';

const PAYLOAD_VERSION = 1;

const index = z.number().int().min(0).max(0x7fff_ffff);
const count = z
  .number()
  .int()
  .min(0)
  .max(2 ** 31);
const created = z.object({ account: index, path: z.string(), xpub: z.string() });
const known = z.object({ account: index, external: count, internal: count });

/** An account of a wallet, as its stream tells it. */
export type KeptAccount = {
  readonly account: number;
  /** Such as `m/44'/60'/0'`. */
  readonly path: string;
  readonly xpub: string;
  /** How many addresses of each chain are known, from the first one on. */
  readonly external: number;
  readonly internal: number;
};

export function accountCreated({ account, path, xpub }: z.output<typeof created>, at: Millis): NewRecord {
  return { at, type: 'AccountCreated', version: PAYLOAD_VERSION, data: { account, path, xpub } };
}

export function addressesKnown({ account, external, internal }: z.output<typeof known>, at: Millis): NewRecord {
  return { at, type: 'AddressesKnown', version: PAYLOAD_VERSION, data: { account, external, internal } };
}

/**
 * The accounts that a stream holds, in the order of their numbers.
 *
 * @throws ZodError, RangeError for records that no release wrote, or in another order
 */
export function foldAccounts(records: readonly Pick<Envelope, 'type' | 'data'>[]): readonly KeptAccount[] {
  const accounts = new Map<number, KeptAccount>();
  for (const { type, data } of records) {
    const next = nextOf(accounts, { type, data });
    accounts.set(next.account, next);
  }
  return [...accounts.values()].sort((left, right) => left.account - right.account);
}

function nextOf(
  accounts: ReadonlyMap<number, KeptAccount>,
  { type, data }: Pick<Envelope, 'type' | 'data'>,
): KeptAccount {
  if (type === 'AccountCreated') {
    const made = created.parse(data);
    if (accounts.has(made.account)) throw new RangeError(`account ${made.account} cannot be created twice`);
    return { ...made, external: 0, internal: 0 };
  }
  if (type !== 'AddressesKnown') throw new RangeError(`${type} is not an event of accounts`);
  const { account, external, internal } = known.parse(data);
  const before = accounts.get(account);
  if (before === undefined) throw new RangeError(`account ${account} does not exist`);
  if (external < before.external || internal < before.internal) throw new RangeError('an address cannot be removed');
  return { ...before, external, internal };
}
