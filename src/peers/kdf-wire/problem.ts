import { SwapfoldError } from '../../primitives/error.ts';

/** Where bytes of the framework's network stop being a message, and what was expected there. */
export type WireProblem = { readonly offset: number; readonly expected: string };

/** What was read, or where it could not be. */
export type Decoded<T> = { readonly ok: true; readonly value: T } | ({ readonly ok: false } & WireProblem);

/** Leaves a reader that is deep inside a message; {@link decoded} is the only one to catch it. */
export class WireFault extends Error {
  readonly problem: WireProblem;

  constructor(problem: WireProblem) {
    super(`${problem.expected} at byte ${problem.offset}`);
    this.problem = problem;
  }
}

/** What the reading gives, or its problem. Faults that are none of the bytes pass on. */
export function decoded<T>(read: () => T): Decoded<T> {
  try {
    return { ok: true, value: read() };
  } catch (error) {
    if (error instanceof WireFault) return { ok: false, ...error.problem };
    throw error;
  }
}

/** An own message for which the framework's network has no form. */
export class PeerMessageError extends SwapfoldError {
  constructor(kind: string, fault: string) {
    super('The message cannot be sent on the network of the trading framework.', {
      code: 'PEER_MESSAGE_INVALID',
      facts: { kind, fault },
      next: 'Nothing was sent. Correct what “fault” names; the page “Errors” tells what a message must hold.',
    });
  }
}
