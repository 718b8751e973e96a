import { initialWatcherContext } from '../../machines/watcher/context.ts';
import type { Watch } from '../../src/events/watcher.ts';
import { defaultWatchTiming } from '../../src/events/watcher.ts';
import type { PaymentTerms } from '../../src/ports/chain.ts';
import type { DecimalText } from '../../src/primitives/decimal.ts';
import { utxoTransactionId } from '../../src/runtime/watcher/terms.ts';
import type { WatcherTurn } from '../../src/runtime/watcher/turn.ts';
import { sample } from '../machines/watcher/support.ts';
import { type TurnChanges, turnOf } from './turns.ts';

/** What is other than usual in a watcher's turn. */
export type WatcherTurnChanges = Pick<TurnChanges, 'now' | 'facts' | 'journal' | 'policy'> & {
  readonly state?: string;
  readonly watch?: Partial<Watch>;
  readonly context?: Partial<WatcherTurn['context']>;
  readonly timing?: Partial<WatcherTurn['timing']>;
  readonly swap?: Partial<WatcherTurn['swap']>;
  readonly inputs?: Partial<WatcherTurn['inputs']>;
};

/** A turn of a watcher of the sample's swap, which holds nothing but the taker's message. When it is due, its wants say. */
export function watcherTurnOf(changes: WatcherTurnChanges = {}): WatcherTurn {
  const { state = 'waitingForSpend', watch, context, timing, swap, inputs, ...rest } = changes;
  const { now, journal, facts, policy, wakeAt, swap: party } = turnOf(rest);
  const { traits } = turnOf();
  const both = { contract: null, secretHashBytes: 20 } as const;
  const watched = { ...sample.watch, ...watch };
  return {
    now,
    journal,
    facts,
    policy,
    wakeAt,
    state,
    context: { ...initialWatcherContext(), watch: watched, timing: defaultWatchTiming, ...context },
    watch: watched,
    timing: { ...defaultWatchTiming, ...timing },
    swap: {
      watch: watched,
      own: 'taker',
      ownTerms: party.ownTerms,
      otherTerms: party.otherTerms,
      otherPayment: null,
      startBlocks: { maker: watched.maker_coin_start_block, taker: watched.taker_coin_start_block },
      amounts: { maker: '1.5' as DecimalText, taker: sample.watch.taker_amount },
      refundProblem: null,
      ...swap,
    },
    inputs: {
      traits: { maker: { ...traits.maker, ...both }, taker: { ...traits.taker, ...both } },
      timing: defaultWatchTiming,
      idOf: utxoTransactionId,
      helpers: true,
      ...inputs,
    },
  };
}

/** The terms of the maker's payment in that turn. */
export function makerTerms(): PaymentTerms {
  const { otherTerms } = watcherTurnOf().swap;
  if (otherTerms === null) throw new Error('the watched swap has no terms of the maker');
  return otherTerms;
}
