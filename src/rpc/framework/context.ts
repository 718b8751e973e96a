import type { TradingNode } from '../../node/node.ts';

/** What the methods of the framework work on. */
export type FrameworkContext = {
  readonly node: TradingNode;
  /** Name and version as `version` tells them. */
  readonly version: string;
  /** When this release was made, as `version` tells it. */
  readonly datetime: string;
  /** Ends the node after the answer has left. */
  readonly stop: () => void;
};
