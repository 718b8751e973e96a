/** What becomes of a member of a coins-file entry: it takes effect, it has none and the reason says why, or it is refused. */
export type EntryField = {
  readonly becomes: 'effect' | 'none' | 'refused';
  /** What it does, why it does nothing, or what is refused. */
  readonly what: string;
  /** Where it is absent; empty for a member of which that says nothing. */
  readonly absent: string;
};

export const effect = (what: string, absent: string): EntryField => ({ becomes: 'effect', what, absent });
export const none = (what: string): EntryField => ({ becomes: 'none', what, absent: '' });
export const refused = (what: string): EntryField => ({ becomes: 'refused', what, absent: '' });
