/** Whose defaults hold where the specification and the real node differ. */
export type Compatibility = 'specification' | 'kdf';
