import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../ports/clock.ts';
import { sha256 } from '../../primitives/hash.ts';
import type { Secret } from '../../primitives/secret.ts';
import { millisOf } from '../../primitives/time.ts';
import { SmartChainError } from '../../smartchain/error.ts';

/** Who may call. */
export type RpcCredentials = { readonly user: string; readonly password: Secret<string> };

/** The outcome of checking a request's header. */
export type Verdict = 'allowed' | 'missing' | 'wrong';

/** Delay of the answer to wrong credentials, in milliseconds, to slow down guessing. */
export const WRONG_DELAY_MS = 250;

const SCHEME = 'Basic ';

/**
 * HTTP basic authentication (RFC 7617). The right header as most clients write it is known by its letters, all of which are
 * compared; the credentials of any other are compared with the right ones as hashes in constant time. So the time of an answer
 * tells nothing of the right ones.
 *
 * @throws SmartChainError SMARTCHAIN_OPTION_INVALID for an empty password.
 */
export function basicAuth({ user, password }: RpcCredentials): (header: string | undefined) => Verdict {
  if (password.reveal() === '') {
    throw new SmartChainError('SMARTCHAIN_OPTION_INVALID', 'The password of the RPC must not be empty.', {
      next: 'Set rpcpassword.',
      retry: 'operator',
    });
  }
  const credentials = Buffer.from(`${user}:${password.reveal()}`);
  const usual = SCHEME + credentials.toString('base64');
  const right = sha256(credentials);
  return (header) => {
    if (header === undefined) return 'missing';
    if (isSameText(header, usual)) return 'allowed';
    const text = header.startsWith(SCHEME) ? header.slice(SCHEME.length).trim() : '';
    return timingSafeEqual(sha256(Buffer.from(text, 'base64')), right) ? 'allowed' : 'wrong';
  };
}

/** Compares every letter of the right text, whatever is given, so that the time does not tell how many are right. */
function isSameText(given: string, right: string): boolean {
  let difference = given.length ^ right.length;
  for (let index = 0; index < right.length; index++) difference |= given.charCodeAt(index) ^ right.charCodeAt(index);
  return difference === 0;
}

/** Returns {@link WRONG_DELAY_MS} later. */
export function punish(clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    clock.wakeAt(millisOf(clock.now() + WRONG_DELAY_MS), resolve);
  });
}
