import type { Seconds } from '../../primitives/time.ts';
import type { Noticeboard } from './noticeboard.ts';
import type { Party } from './party.ts';
import type { Scene } from './scene.ts';
import type { PlayChain, Staging } from './stage.ts';

/** Chains, nodes and what they tell. */
export type Play = Staging & {
  readonly show: (scene: Scene) => void;
  readonly red: PlayChain;
  readonly blu: PlayChain;
  /** She sells. */
  readonly alice: Party;
  /** He buys. */
  readonly bob: Party;
  /** She watches for takers; null where nobody does. */
  readonly carol: Party | null;
  readonly board: Noticeboard;
  /** For how long a taker's payment is locked, where the play waits for that. */
  readonly lock: Seconds;
};
