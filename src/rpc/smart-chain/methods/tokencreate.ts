import { bytesToHex } from '../../../primitives/hex.ts';
import { lenientHex, supplySatoshis } from '../../../smartchain/encoding/lenient.ts';
import { EVAL_TOKENS } from '../../../smartchain/eval-codes.ts';
import { buildCreate, type CreateOptions } from '../../../smartchain/wallet/token-transactions.ts';
import type { NodeContext, SmartChainCompatibility } from '../context.ts';
import type { Params, RpcMethod } from '../method.ts';
import { amountTextAt, textAt } from '../params.ts';
import { tokenFailure, tokenMaker } from '../token-params.ts';

const LONGEST_NAME = 32;
const LONGEST_DESCRIPTION = 4096;
const LONGEST_DATA = 10_001;

/** Builds and signs the creation of a token; sends nothing. */
export const tokencreate: RpcMethod = {
  name: 'tokencreate',
  usage: 'name supply [description][data]',
  summary: 'Returns a signed transaction that creates a token; send it with sendrawtransaction.',
  arity: [2, 4],
  run(params, context) {
    const maker = tokenMaker(context);
    const options = readOptions(params, context.compatibility);
    if (typeof options === 'string') return tokenFailure(options);
    const stuck = context.compatibility === 'node' ? undefined : boundForEver(options, context);
    if (stuck !== undefined) return tokenFailure(stuck);
    const answer = buildCreate(maker, options);
    return 'error' in answer ? tokenFailure(answer.error) : { result: 'success', hex: bytesToHex(answer.built.bytes) };
  },
};

/** A token that is bound to a module which the chain does not have could never be sent; the node makes it all the same. */
function boundForEver({ data }: CreateOptions, { chain }: NodeContext): string | undefined {
  const code = data?.[0];
  if (code === undefined || code === EVAL_TOKENS || chain.params.passiveEvals.includes(code)) return undefined;
  const known = [EVAL_TOKENS, ...chain.params.passiveEvals].map(hexByte).join(', ');
  return `Non-fungible data starts with ${hexByte(code)}, a module that this chain does not have (${known}): the token could never be sent`;
}

function hexByte(code: number): string {
  return `0x${code.toString(16).padStart(2, '0')}`;
}

/** Reads and checks the parameters one by one, as the node does; returns a text that says what is wrong. */
function readOptions(params: Params, compatibility: SmartChainCompatibility): CreateOptions | string {
  const name = new TextEncoder().encode(textAt(params, 0));
  if (name.length === 0 || name.length > LONGEST_NAME) {
    return 'Token name must not be empty and up to 32 characters';
  }
  const supply = supplySatoshis(amountTextAt(params, 1), { doubleRounding: compatibility === 'node' });
  if (supply <= 0n) return 'Token supply must be positive';
  const description = new TextEncoder().encode(params.length < 3 ? '' : textAt(params, 2));
  if (description.length > LONGEST_DESCRIPTION) return 'Token description must be <= 4096 characters';
  if (params.length < 4) return { name, supply, description };
  const data = lenientHex(textAt(params, 3));
  if (data.length > LONGEST_DATA) return 'Non-fungible data size must be <= 10001';
  if (data.length === 0) return 'Non-fungible data incorrect';
  if (supply !== 1n) return 'for non-fungible tokens tokensupply should be equal to 1';
  return { name, supply, description, data };
}
