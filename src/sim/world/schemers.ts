import type { SimNode } from './node.ts';

/** Whether a party breaks the protocol by what it does besides its engine. */
export function isSchemer({ plan }: Pick<SimNode, 'plan'>): boolean {
  const { kind } = plan.conduct;
  return kind === 'pin' || kind === 'replace' || kind === 'rewrite' || kind === 'race' || kind === 'frontRun';
}
