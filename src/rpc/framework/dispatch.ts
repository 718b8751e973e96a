import type { Compatibility } from '../../node/compatibility.ts';
import { atMember, isMissing, readAs } from '../../node/serde.ts';
import type { Logger } from '../../ports/logger.ts';
import { SwapfoldError } from '../../primitives/error.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../primitives/json.ts';
import { type BodyBounds, BodyTooFull, MAX_BODY_BYTES, readBody } from '../http/read-body.ts';
import type { Access, Caller } from './access.ts';
import { type EnvelopeV2, envelopeIdOf, readEnvelope } from './envelope.ts';
import { internalFailure, placeOf, RpcFailure } from './failure.ts';
import { boundsOf } from './long-body.ts';
import type { FrameworkMethod, FrameworkMethods } from './method.ts';
import { type CallForm, calledInV2, noSuchMethod, noSuchMethodThere } from './unknown-method.ts';

/** Most calls in one batch. */
export const MAX_BATCH = 1000;

/**
 * Characters of answers to public methods in one batch, above which no more of them are carried out: whoever has no password could else have a short
 * request answered with hundreds of megabytes.
 */
const MAX_PUBLIC_ANSWERS = 1_048_576;

/** Calls of a batch that are carried out at a time. */
const BATCH_WIDTH = 16;

export type FrameworkTerms<Node> = {
  readonly methods: FrameworkMethods<Node>;
  readonly node: Node;
  readonly access: Access;
  /** Whose texts callers get for unknown methods. @defaultValue specification */
  readonly compatibility?: Compatibility;
  /** Called when a method fails in an unforeseen way. */
  readonly logger: Logger;
};

/** A body as it came, its sender and its HTTP method. */
export type FrameworkRequest = {
  readonly body: string | Uint8Array;
  readonly httpMethod: string;
  readonly caller: Caller;
};

/** An answer as HTTP carries it. */
export type FrameworkAnswer = { readonly status: number; readonly body: string };

/**
 * Answers one request of the trading framework's JSON-RPC (specification §4.3): a legacy call, a v2 call, or a batch of at most
 * {@link MAX_BATCH} of them, which run side by side. Whatever the body is, there is an answer; nothing is thrown.
 *
 * A body that is no JSON is refused before its HTTP method is looked at, and a call by its envelope, then by who calls, then by the
 * password, then by its method and parameters: the order of the real node. Of a body above 64 KiB the first password in it is judged before all else.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import { createAccess, dispatchFramework, frameworkMethods } from 'swapfold/rpc';
 *
 * const methods = frameworkMethods<null>([
 *   { name: 'echo', summary: 'Says it again.', legacy: { run: ({ say }) => ({ result: say }) } },
 * ]);
 * const access = createAccess({ password: new Secret('only I know') });
 * const terms = { methods, node: null, access, logger: { info() {}, warn() {}, error() {} } };
 * const body = '{"userpass":"only I know","method":"echo","say":0.10}';
 * const caller = { address: '127.0.0.1', local: true };
 * const answer = await dispatchFramework({ body, httpMethod: 'POST', caller }, terms);
 * answer; // → { status: 200, body: '{"result":0.10}' }
 * ```
 */
export async function dispatchFramework<Node>(
  request: FrameworkRequest,
  terms: FrameworkTerms<Node>,
): Promise<FrameworkAnswer> {
  const serving = { ...terms, caller: request.caller };
  let bounds: BodyBounds;
  try {
    bounds = boundsOf(request.body, (userpass) => enter(userpass, serving));
  } catch (error) {
    return legacyFailure(foreseen(error, serving));
  }
  const value = await readRequest(request.body, bounds);
  if (value instanceof RpcFailure) return { status: 500, body: stringifyJson({ error: value.message }) };
  if (request.httpMethod !== 'POST') return legacyFailure(internalFailure('Only POST requests are supported!'));
  return Array.isArray(value) ? answerBatch(value, serving) : answerCall(value, serving);
}

async function readRequest(body: string | Uint8Array, bounds: BodyBounds): Promise<JsonValue | RpcFailure> {
  if (body.length > MAX_BODY_BYTES) return internalFailure(`The request is longer than ${MAX_BODY_BYTES} bytes`);
  try {
    return await readBody(body, bounds);
  } catch (error) {
    // The text of the parser quotes the request, which may hold a password.
    if (body.length === 0) return internalFailure('EOF while parsing a value: the body of the request is empty');
    if (error instanceof BodyTooFull) return internalFailure(`The request cannot be read: ${error.message}`);
    const what = error instanceof SwapfoldError ? error.shortMessage : 'It is not JSON in UTF-8.';
    return internalFailure(`The request cannot be read as JSON. ${what}`);
  }
}

