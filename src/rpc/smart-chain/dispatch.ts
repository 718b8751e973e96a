import type { Logger } from '../../ports/logger.ts';
import { SwapfoldError } from '../../primitives/error.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../primitives/json.ts';
import { breaks } from '../../smartchain/turns.ts';
import { BodyTooFull, isShort, MAX_BODY_BYTES, readBody, readShortBody } from '../http/read-body.ts';
import type { NodeContext } from './context.ts';
import { helpText } from './help.ts';
import { jsonText } from './json-text.ts';
import type { Params, RpcMethod } from './method.ts';
import { RPC_CODE, RpcError } from './rpc-error.ts';

/** Maximum number of calls in one batch. */
export const MAX_BATCH = 1000;

/** Length of the answer, in characters, after which the rest of a batch is skipped, so that the answer fits into memory. */
const MAX_BATCH_ANSWER = 0x0400_0000;

/** The longest call of a client has some ten thousand values. */
const BOUNDS = { values: 100_000, wholeNumbers: true };

/** Methods by name. */
export type MethodTable = ReadonlyMap<string, RpcMethod>;

/** While the node starts, the answer to every call: this text, with code -28. */
export type WarmingUp = { readonly warmingUp: string };

export type DispatchTerms = {
  readonly methods: MethodTable;
  readonly context: NodeContext | WarmingUp;
  /** Called when a method fails unexpectedly. */
  readonly logger: Logger;
};

/** An answer as HTTP carries it. */
export type RpcAnswer = { readonly status: number; readonly body: string };

/**
 * The table of a list of methods. @throws RangeError when two have one name.
 *
 * @example
 * ```ts
 * import { METHODS, methodTable } from 'swapfold/rpc';
 *
 * methodTable(METHODS).get('tokentransfer')?.arity; // → [3, 3]
 * methodTable([...METHODS, ...METHODS]); // throws RangeError
 * ```
 */
export function methodTable(methods: readonly RpcMethod[]): MethodTable {
  const table = new Map(methods.map((method) => [method.name, method]));
  if (table.size !== methods.length) throw new RangeError('two methods have one name');
  return table;
}

/**
 * Answers the body of one request: a call or a batch of at most {@link MAX_BATCH}, whose calls run one after another. Whatever
 * the body is, there is an answer; nothing is thrown. Codes and texts are those of the smart-chain node.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 * import { createMemoryLog } from 'swapfold/log/memory';
 * import { dispatch, METHODS, methodTable } from 'swapfold/rpc';
 * import { systemRandom } from 'swapfold/runtime';
 * import { openSmartChain, openWallet, PREFIXES } from 'swapfold/smartchain';
 * import { createVirtualClock } from 'swapfold/testing';
 *
 * const clock = createVirtualClock(millisOf(1_764_000_000_000));
 * const chain = await openSmartChain({ log: createMemoryLog(), now: clock.now });
 * const wallet = await openWallet({ prefixes: PREFIXES.main, random: systemRandom });
 * const context = { chain, wallet, compatibility: 'node', tokens: false, stop() {} } as const;
 * const terms = { methods: methodTable(METHODS), logger: { info() {}, warn() {}, error() {} } };
 * const body = '{"method":"getblockcount","id":"a"}';
 * const answer = await dispatch(body, { ...terms, context });
 * answer; // → { status: 200, body: '{"result":0,"error":null,"id":"a"}\n' }
 * const starting = { warmingUp: 'Loading block index...' };
 * (await dispatch(body, { ...terms, context: starting })).status; // → 500
 * ```
 */
export async function dispatch(body: string | Uint8Array, terms: DispatchTerms): Promise<RpcAnswer> {
  return answerTo(body, terms);
}

/** The same as {@link dispatch}, without a promise where the answer is there at once. */
export function answerTo(body: string | Uint8Array, terms: DispatchTerms): RpcAnswer | Promise<RpcAnswer> {
  if (!isShort(body)) return answerLong(body, terms);
  let value: JsonValue;
  try {
    value = readShortBody(body);
  } catch {
    return refused(new RpcError(RPC_CODE.parse, 'Parse error'));
  }
  return answerValue(value, terms);
}

async function answerLong(body: string | Uint8Array, terms: DispatchTerms): Promise<RpcAnswer> {
  if (body.length > MAX_BODY_BYTES) return { status: 413, body: '' };
  let value: JsonValue;
  try {
    value = await readBody(body, BOUNDS);
  } catch (error) {
    const problem = error instanceof BodyTooFull ? `: ${error.message}` : '';
    return refused(new RpcError(RPC_CODE.parse, `Parse error${problem}`));
  }
  return answerValue(value, terms);
}

