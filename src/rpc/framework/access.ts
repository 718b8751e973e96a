import { createHash, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../../primitives/secret.ts';
import { RpcFailure } from './failure.ts';

/** The number of wrong passwords after which an address may no longer call, until the process ends. */
export const MOST_WRONG = 10;

/** Addresses whose wrong passwords are remembered. Whoever commands more than these is not kept out by counting. */
const MOST_ADDRESSES = 10_000;

export type AccessOptions = {
  /** What `userpass` must be (specification §5). */
  readonly password: Secret<string>;
  /** Whether only callers from this host may use more than the public methods. @defaultValue true */
  readonly localOnly?: boolean;
  /** Called once for each newly banned address. @defaultValue nobody */
  readonly onBanned?: (address: string) => void;
};

/** The caller: the address of the connection, and whether it belongs to this host. */
export type Caller = { readonly address: string; readonly local: boolean };

export type Access = {
  /** @throws RpcFailure LocalHostOnly or Banned */
  readonly admit: (caller: Caller, isPublic: boolean) => void;
  /** Absent and null do not count as wrong. @throws RpcFailure UserpassIsNotSet or UserpassIsInvalid */
  readonly check: (caller: Caller, userpass: string | null) => void;
};

/**
 * Who may call, and how often an address may guess (as in the real node): wrong passwords are counted by address, and no right
 * one clears the count; the tenth bans it, also with the right one. Of more than 10,000 addresses, the one whose last guess is
 * longest ago is forgotten.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import { createAccess } from 'swapfold/rpc';
 *
 * const access = createAccess({ password: new Secret('only I know') });
 * const here = { address: '127.0.0.1', local: true };
 * const there = { address: '203.0.113.9', local: false };
 * access.admit(there, false); // throws RpcFailure
 * access.check(here, 'only I know'); // → undefined
 * for (let left = 10; left > 0; left -= 1) {
 *   access.check(here, 'a guess'); // throws RpcFailure
 * }
 * access.admit(here, false); // throws RpcFailure
 * ```
 */
export function createAccess({ password, localOnly = true, onBanned = () => {} }: AccessOptions): Access {
  const right = digest(password.reveal());
  const wrong = new Map<string, number>();
  return {
    admit({ address, local }, isPublic) {
      if (localOnly && !local && !isPublic) throw localHostOnly();
      if ((wrong.get(address) ?? 0) >= MOST_WRONG) throw banned();
    },
    check({ address }, userpass) {
      if (userpass === null) throw notSet();
      if (timingSafeEqual(digest(userpass), right)) return;
      const count = (wrong.get(address) ?? 0) + 1;
      // The one whose last guess is longest ago goes first.
      wrong.delete(address);
      wrong.set(address, count);
      if (count === MOST_WRONG) onBanned(address);
      const [oldest] = wrong.keys();
      if (wrong.size > MOST_ADDRESSES && oldest !== undefined) wrong.delete(oldest);
      throw invalid(Math.max(0, MOST_WRONG - count));
    },
  };
}

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

function localHostOnly(): RpcFailure {
  const text = 'Selected method can be called from localhost only!';
  return new RpcFailure(text, { type: 'LocalHostOnly', status: 403 });
}

function banned(): RpcFailure {
  return new RpcFailure('Your ip is banned.', { type: 'Banned', status: 403 });
}

function notSet(): RpcFailure {
  return new RpcFailure('Userpass is not set!', { type: 'UserpassIsNotSet', status: 403 });
}

function invalid(left: number): RpcFailure {
  return new RpcFailure(`Userpass is invalid! - Rate Limit attempts left: ${left}`, {
    type: 'UserpassIsInvalid',
    data: { error_type: 'NbAttemptsLeft', error_data: left },
    status: 403,
  });
}
