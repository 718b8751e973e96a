/** How a member of a coins-file entry is treated: it takes effect, it has no effect for the given reason, or it is refused. */
export type EntryField = {
  readonly becomes: 'effect' | 'none' | 'refused';
  /** What it does, why it does nothing, or what is refused. */
  readonly what: string;
  /** The effect if it is absent; empty if absence means nothing. */
  readonly absent: string;
};

export const effect = (what: string, absent: string): EntryField => ({ becomes: 'effect', what, absent });
export const none = (what: string): EntryField => ({ becomes: 'none', what, absent: '' });
export const refused = (what: string): EntryField => ({ becomes: 'refused', what, absent: '' });