function answerValue(value: JsonValue, terms: DispatchTerms): RpcAnswer | Promise<RpcAnswer> {
  if (Array.isArray(value)) return answerBatch(value, terms);
  if (!isJsonObject(value)) return refused(new RpcError(RPC_CODE.parse, 'Top-level object parse error'));
  const reply = answerOne(value, terms);
  return reply instanceof Promise ? reply.then(lineOf) : lineOf(reply);
}

function lineOf({ status, text }: Reply): RpcAnswer {
  return { status, body: `${text}\n` };
}

/** An answer without its line end. */
type Reply = { readonly status: number; readonly text: string };

async function answerBatch(elements: readonly JsonValue[], terms: DispatchTerms): Promise<RpcAnswer> {
  if (elements.length > MAX_BATCH) {
    return refused(new RpcError(RPC_CODE.request, `A batch must not hold more than ${MAX_BATCH} requests`));
  }
  const texts: string[] = [];
  let length = 0;
  const breakWhereDue = breaks();
  for (const element of elements) {
    // Most calls have their answer at once; waiting for it would cost more than they do.
    const due = breakWhereDue();
    if (due !== undefined) await due;
    const reply = length > MAX_BATCH_ANSWER ? failure(TOO_LONG, idOf(element)) : answerOne(element, terms);
    const { text } = reply instanceof Promise ? await reply : reply;
    texts.push(text);
    length += text.length;
  }
  return { status: 200, body: `[${texts.join(',')}]\n` };
}

const TOO_LONG = new RpcError(
  RPC_CODE.misc,
  'The answers before this one are too long for one batch; nothing was done',
);

function answerOne(element: JsonValue, terms: DispatchTerms): Reply | Promise<Reply> {
  const id = idOf(element);
  let method: RpcMethod | undefined;
  const failed = (error: unknown): Reply => {
    if (error instanceof RpcError) return failure(error, id);
    report(error, { logger: terms.logger, method: method?.name });
    return failure(new RpcError(RPC_CODE.misc, hiddenText(error)), id);
  };
  try {
    const request = readRequest(element);
    if ('warmingUp' in terms.context) throw new RpcError(RPC_CODE.warmingUp, terms.context.warmingUp);
    method = terms.methods.get(request.method);
    if (method === undefined) throw new RpcError(RPC_CODE.unknownMethod, 'Method not found');
    const [least, most] = method.arity;
    const { length } = request.params;
    if (length < least || length > most) throw new RpcError(RPC_CODE.misc, helpText(method));
    const result = method.run(request.params, terms.context);
    const text = isThenable(result) ? laterText(result) : jsonText(result ?? null);
    return typeof text === 'string' ? success(text, id) : text.then((later) => success(later, id)).catch(failed);
  } catch (error) {
    return failed(error);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

async function laterText(result: PromiseLike<unknown>): Promise<string> {
  return jsonText((await result) ?? null);
}

function success(text: string, id: JsonValue): Reply {
  return { status: 200, text: `{"result":${text},"error":null,"id":${stringifyJson(id)}}` };
}

type Request = { readonly method: string; readonly params: Params };

function readRequest(element: JsonValue): Request {
  if (!isJsonObject(element)) throw new RpcError(RPC_CODE.request, 'Invalid Request object');
  const { method, params = null }: JsonObject = element;
  if (method === undefined || method === null) throw new RpcError(RPC_CODE.request, 'Missing method');
  if (typeof method !== 'string') throw new RpcError(RPC_CODE.request, 'Method must be a string');
  if (params !== null && !Array.isArray(params)) throw new RpcError(RPC_CODE.request, 'Params must be an array');
  return { method, params: params ?? [] };
}

function idOf(element: JsonValue): JsonValue {
  return isJsonObject(element) ? (element['id'] ?? null) : null;
}

function failure({ code, message }: RpcError, id: JsonValue): Reply {
  const status = code === RPC_CODE.request ? 400 : code === RPC_CODE.unknownMethod ? 404 : 500;
  return { status, text: stringifyJson({ result: null, error: { code, message }, id }) };
}

function refused(error: RpcError): RpcAnswer {
  const { status, text } = failure(error, null);
  return { status, body: `${text}\n` };
}

/** Of an error of this package the short text, which holds no values; of any other nothing, since its text may quote a secret. */
function hiddenText(error: unknown): string {
  return error instanceof SwapfoldError
    ? `${error.shortMessage} [${error.code}]`
    : "The call failed inside the node; see the node's log";
}

function report(error: unknown, { logger, method }: { readonly logger: Logger; readonly method: string | undefined }) {
  const { name, stack, code } = (error ?? {}) as { name?: unknown; stack?: unknown; code?: unknown };
  logger.error('a call failed', {
    method,
    error: typeof name === 'string' ? name : typeof error,
    code: typeof code === 'string' ? code : undefined,
    // Only the frames: the first line of a stack is the message.
    at: typeof stack === 'string' ? /^ {4}at .*$/m.exec(stack)?.[0].trim() : undefined,
  });
}
