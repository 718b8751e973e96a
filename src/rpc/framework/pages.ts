import { isJsonObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '../../primitives/json.ts';
import type { Access, Caller } from './access.ts';
import { RpcFailure } from './failure.ts';

/** A request for something beside the JSON-RPC, at a path of its own. */
export type PageRequest = {
  readonly httpMethod: string;
  readonly headers: Headers;
  readonly query: URLSearchParams;
  readonly body: Uint8Array;
  readonly caller: Caller;
  /** Ends the connection, where that is known. */
  readonly cut: (() => void) | undefined;
};

/** Answers a request for a page; it never throws. */
export type Page = (request: PageRequest) => Promise<Response>;

/** Pages by path. */
export type Pages = ReadonlyMap<string, Page>;

/** The members of a request's body, none where it has no body. @throws RpcFailure */
export function membersOf({ httpMethod, body }: PageRequest): JsonObject {
  if (httpMethod !== 'GET' && httpMethod !== 'POST') throw refused('Only GET and POST requests are supported!', 405);
  if (body.length === 0) return {};
  let value: JsonValue;
  try {
    value = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw refused('The request cannot be read as JSON', 400);
  }
  if (!isJsonObject(value)) throw refused('The body of the request is an object', 400);
  return value;
}

/**
 * Who may call the JSON-RPC may see the page. The password is the member `userpass` of the body, or stands in the header `Authorization`:
 * `Bearer <password>`, or `Basic` with any name. It is never read from the address, which ends in logs and histories.
 *
 * @throws RpcFailure LocalHostOnly, Banned, UserpassIsNotSet or UserpassIsInvalid
 */
export function admit(access: Access, { caller, headers }: PageRequest, { userpass }: JsonObject): void {
  access.admit(caller, false);
  access.check(caller, typeof userpass === 'string' ? userpass : passwordOf(headers.get('authorization') ?? ''));
}

function passwordOf(header: string): string | null {
  const [, scheme = '', given = ''] = /^(bearer|basic) (.*)$/is.exec(header) ?? [];
  if (scheme === '') return null;
  // Bytes of a header are read as if each were a character; a password has them in UTF-8.
  if (scheme.toLowerCase() === 'bearer') return Buffer.from(given, 'latin1').toString('utf8');
  const pair = Buffer.from(given, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  return colon < 0 ? null : pair.slice(colon + 1);
}

export function refused(text: string, status: number): RpcFailure {
  return new RpcFailure(text, { type: 'InvalidRequest', data: text, status });
}

/** What the caller of a page is told of a failure. */
export function failedPage(error: unknown): Response {
  const { message, kind } =
    error instanceof RpcFailure ? error : new RpcFailure(UNFORESEEN, { type: 'Internal', status: 500 });
  const { type, data, status } = kind;
  const body = { error: message, error_type: type, ...(data === undefined ? {} : { error_data: data }) };
  return new Response(stringifyJson(body), { status, headers: { 'Content-Type': 'application/json' } });
}

const UNFORESEEN = "The call failed inside the node; see the node's log";