type Serving<Node> = FrameworkTerms<Node> & { readonly caller: Caller };

async function answerBatch<Node>(elements: readonly JsonValue[], serving: Serving<Node>): Promise<FrameworkAnswer> {
  if (elements.length > MAX_BATCH) {
    return legacyFailure(internalFailure(`A batch must not hold more than ${MAX_BATCH} requests`));
  }
  const answers: string[] = new Array(elements.length).fill('null');
  let next = 0;
  let told = 0;
  const work = async (): Promise<void> => {
    while (next < elements.length) {
      const place = next;
      next += 1;
      const element = elements[place] as JsonValue;
      const isPublic = callsPublic(element, serving);
      const { body } = isPublic && told >= MAX_PUBLIC_ANSWERS ? tooMuchTold() : await answerCall(element, serving);
      if (isPublic) told += body.length;
      answers[place] = body;
    }
  };
  await Promise.all(Array.from({ length: Math.min(BATCH_WIDTH, elements.length) }, work));
  return { status: 200, body: `[${answers.join(',')}]` };
}

function callsPublic<Node>(element: JsonValue, { methods }: Serving<Node>): boolean {
  if (!isJsonObject(element)) return false;
  const { method } = element;
  return typeof method === 'string' && methods.get(method)?.isPublic === true;
}

function tooMuchTold(): FrameworkAnswer {
  const text = `The public answers of a batch must not be longer than ${MAX_PUBLIC_ANSWERS} characters: ask for the rest in another one`;
  return legacyFailure(internalFailure(text));
}

async function answerCall<Node>(value: JsonValue, serving: Serving<Node>): Promise<FrameworkAnswer> {
  if (!isJsonObject(value)) return legacyFailure(internalFailure('A request is an object, or an array of objects'));
  const { mmrpc = null, method } = value;
  if (mmrpc !== null) return answerV2(value, serving);
  const known = typeof method === 'string' ? serving.methods.get(method) : undefined;
  return known?.legacy === undefined ? answerFlatV2(value, serving) : answerLegacy(value, { known, ...serving });
}

type Known<Node> = Serving<Node> & { readonly known: FrameworkMethod<Node> };

async function answerLegacy<Node>(request: JsonObject, serving: Known<Node>): Promise<FrameworkAnswer> {
  const { known, node, caller } = serving;
  try {
    enter(request['userpass'], serving);
    const result = await known.legacy?.run(request, { node, caller });
    return { status: 200, body: stringifyJson(result) };
  } catch (error) {
    return legacyFailure(foreseen(error, serving));
  }
}

/**
 * A method that has no legacy form, called without `mmrpc`: who calls is judged in the legacy form, the rest as v2. One that is not there is told
 * before any other member is looked at.
 */
async function answerFlatV2<Node>(request: JsonObject, serving: Serving<Node>): Promise<FrameworkAnswer> {
  const { method } = request;
  const known = typeof method === 'string' ? serving.methods.get(method) : undefined;
  try {
    enter(request['userpass'], { ...serving, known });
  } catch (error) {
    return legacyFailure(foreseen(error, serving));
  }
  if (typeof method === 'string' && known?.v2 === undefined && !isThere(serving)) {
    return v2Failure(noSuchMethod(method, { methods: serving.methods, form: 'legacy' }), envelopeIdOf(request));
  }
  return answerV2({ ...request, mmrpc: '2.0' }, serving, { form: 'legacy' });
}

function isThere<Node>({ compatibility }: Serving<Node>): boolean {
  return compatibility === 'kdf';
}

async function answerV2<Node>(
  request: JsonObject,
  serving: Serving<Node>,
  { form = 'v2' }: { readonly form?: CallForm } = {},
): Promise<FrameworkAnswer> {
  try {
    const envelope = envelopeOf(request, isThere(serving) ? 'v2' : form);
    const result = await runV2(envelope, serving);
    return { status: 200, body: stringifyJson({ mmrpc: '2.0', result: result ?? null, id: envelope.id }) };
  } catch (error) {
    return v2Failure(foreseen(error, serving), envelopeIdOf(request));
  }
}

