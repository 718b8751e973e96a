import type { Logger } from '../../ports/logger.ts';
import { BackendSilent } from '../../ports/silence.ts';
import { isJsonObject, type JsonValue, numberText, parseJson, stringifyJson } from '../../primitives/json.ts';
import { argumentsOf, type ElectrumCall } from './method.ts';
import { ELECTRUM_METHODS } from './methods.ts';
import { ELECTRUM_CODE, ElectrumRpcError } from './rpc-error.ts';

/** Most requests in one batch. */
export const MOST_IN_BATCH = 1000;

/** Characters of one answer, that of a batch being one; 2,016 headers of Zcash's family have 6 million. */
export const LONGEST_ANSWER = 8_000_000;

export type ElectrumAnswering = ElectrumCall & { readonly logger: Logger };

/** Answers one line; null if no answer is due. It never throws. */
export async function answerLine(line: string, answering: ElectrumAnswering): Promise<string | null> {
  let message: JsonValue;
  try {
    message = parseJson(line);
  } catch {
    return refused(null, new ElectrumRpcError(ELECTRUM_CODE.parse, 'invalid JSON'));
  }
  return Array.isArray(message) ? answerBatch(message, answering) : answerOne(message, answering);
}

async function answerBatch(messages: readonly JsonValue[], answering: ElectrumAnswering): Promise<string | null> {
  if (messages.length === 0) return refused(null, invalid('a batch must not be empty'));
  if (messages.length > MOST_IN_BATCH) return refused(null, invalid(`a batch holds at most ${MOST_IN_BATCH} requests`));
  const answers: string[] = [];
  let length = 0;
  for (const message of messages) {
    const answer =
      length > LONGEST_ANSWER ? refused(idOf(message) ?? null, TOO_LONG) : await answerOne(message, answering);
    if (answer === null) continue;
    answers.push(answer);
    length += answer.length;
  }
  return answers.length === 0 ? null : `[${answers.join(',')}]`;
}

async function answerOne(message: JsonValue, answering: ElectrumAnswering): Promise<string | null> {
  const id = idOf(message);
  if (id === undefined && isJsonObject(message) && typeof message['method'] === 'string') {
    // Nobody waits for an answer, not even for an error.
    await resultOf(message, answering).catch(() => undefined);
    return null;
  }
  try {
    const result = (await resultOf(message, answering)) ?? null;
    const text = stringifyJson({ jsonrpc: '2.0', result, id: id ?? null });
    return text.length > LONGEST_ANSWER ? refused(id ?? null, TOO_LONG) : text;
  } catch (error) {
    return refused(id ?? null, shownError(error, answering));
  }
}

/** Of a request without one, which wants no answer, undefined. */
function idOf(message: JsonValue): JsonValue | undefined {
  const id = isJsonObject(message) ? message['id'] : undefined;
  return typeof id === 'string' || numberText(id) !== undefined || id === null ? id : undefined;
}

async function resultOf(message: JsonValue, call: ElectrumCall): Promise<unknown> {
  if (!isJsonObject(message)) throw invalid('a request must be an object');
  const { method: name, params } = message;
  if (typeof name !== 'string') throw invalid('the method of a request must be a text');
  const method = ELECTRUM_METHODS.get(name);
  if (method === undefined) {
    throw new ElectrumRpcError(ELECTRUM_CODE.method, `unknown method ${JSON.stringify(name.slice(0, LONGEST_NAME))}`);
  }
  const args = argumentsOf(method, params);
  // Long batches and many lines of one client let others proceed in between.
  await new Promise((resolve) => setImmediate(resolve));
  await call.context.follower.settled();
  return method.run(args, call);
}

const LONGEST_NAME = 80;

function invalid(message: string): ElectrumRpcError {
  return new ElectrumRpcError(ELECTRUM_CODE.request, message);
}

const TOO_LONG = new ElectrumRpcError(ELECTRUM_CODE.bad, `response too large: over ${LONGEST_ANSWER} characters`);

function refused(id: JsonValue, error: ElectrumRpcError): string {
  return stringifyJson({ jsonrpc: '2.0', error: error.toJson(), id });
}

/** What a caller learns. The daemon's address is not part of it. */
function shownError(error: unknown, { logger }: ElectrumAnswering): ElectrumRpcError {
  if (error instanceof ElectrumRpcError) return error;
  if (error instanceof BackendSilent) {
    return new ElectrumRpcError(ELECTRUM_CODE.daemon, 'daemon error: the daemon does not answer');
  }
  logger.error('a call of the Electrum protocol failed', { kind: error instanceof Error ? error.name : typeof error });
  return new ElectrumRpcError(ELECTRUM_CODE.internal, 'internal error');
}
