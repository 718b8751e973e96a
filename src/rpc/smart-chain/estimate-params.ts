import type { Params } from './method.ts';
import { integerAt, requireType } from './params.ts';

/** Blocks that an estimate is asked for, at least one. @throws RpcError -3 for no number, -1 for no whole one */
export function blocksAt(params: Params): number {
  requireType(params, 0, 'number');
  return Math.max(1, integerAt(params, 0));
}
