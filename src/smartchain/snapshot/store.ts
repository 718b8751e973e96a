/** Where a snapshot of a ledger is stored, beside its log. It is never needed: without one the chain replays the log from its first record. */
export interface SnapshotStore {
  /** The last saved bytes, or nothing if there are none or they cannot be read. */
  load(): Promise<Uint8Array | undefined>;
  /** Replaces the saved bytes, atomically. Never throws: the log has everything. */
  save(bytes: Uint8Array): Promise<void>;
  /** Number of records after which a new snapshot is due. @defaultValue 1,000 */
  readonly every?: number;
}
