/** Whoever was asked does not answer, or with nothing that is an answer. */
export class BackendSilent extends Error {}
