import type { Together } from './together.ts';

/** One call of a node. */
export type LineCall = { readonly method: string; readonly params: readonly unknown[] };

/** How a node is reached. Each call is made once. */
export type Line = {
  request(call: LineCall): Promise<unknown>;
  /** Changes with each new connection. */
  connection(): Promise<unknown>;
  /** @defaultValue calls go the same way one after the other */
  readonly together?: Together;
  close(): void;
};
