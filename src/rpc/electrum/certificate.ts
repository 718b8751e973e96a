/** A certificate with its key, both in PEM. */
export type Certificate = { readonly cert: string; readonly key: string };
