import { NodeRefusal } from '../accounts/node.ts';
import { isAbsent } from './json.ts';
import type { EvmNode } from './node.ts';

/** How often in a row a question about a block is asked that the node says not to know. */
const TURNS = 12;

/** Of a block that is not known: by its code (EIP-1474: resource not found), or in the words of the common nodes. */
const NOT_FOUND = -32_001;
const UNKNOWN_BLOCK =
  /header not found|unknown block|block not found|could not find block|resource not found|block ?out ?of ?range/i;

/**
 * The same node, of which questions about a block that it does not know are asked again: behind one address there may be several nodes, one of which told
 * of the block and another of which lags. What it says in the end stands.
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

function isUnknown(error: unknown): boolean {
  return error instanceof NodeRefusal && (error.code === NOT_FOUND || UNKNOWN_BLOCK.test(error.message));
}
