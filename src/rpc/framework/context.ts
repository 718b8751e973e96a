import type { TradingNode } from '../../node/node.ts';
import type { MetricsView } from './metrics-view.ts';
import type { StreamClients } from './stream/clients.ts';

/** What the methods of the framework work on. */
export type FrameworkContext = {
  readonly node: TradingNode;
  /** Name and version as `version` tells them. */
  readonly version: string;
  /** The date of this release, as `version` reports it. */
  readonly datetime: string;
  /** What each method does, by its name. @defaultValue the document of the interface does without */
  readonly summaries?: ReadonlyMap<string, string>;
  /** What the node counts. @defaultValue nothing is counted */
  readonly metrics?: MetricsView;
  /** What clients of the event stream enable. @defaultValue nobody has a stream */
  readonly streams?: StreamClients;
  /** Ends the node after the answer has left. */
  readonly stop: () => void;
};
