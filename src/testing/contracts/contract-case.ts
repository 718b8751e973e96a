/** One promise of a port, as a test that any test runner can run. It throws if the adapter does not keep the promise. */
export type ContractCase = { readonly title: string; readonly run: () => Promise<void> };

/** What a case tries, on a subject of its own. */
export type Steps<Subject> = (under: Subject) => Promise<void>;

type Closing = { readonly close?: () => unknown };

/** Cases that each create a subject, and close it in the end. */
export function casesOn<Subject extends Closing>(
  create: () => Subject | Promise<Subject>,
  cases: readonly (readonly [title: string, steps: Steps<Subject>])[],
): readonly ContractCase[] {
  return cases.map(([title, steps]) => ({
    title,
    run: async () => {
      const under = await create();
      try {
        await steps(under);
      } finally {
        await under.close?.();
      }
    },
  }));
}

/** A text that is the same for equal values: members in order, with whole numbers of any size. */
export function canonical(value: unknown): string {
  const text = JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === 'bigint') return `${member}n`;
    return typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : member;
  });
  return text ?? 'undefined';
}
