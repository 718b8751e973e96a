import { type MakerSwapContext, makerSwap, type TakerSwapContext, takerSwap } from '../../../machines/index.ts';
import type { MakerEvent } from '../../events/maker.ts';
import type { TakerEvent } from '../../events/taker.ts';
import { compile } from '../../replay/compile.ts';
import type { RunnerKind } from './runner.ts';
import { makerLocks, takerLocks } from './sides/locks.ts';
import { makerEvents, makerFacts } from './sides/maker.ts';
import { takerEvents, takerFacts } from './sides/taker.ts';

/** A runner of a taker's swap. */
export const takerKind: RunnerKind<TakerSwapContext, TakerEvent> = {
  machine: compile(takerSwap),
  definition: takerSwap,
  facts: takerFacts,
  events: takerEvents,
  locks: takerLocks,
};

/** A runner of a maker's swap. */
export const makerKind: RunnerKind<MakerSwapContext, MakerEvent> = {
  machine: compile(makerSwap),
  definition: makerSwap,
  facts: makerFacts,
  events: makerEvents,
  locks: makerLocks,
};
