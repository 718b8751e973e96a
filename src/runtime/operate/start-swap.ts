import type { SwapRequest } from '../../events/journal.ts';
import { PAYLOAD_VERSION, streamOf } from '../../events/jsonl.ts';
import type { Random } from '../../ports/clock.ts';
import type { Uuid } from '../../primitives/ids.ts';
import { canonicalJson } from '../../primitives/json.ts';
import type { NewEvent } from '../command.ts';
import { coinNotActive, coinWalletOnly, contested, draining, requestInvalid, swapExists } from '../errors.ts';
import type { Loop } from '../loop/loop.ts';
import { beginStream, open, readStream } from '../loop/streams.ts';
import { checkAmounts, checkNotarisation, checkRequest, sameRequest } from './check-request.ts';

/** The result of a request to start something. */
export type Started = {
  readonly stream: string;
  /** It already existed: nothing was written. */
  readonly known: boolean;
};

/** How often a start is retried because someone else wrote to the same stream first. */
const MOST_TRIES = 3;

/**
 * Writes the request and drives the swap. Asked again with the same request, it answers that the swap is known.
 *
 * @throws RuntimeError SWAP_REQUEST_INVALID, SWAP_EXISTS, COIN_NOT_ACTIVE, COIN_WALLET_ONLY, LOG_UNAVAILABLE
 */
export async function startSwap(
  loop: Loop,
  named: SwapRequest,
  { random }: { readonly random: Random },
): Promise<Started> {
  const { paymentLocktime } = loop.policy;
  const request = checkRequest(named, { random, paymentLocktime });
  const stream = streamOf({ role: request.role, uuid: request.uuid as Uuid });
  return startOnce(loop, stream, {
    events: [{ type: 'SwapRequested', data: request }],
    isSame: ({ type, data }) => type === 'SwapRequested' && sameRequest(data as SwapRequest, request, named),
    check: async () => {
      for (const coin of [request.maker_coin, request.taker_coin]) {
        const gate = loop.gates.get(coin);
        if (gate === undefined) throw coinNotActive(coin);
        if (gate.chain.traits.walletOnly === true) throw coinWalletOnly(coin);
      }
      checkAmounts(request, (coin) => loop.gates.get(coin)?.chain.traits);
      checkNotarisation(request, (coin) => loop.gates.get(coin)?.chain.traits.notarised === true);
      // Only a secret named in a request can be a used one.
      if (named.secret !== null) await takeSecret(loop, stream, request);
    },
  });
}

/**
 * Claims a named secret: once it is public in one swap, a taker could take the maker's payment of another without
 * having paid.
 */
async function takeSecret({ claims }: Loop, stream: string, request: SwapRequest): Promise<void> {
  await claims.complete();
  const user = claims.take(stream, [{ type: 'SwapRequested', data: request }]);
  if (user === null) return;
  throw requestInvalid('secret', 'one that no other swap has used, or null', {
    next: `Nothing was written. Let the node choose the secret: the one of ${user} may be public.`,
  });
}

/** Starts a stream of any kind with its first events. @throws RuntimeError SWAP_EXISTS, LOG_UNAVAILABLE */
export function startStream(
  loop: Loop,
  { stream, events }: { readonly stream: string; readonly events: readonly NewEvent[] },
): Promise<Started> {
  const [first] = events;
  return startOnce(loop, stream, {
    events,
    isSame: ({ type, data }) => type === first?.type && canonicalJson(data) === canonicalJson(first.data),
    check: async () => {},
  });
}

type Start = {
  readonly events: readonly NewEvent[];
  /** Whether the first record of an existing stream stands for the same start. */
  readonly isSame: (stored: NewEvent) => boolean;
  readonly check: () => Promise<void>;
};

async function startOnce(loop: Loop, stream: string, { events, isSame, check }: Start): Promise<Started> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    if (loop.draining) throw draining();
    const [stored] = await readStream(loop, stream);
    if (stored !== undefined) {
      if (!isSame(stored)) throw swapExists(stream);
      open(loop, stream);
      return { stream, known: true };
    }
    await check();
    if (loop.draining) throw draining();
    const at = loop.clock.now();
    const records = events.map(({ type, data }) => ({ at, type, version: PAYLOAD_VERSION, data }));
    if (await beginStream(loop, stream, records)) return { stream, known: false };
  }
  throw contested(stream);
}
