import { NodeRefusal } from '../accounts/node.ts';
import { isAbsent } from './json.ts';
import type { EvmNode } from './node.ts';

/** How often in a row to ask about a block that the node says it does not know. */
const TURNS = 12;

/** Errors for an unknown block: by code (EIP-1474: resource not found), or in the words of the common nodes. */
const NOT_FOUND = -32_001;
const UNKNOWN_BLOCK =
  /header not found|unknown block|block not found|could not find block|resource not found|block ?out ?of ?range/i;

/**
 * The same node, with repeated questions about a block that it does not know: one address may stand for several nodes, of which one reported the
 * block and another lags. Its last answer counts.
 */
export function askingAgain(node: EvmNode): EvmNode {
  return {
    ...node,
    async request(method, params) {
      if (!isAboutBlock(params)) return node.request(method, params);
      for (let left = TURNS; ; left -= 1) {
        try {
          const answer = await node.request(method, params);
          if (left === 1 || !isUnknownBlock(method, answer)) return answer;
        } catch (error) {
          if (left === 1 || !isUnknown(error)) throw error;
        }
      }
    },
  };
}

/** Whether a block is named by its hash or its number. */
function isAboutBlock(params: readonly unknown[]): boolean {
  return params.some(
    (param) => isNumber(param) || (typeof param === 'object' && param !== null && 'blockHash' in param),
  );
}

/** A quantity: addresses and ids are longer. */
function isNumber(param: unknown): boolean {
  return typeof param === 'string' && /^0x[0-9a-f]{1,16}$/.test(param);
}

function isUnknownBlock(method: string, answer: unknown): boolean {
  return method === 'eth_getBlockByNumber' && isAbsent(answer);
}

/** Whether a node says that it does not know a block. */
export function isUnknown(error: unknown): boolean {
  return error instanceof NodeRefusal && (error.code === NOT_FOUND || UNKNOWN_BLOCK.test(error.message));
}
