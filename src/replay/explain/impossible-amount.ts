import { MOST_DECIMALS } from '../../../machines/told-amount.ts';
import type { Role } from '../../events/catalog.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { isJsonObject } from '../../primitives/json.ts';

/** That the amount of a side is a number that no chain can hold, whatever it stands for; null where it may be one. */
export function impossibleAmount(owner: Role, { events }: Pick<SwapLog, 'events'>): string | null {
  const started = events.find(({ type }) => type === 'Started')?.data;
  const written = isJsonObject(started) ? started[`${owner}_amount`] : undefined;
  const digits = typeof written === 'string' ? (/\.(\d+)$/.exec(written)?.[1]?.replace(/0+$/, '').length ?? 0) : 0;
  if (digits <= MOST_DECIMALS) return null;
  return `The log writes the amount of the ${owner} with ${digits} decimals; no chain has more than ${MOST_DECIMALS}.`;
}
