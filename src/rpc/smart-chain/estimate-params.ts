import type { Params } from './method.ts';
import { integerOrTextAt, requireType } from './params.ts';

/** Blocks that an estimate is asked for, at least one. @throws RpcError -3 for no number, -1 for no whole one */
export function blocksAt(params: Params): number {
  const [count] = params;
  if (typeof count !== 'string' || !/^\d{1,9}$/.test(count)) requireType(params, 0, 'number');
  return Math.max(1, integerOrTextAt(params, 0));
}
