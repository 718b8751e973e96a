import type { SwapRequest } from '../events/journal.ts';
import type { EventLog } from '../ports/event-log.ts';
import { sha256 } from '../primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../primitives/hex.ts';
import { isDamage, logUnavailable, requestInvalid } from './errors.ts';

/**
 * Secrets that maker swaps of a log have used, by their hash.
 *
 * - U1: a secret serves one swap. Once it is public in the first, whoever takes part in a second could take the maker's payment there
 *   without having paid.
 *
 * Only a secret that a request names can be a used one, so that the log is read when the first of them comes, and not before.
 */
export type SecretBook = {
  /**
   * Sets a named secret aside for a stream.
   *
   * @throws RuntimeError SWAP_REQUEST_INVALID when another stream has used it, LOG_UNAVAILABLE
   */
  readonly take: (stream: string, secret: string) => Promise<void>;
  /** Notes what a new stream holds, once it is in the log. */
  readonly note: (stream: string, records: readonly Holder[]) => void;
};

type Holder = { readonly type: string; readonly data: unknown };

const MACHINE = 'maker-swap';

export function createSecretBook(log: EventLog): SecretBook {
  const users = new Map<string, string>();
  let reading: Promise<void> | null = null;

  const note: SecretBook['note'] = (stream, records) => {
    const secret = stream.startsWith(`${MACHINE}/`) ? secretIn(records) : null;
    if (secret !== null && !users.has(hashOf(secret))) users.set(hashOf(secret), stream);
  };
  const readAll = async (): Promise<void> => {
    for (const { stream } of await findMakers(log)) note(stream, await recordsOf(log, stream));
  };
  return {
    async take(stream, secret) {
      reading ??= readAll().catch((error: unknown) => {
        reading = null;
        throw error;
      });
      await reading;
      const hash = hashOf(secret);
      const user = users.get(hash);
      if (user !== undefined && user !== stream) throw secretUsed(user);
      users.set(hash, stream);
    },
    note(stream, records) {
      if (reading !== null) note(stream, records);
    },
  };
}

async function findMakers(log: EventLog) {
  try {
    return await log.find({ machine: MACHINE });
  } catch (error) {
    throw logUnavailable('all streams', error);
  }
}

async function recordsOf(log: EventLog, stream: string): Promise<readonly Holder[]> {
  try {
    return await log.read(stream);
  } catch (error) {
    // What a stream held that cannot be read is known to nobody.
    if (isDamage(error)) return [];
    throw logUnavailable(stream, error);
  }
}

/** The secret of a swap: from its request or, where it was taken over, from its start. */
function secretIn(records: readonly Holder[]): string | null {
  for (const { type, data } of records) {
    if (type !== 'SwapRequested' && type !== 'Started') continue;
    const { secret } = data as Pick<SwapRequest, 'secret'>;
    if (typeof secret === 'string') return secret.toLowerCase();
  }
  return null;
}

function hashOf(secret: string): string {
  return bytesToHex(sha256(hexToBytes(secret)));
}

function secretUsed(stream: string): Error {
  return requestInvalid('secret', 'one that no other swap has used, or null', {
    next: `Nothing was written. Leave the secret to the node: that of ${stream} may be public.`,
  });
}
