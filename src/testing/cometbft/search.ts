import type { CometBlock } from './chain.ts';

/** Where a transaction stands. */
export type Place = { readonly block: CometBlock; readonly index: number };

/** The conditions of a query such as `create_htlc.id='A' AND tx.height=7`; null for a form that is not known here. */
export function conditionsOf(query: string): readonly (readonly [name: string, value: string])[] | null {
  const conditions: (readonly [string, string])[] = [];
  for (const part of query.split(/\s+AND\s+/)) {
    const found = /^\s*([\w.]+)\s*=\s*(?:'([^']*)'|(\d+))\s*$/.exec(part);
    if (found === null) return null;
    conditions.push([found[1] ?? '', found[2] ?? found[3] ?? '']);
  }
  return conditions;
}

/** Transactions that fulfil all conditions, the oldest first. */
export function searchBlocks(blocks: readonly CometBlock[], query: string): readonly Place[] | null {
  const conditions = conditionsOf(query);
  if (conditions === null) return null;
  return blocks.flatMap((block) =>
    block.transactions.flatMap((_, index) => {
      const place = { block, index };
      return conditions.every(([name, value]) => holds(place, name, value)) ? [place] : [];
    }),
  );
}

function holds({ block, index }: Place, name: string, value: string): boolean {
  const included = block.transactions[index];
  if (included === undefined) return false;
  if (name === 'tm.event') return value === 'Tx';
  if (name === 'tx.height') return block.height === Number(value);
  if (name === 'tx.hash') return included.id.toUpperCase() === value.toUpperCase();
  return included.result.events.some(({ type, attributes }) =>
    Object.entries(attributes).some(([key, held]) => `${type}.${key}` === name && held === value),
  );
}