/** Whoever writes the parameters of a v2 method beside its name is told where they belong. @throws RpcFailure */
function envelopeOf(request: JsonObject, form: CallForm): EnvelopeV2 {
  try {
    return readEnvelope(request);
  } catch (error) {
    if (form === 'v2' || !(error instanceof RpcFailure)) throw error;
    throw new RpcFailure(`${error.message}; ${calledInV2(String(request['method']))}`, error.kind);
  }
}

async function runV2<Node>({ method, params, userpass }: EnvelopeV2, serving: Serving<Node>): Promise<unknown> {
  const known = serving.methods.get(method);
  enter(userpass, { ...serving, known });
  if (known?.v2 === undefined) {
    throw isThere(serving) ? noSuchMethodThere() : noSuchMethod(method, { methods: serving.methods, form: 'v2' });
  }
  const read = readAs(known.v2.params, params);
  if (!read.ok) throw invalidRequest(isThere(serving) ? read.problem : inParams(read));
  return known.v2.run(read.value, { node: serving.node, caller: serving.caller });
}

/** A caller who may not call, or has a wrong password, gets no further. */
function enter<Node>(
  userpass: unknown,
  {
    access,
    caller,
    known,
  }: Pick<Serving<Node>, 'access' | 'caller'> & { readonly known?: FrameworkMethod<Node> | undefined },
): void {
  const isPublic = known?.isPublic ?? false;
  access.admit(caller, isPublic);
  if (!isPublic) access.check(caller, typeof userpass === 'string' ? userpass : null);
}

type InParams = { readonly problem: string; readonly path: readonly PropertyKey[] };

/**
 * What is wrong with the parameters of a v2 method, behind the whole name of the member that has it. That a member of
 * the parameters themselves is missing stays in the real node's words, which name it.
 */
export function inParams({ problem, path }: InParams): string {
  return path.length === 0 || isMissing({ problem, path }) ? problem : atMember(problem, ['params', ...path]);
}

export function invalidRequest(problem: string): RpcFailure {
  return new RpcFailure(`Error parsing request: ${problem}`, { type: 'InvalidRequest', data: problem, status: 400 });
}

/** The failure that the caller sees. An unforeseen one stays hidden, because its text may quote a secret. */
function foreseen<Node>(error: unknown, { logger }: Serving<Node>): RpcFailure {
  if (error instanceof RpcFailure) return error;
  const { name, stack, code } = (error ?? {}) as { name?: unknown; stack?: unknown; code?: unknown };
  logger.error('a call failed', {
    error: typeof name === 'string' ? name : typeof error,
    code: typeof code === 'string' ? code : undefined,
    // The frames alone: the first line of a stack is the message.
    at: typeof stack === 'string' ? /^ {4}at .*$/m.exec(stack)?.[0].trim() : undefined,
  });
  const text = error instanceof SwapfoldError ? `${error.shortMessage} [${error.code}]` : UNFORESEEN;
  return internalFailure(text);
}

const UNFORESEEN = "The call failed inside the node; see the node's log";

/** Texts of the legacy form where they differ from those of v2. */
const LEGACY_TEXTS: ReadonlyMap<string, string> = new Map([
  ['Banned', 'Selected method is not allowed: Your IP is banned.'],
  ['LocalHostOnly', 'Selected method is not allowed: Selected method can only be called from localhost.'],
]);

function legacyFailure(failure: RpcFailure): FrameworkAnswer {
  const { beside, type: kind } = failure.kind;
  // The only legacy failure with a status of its own (`cancel_order`).
  const bare = kind === 'UUIDNotFound' ? 404 : 500;
  if (beside !== undefined) return { status: bare, body: stringifyJson({ error: failure.message, ...beside }) };
  const { file, line } = placeOf(failure);
  const text = LEGACY_TEXTS.get(failure.kind.type);
  const place = text === undefined ? `RPC call failed: ${file}:${line}] ${failure.message}` : text;
  return { status: 500, body: stringifyJson({ error: `rpc:1] ${place}` }) };
}

function v2Failure(failure: RpcFailure, id: number | null): FrameworkAnswer {
  const { file, line } = placeOf(failure);
  const { type, data, status } = failure.kind;
  const body = {
    mmrpc: '2.0',
    error: failure.message,
    error_path: file,
    error_trace: `${file}:${line}]`,
    error_type: type,
    ...(data === undefined ? {} : { error_data: data }),
    id,
  };
  return { status, body: stringifyJson(body) };
}
