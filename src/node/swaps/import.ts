import { machineOfRole } from '../../events/catalog.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { SwapfoldError } from '../../primitives/error.ts';
import type { NodeParts } from '../node.ts';

/** What became of swaps that were brought from elsewhere: those that the log holds now, and why the others are not there. */
export type ImportedSwaps = {
  readonly imported: readonly string[];
  readonly skipped: Readonly<Record<string, string>>;
};

/**
 * Takes swaps over and drives them. One that is there already is never overwritten: it is imported where the two tell the same, and skipped where
 * they differ.
 */
export async function importSwaps(
  { runtime, births }: Pick<NodeParts, 'runtime' | 'births'>,
  swaps: readonly SwapLog[],
): Promise<ImportedSwaps> {
  const imported: string[] = [];
  const skipped: Record<string, string> = {};
  for (const swap of swaps) {
    // Before it is driven: what it looks for may be in blocks that were of no interest until now.
    births.note(swap.events);
    try {
      await runtime.importSwap(swap);
      await births.include(`${machineOfRole[swap.role]}/${swap.uuid}`);
      imported.push(swap.uuid);
    } catch (error) {
      if (!(error instanceof SwapfoldError)) throw error;
      skipped[swap.uuid] = `${error.shortMessage} ${error.next ?? ''}`.trim();
    }
  }
  return { imported, skipped };
}
