import type { UtxoChain } from '../chains/utxo/adapter.ts';
import type { MergeTerms } from '../chains/utxo/merge.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { JsonObject } from '../primitives/json.ts';
import { millisOf, type Seconds } from '../primitives/time.ts';
import { ActivationFailure } from './activation-failure.ts';
import type { Compatibility } from './compatibility.ts';
import { inMember, option, readAs, struct, u64 } from './serde.ts';

/** How a request wants the coins of an address made one (as in the real node). */
export type Merging = MergeTerms & {
  /** Between two looks. */
  readonly every: Seconds;
};

const mergeParams = struct('UtxoMergeParams', {
  merge_at: u64,
  check_every: option(u64),
  max_merge_at_once: option(u64),
});

const USUAL_PAUSE: Seconds = 10;
const USUAL_MOST = 100;
/** One coin that is made one again costs a fee each time, and changes nothing. */
const LEAST_COINS = 2;

/** Null where the request asks for none. @throws ActivationFailure requestInvalid */
export function mergingOf(request: JsonObject, compatibility: Compatibility = 'kdf'): Merging | null {
  const asked = request['utxo_merge_params'] ?? null;
  if (asked === null) return null;
  const read = readAs(mergeParams, asked);
  if (!read.ok)
    throw new ActivationFailure('requestInvalid', inMember('utxo_merge_params', { ...read, compatibility }));
  const { merge_at: at, check_every, max_merge_at_once } = read.value;
  const every = check_every ?? USUAL_PAUSE;
  const most = max_merge_at_once ?? USUAL_MOST;
  for (const [name, number, least] of [
    ['merge_at', at, LEAST_COINS],
    ['max_merge_at_once', most, LEAST_COINS],
    ['check_every', every, 1],
  ] as const) {
    if (number >= least) continue;
    throw new ActivationFailure(
      'requestInvalid',
      `utxo_merge_params: ${name} is ${number}, and must be ${least} or more`,
    );
  }
  return { at, most, every };
}

export type MergingParts = {
  readonly coin: string;
  readonly chain: Pick<UtxoChain, 'merge'>;
  readonly clock: Clock;
  readonly logger: Logger | undefined;
};

/** Merges coins repeatedly, until it is ended. The node's log reports a failure once, until another kind occurs. */
export function keepMerging({ at, most, every }: Merging, { coin, chain, clock, logger }: MergingParts): () => void {
  let ended = false;
  let told = '';
  let cancel = (): void => {};
  const look = async (): Promise<void> => {
    const answer = await chain.merge({ at, most }).catch(() => null);
    const trouble = answer === null ? 'it failed' : answer.ok ? '' : answer.fault.kind;
    if (answer?.ok === true && answer.value > 0)
      logger?.info('merged coins into one output', { coin, coins: answer.value });
    if (trouble !== '' && trouble !== told)
      logger?.warn('could not merge coins into one output', { coin, reason: trouble });
    told = trouble;
    if (!ended) wait();
  };
  const wait = (): void => {
    cancel = clock.wakeAt(millisOf(clock.now() + every * 1000), () => void look());
  };
  wait();
  return () => {
    ended = true;
    cancel();
  };
}
