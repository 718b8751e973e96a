import type { Clock } from '../../ports/clock.ts';
import type { RemoteAnswer, RemoteFault, RemoteSession } from '../../ports/remote-wallet.ts';
import { millisOf } from '../../primitives/time.ts';

/**
 * A remote wallet did not fulfil a request. The text is the real node's, if it has one.
 *
 * @example
 * ```ts
 * import { RemoteWalletError, remoteAccount } from 'swapfold/hardware';
 * import { systemClock } from 'swapfold/runtime';
 *
 * const asking = remoteAccount({ session: null, chainId: 137, clock: systemClock() });
 * const error = await asking.catch((thrown: unknown) => thrown);
 * error instanceof RemoteWalletError && error.kind; // → 'session'
 * ```
 */
export class RemoteWalletError extends Error {
  readonly kind: RemoteFault['kind'] | 'session' | 'garbled' | 'signature';

  constructor(kind: RemoteWalletError['kind'], message: string) {
    super(message);
    this.name = 'RemoteWalletError';
    this.kind = kind;
  }
}

/** Limit for the answer that identifies an account, in milliseconds. */
export const ANSWER_MS = 300_000;
/** Limit for a signature, in milliseconds. */
export const SIGN_MS = 60_000;

/** The session, which includes this chain. @throws RemoteWalletError in the words of the real node */
export function sessionFor(session: RemoteSession | null, chain: string): RemoteSession {
  if (session === null) throw new RemoteWalletError('session', 'Session Error: No active WalletConnect session found');
  if (!session.chains.includes(chain)) throw new RemoteWalletError('session', `ChainId not supported: ${chain}`);
  return session;
}

export type Asking = {
  readonly clock: Clock;
  /** Limit for the answer, in milliseconds. */
  readonly answerMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly chain: string;
  readonly method: string;
  readonly params: readonly unknown[];
};

/**
 * The answer of a wallet whose user may have to confirm. It settles within the limit even if the wallet does not
 * answer. @throws RemoteWalletError
 */
export async function asked(session: RemoteSession, { clock, answerMs, signal, ...asking }: Asking): Promise<unknown> {
  const { chain, method, params } = asking;
  const ending = new AbortController();
  let leave = (): void => {};
  // A link that ignores its signal keeps nobody waiting.
  const left = new Promise<RemoteAnswer>((resolve) => {
    leave = () => resolve({ ok: false, fault: { kind: 'ended', message: 'it was ended' } });
  });
  const end = (): void => {
    ending.abort();
    leave();
  };
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted === true) end();
  let isLate = false;
  const cancel = clock.wakeAt(millisOf(clock.now() + answerMs), () => {
    isLate = true;
    end();
  });
  try {
    const request = session.request({ chain, method, params, signal: ending.signal });
    const answer = await Promise.race([request, left]);
    if (answer.ok) return answer.value;
    const { kind, code } = answer.fault;
    if (isLate || kind === 'timeout') throw new RemoteWalletError('timeout', 'Request timeout error');
    if (kind === 'ended') throw new RemoteWalletError('ended', 'Session Error: the session has ended');
    const why = code === undefined ? 'the wallet refused' : `the wallet refused with the code ${code}`;
    throw new RemoteWalletError('refused', `UnSuccessfulResponse Error: ${why}`);
  } finally {
    cancel();
    signal?.removeEventListener('abort', end);
  }
}

export function garbled(found: string): RemoteWalletError {
  return new RemoteWalletError('garbled', `Internal Error: the wallet answered with ${found}`);
}
