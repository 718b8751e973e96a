/** What swaps can be sorted by. Separate from the selection, because the help names it and must load little. */
export const SORT_KEYS = ['time', 'uuid', 'outcome', 'coin'] as const;
export type SortKey = (typeof SORT_KEYS)[number];
