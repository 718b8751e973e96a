import type { LogFields, Logger } from '../../../../src/ports/logger.ts';
import { SwapfoldError } from '../../../../src/primitives/error.ts';
import { LosslessNumber } from '../../../../src/primitives/json.ts';
import type { NodeContext } from '../../../../src/rpc/smart-chain/context.ts';
import { type DispatchTerms, methodTable } from '../../../../src/rpc/smart-chain/dispatch.ts';
import type { RpcMethod } from '../../../../src/rpc/smart-chain/method.ts';
import { textAt } from '../../../../src/rpc/smart-chain/params.ts';
import { RpcError } from '../../../../src/rpc/smart-chain/rpc-error.ts';

/** A text that must never leave the node. */
export const HIDDEN = 'UveryPrivateKeyOfSomebody';

const method = (name: string, rest: Partial<RpcMethod>): RpcMethod => ({
  name,
  usage: '',
  summary: `Says ${name}.`,
  arity: [0, 9],
  run: () => null,
  ...rest,
});

/** Methods that need no chain. */
export const SMALL_METHODS: readonly RpcMethod[] = [
  method('echo', { usage: '[value...]', run: (params) => params }),
  method('text', { usage: 'text', arity: [1, 1], run: (params) => textAt(params, 0) }),
  method('later', { run: async () => 'later' }),
  method('amount', { run: () => new LosslessNumber('10.00000000') }),
  method('nothing', { run: () => undefined }),
  method('tokenthing', { usage: 'tokenid [pubkey]', arity: [1, 2] }),
  method('refuse', {
    run: () => {
      throw new RpcError(-5, 'Block not found');
    },
  }),
  method('break', {
    run: () => {
      throw new TypeError(`cannot read ${HIDDEN}`);
    },
  }),
  method('breaklater', { run: () => Promise.reject(HIDDEN) }),
  method('breakknown', {
    run: () => {
      throw new SwapfoldError('The disk is full.', { code: 'LOG_OPEN_FAILED', facts: { file: HIDDEN } });
    },
  }),
  method('unwritable', { run: () => ({ count: 1n }) }),
];

export type LogLine = { readonly level: string; readonly message: string; readonly fields: LogFields };

export function keptLog(): Logger & { readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const keep = (level: string) => (message: string, fields: LogFields) => {
    lines.push({ level, message, fields });
  };
  return { lines, info: keep('info'), warn: keep('warn'), error: keep('error') };
}

/** Terms for the small methods, which look at no context. */
export function smallTerms(logger: Logger = keptLog()): DispatchTerms {
  return { methods: methodTable(SMALL_METHODS), context: {} as NodeContext, logger };
}
