/** Where a snapshot of a ledger is kept beside its log. It is never needed: without one the log is read from its beginning. */
export interface SnapshotStore {
  /** What was saved last, or nothing where nothing was or it cannot be read. */
  load(): Promise<Uint8Array | undefined>;
  /** Keeps these bytes in the place of what was kept before, whole or not at all. Never throws: the log has everything. */
  save(bytes: Uint8Array): Promise<void>;
  /** Records after which a new one is worth it. @defaultValue 1,000 */
  readonly every?: number;
}
