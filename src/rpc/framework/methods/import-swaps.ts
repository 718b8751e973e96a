import { DecodeError } from '../../../events/decode-error.ts';
import { decodeSavedSwap, type SwapLog } from '../../../events/saved-swap.ts';
import { memberProblem } from '../../../node/serde.ts';
import { importSwaps } from '../../../node/swaps/import.ts';
import { isJsonObject, type JsonValue } from '../../../primitives/json.ts';
import { breaks } from '../../../smartchain/turns.ts';
import type { FrameworkContext } from '../context.ts';
import { internalFailure } from '../failure.ts';
import type { FrameworkMethod } from '../method.ts';

/** Takes over swaps from elsewhere, all of which can be read, or none. */
export const importSwapsMethod: FrameworkMethod<FrameworkContext> = {
  name: 'import_swaps',
  summary: 'Imports swaps that another node stored, and resumes the unfinished ones.',
  legacy: {
    async run({ swaps }, { node: { node } }) {
      if (!Array.isArray(swaps)) throw internalFailure(memberProblem(swaps ?? null, 'a sequence'));
      const pauseWhereDue = breaks();
      const logs: SwapLog[] = [];
      for (const [index, value] of swaps.entries()) {
        // A thousand of them take seconds.
        await pauseWhereDue();
        logs.push(readOne(value, index));
      }
      return { result: await importSwaps(node, logs) };
    },
  },
};

function readOne(value: JsonValue, index: number): SwapLog {
  if (isJsonObject(value) && value['type'] === undefined) throw internalFailure('missing field `type`');
  try {
    return decodeSavedSwap(value, `/swaps/${index}`);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw internalFailure(`${error.shortMessage} (${String(error.facts['path'] ?? `/swaps/${index}`)})`);
  }
}
