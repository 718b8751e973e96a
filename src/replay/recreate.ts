import type { Role } from '../events/catalog.ts';
import { standardLists } from '../events/event-lists.ts';
import type { SavedSwapHead, SwapLog } from '../events/saved-swap.ts';
import type { ExtractSecret } from '../htlc/extract-secret.ts';
import { certain, type Draft, type Inference, unknown } from './recreate/draft.ts';
import { recreateMakerEvents } from './recreate/maker-log.ts';
import { shownSecret } from './recreate/shown-secret.ts';
import type { RecreateForm } from './recreate/source.ts';
import { recreateTakerEvents } from './recreate/taker-log.ts';

export type RecreateOptions = {
  /** Who writes the log, as a node names itself. @defaultValue null */
  readonly gui?: string | null;
  /** Version of the writer. @defaultValue null */
  readonly mmVersion?: string | null;
  /**
   * `kdf`: event by event as the real node. `replayable`: the same, except that an order of events that no node could have produced, and that stops a
   * node that resumes it, is replaced by one that says what must be looked up; and with the other party's exact start, which follows from its lock.
   * @defaultValue 'kdf'
   */
  readonly form?: RecreateForm;
  /** Whether a coin is active: the real node needs an active maker coin to read a secret. @defaultValue all are */
  readonly hasCoin?: (ticker: string) => boolean;
  /** @defaultValue one that reads transactions of UTXO chains and calls of the swap contract on EVM chains */
  readonly extractSecret?: ExtractSecret;
};

/** The other party's log, and which of its facts are inferred, from what, and how certain they are. All others are copies. */
export type RecreatedSwap = { readonly log: SwapLog; readonly inferred: readonly Inference[] };

/**
 * Creates the other party's log from a log (KDF's `recreate_swap_data`), for a party that lost its own. Times are those of the
 * source. If a spend shows no secret, the secret in a maker's log takes its place.
 *
 * @throws RecreateError when the log does not begin with Started and Negotiated, or lacks what the other log needs.
 *
 * @example
 * ```ts
 * import { recreateSwap } from 'swapfold/replay';
 * import { buildSwap, successPath } from 'swapfold/testing';
 *
 * const { log, inferred } = recreateSwap(buildSwap({ role: 'taker', path: successPath('taker') }));
 * log.role; // → 'maker'
 * log.events.map(({ type }) => type).slice(0, 3); // → ['Started', 'Negotiated', 'TakerFeeValidated']
 * inferred.find(({ member }) => member === 'started_at')?.certainty; // → 'assumed'
 * ```
 */
export function recreateSwap(log: SwapLog, options: RecreateOptions = {}): RecreatedSwap {
  const { form = 'kdf', hasCoin = () => true, extractSecret = shownSecret } = options;
  const draft =
    log.role === 'taker' ? recreateMakerEvents(log, form) : recreateTakerEvents(log, { form, hasCoin, extractSecret });
  return recreated(log, draft, options);
}

function recreated(source: SwapLog, { events, inferred }: Draft, options: RecreateOptions): RecreatedSwap {
  const role: Role = source.role === 'taker' ? 'maker' : 'taker';
  const { head, uuid } = source;
  const lists = standardLists(role);
  const own: SavedSwapHead = {
    type: role === 'taker' ? 'Taker' : 'Maker',
    uuid,
    my_order_uuid: role === 'taker' ? uuid : head.my_order_uuid,
    maker_amount: head.maker_amount,
    maker_coin: head.maker_coin,
    maker_coin_usd_price: head.maker_coin_usd_price,
    taker_amount: head.taker_amount,
    taker_coin: head.taker_coin,
    taker_coin_usd_price: head.taker_coin_usd_price,
    gui: options.gui ?? null,
    mm_version: options.mmVersion ?? null,
    success_events: [...lists.success],
    error_events: [...lists.error],
  };
  const order =
    role === 'taker'
      ? certain('uuid', 'The order of a taker has the id of its swap.')
      : unknown('my_order_uuid', "It is the taker's; the maker's order had another id.");
  return {
    log: { role, uuid, events, head: own, roleGiven: true, anomalies: [] },
    inferred: [{ seq: null, event: null, member: 'my_order_uuid', ...order }, ...inferred],
  };
}
