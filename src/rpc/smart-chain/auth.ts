import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../ports/clock.ts';
import { sha256 } from '../../primitives/hash.ts';
import type { Secret } from '../../primitives/secret.ts';
import { millisOf } from '../../primitives/time.ts';
import { SmartChainError } from '../../smartchain/error.ts';

/** Who may call. */
export type RpcCredentials = { readonly user: string; readonly password: Secret<string> };

/** What a request's header proves. */
export type Verdict = 'allowed' | 'missing' | 'wrong';

/** How long the answer to wrong credentials waits, in milliseconds, which slows guessing down. */
export const WRONG_DELAY_MS = 250;

const SCHEME = 'Basic ';

/**
 * HTTP basic authentication (RFC 7617). The given credentials and the right ones are compared as hashes in constant time, so
 * that the time of an answer tells nothing.
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
  const right = sha256(Buffer.from(`${user}:${password.reveal()}`));
  return (header) => {
    if (header === undefined) return 'missing';
    const text = header.startsWith(SCHEME) ? header.slice(SCHEME.length).trim() : '';
    return timingSafeEqual(sha256(Buffer.from(text, 'base64')), right) ? 'allowed' : 'wrong';
  };
}

/** Returns {@link WRONG_DELAY_MS} later. */
export function punish(clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    clock.wakeAt(millisOf(clock.now() + WRONG_DELAY_MS), resolve);
  });
}
