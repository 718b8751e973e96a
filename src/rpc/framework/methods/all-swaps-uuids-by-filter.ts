import { listSwaps } from '../../../node/swaps/list.ts';
import type { FrameworkContext } from '../context.ts';
import type { FrameworkMethod } from '../method.ts';
import { readLegacy, swapFilter } from '../swap-request.ts';

/** The ids of all swaps that a filter lets through, the latest first. */
export const allSwapsUuidsByFilter: FrameworkMethod<FrameworkContext> = {
  name: 'all_swaps_uuids_by_filter',
  summary: 'Lists the ids of all swaps of this node that match a filter.',
  legacy: {
    async run(request, { node: { node } }) {
      const filter = readLegacy(swapFilter, request);
      const rows = await listSwaps(node.log, filter);
      return { result: { found_records: rows.length, uuids: rows.map(({ uuid }) => uuid), ...filter } };
    },
  },
};
