/** A connection to a node that answers calls. */
export type NodeLine = {
  /** Never settles where the line ends before. @throws NodeRefusal; BackendSilent; what the platform throws */
  execute(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown>;
  close(): void;
};
