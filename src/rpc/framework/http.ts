import { type Held, HeldBody } from '../http/held-body.ts';
import { MAX_BODY_BYTES } from '../http/read-body.ts';
import type { Caller } from './access.ts';
import type { FrameworkAnswer, FrameworkRequest } from './dispatch.ts';
import type { Pages } from './pages.ts';

export type FrameworkHttpOptions = {
  /** Answers the body of a request; it never throws. */
  readonly answer: (request: FrameworkRequest) => Promise<FrameworkAnswer>;
  /** Pages other than the JSON-RPC. @defaultValue none */
  readonly pages?: Pages;
  /** Origin whose pages may read answers (`Access-Control-Allow-Origin`). @defaultValue http://localhost:3000 */
  readonly cors?: string;
  /** Most requests at a time. @defaultValue 256 */
  readonly workQueue?: number;
};

/** A request of HTTP, whatever carries it. */
export type HttpCall = {
  readonly httpMethod: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array> | null;
  readonly caller: Caller;
  /** Ends the connection, where that is known. */
  readonly cut?: () => void;
};

const WORK_QUEUE = 256;

/** Bytes of requests that are held at a time; four of the longest. */
const MAX_HELD_BYTES = 4 * MAX_BODY_BYTES;

const DEFAULT_CORS = 'http://localhost:3000';

/** Answers requests of HTTP: the JSON-RPC at whatever path, and the pages at theirs. It throws only for a client that goes away. */
export function frameworkHttp(options: FrameworkHttpOptions): (call: HttpCall) => Promise<Response> {
  const { answer, cors = DEFAULT_CORS, workQueue = WORK_QUEUE, pages = NO_PAGES } = options;
  const held: Held = { requests: 0, bytes: 0 };
  const shown = (response: Response, headers: Readonly<Record<string, string>> = {}): Response => {
    response.headers.set('Access-Control-Allow-Origin', cors);
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  };
  const reply = ({ status, body }: FrameworkAnswer, headers?: Readonly<Record<string, string>>): Response =>
    shown(new Response(body, { status, headers: { 'Content-Type': 'application/json' } }), headers);
  return async ({ httpMethod, path, headers, body: given, caller, cut }) => {
    const [place = '/', query = ''] = path.split(/\?(.*)/s, 2);
    const page = pages.get(place);
    if (httpMethod === 'OPTIONS')
      return reply({ status: 200, body: '' }, page === undefined ? PREFLIGHT : PAGE_PREFLIGHT);
    if (held.requests >= workQueue) return reply(BUSY);
    held.requests += 1;
    const body = new HeldBody(held, { most: MAX_BODY_BYTES, mostHeld: MAX_HELD_BYTES });
    try {
      const problem = await body.read(given);
      if (problem === 'tooLong') return reply(TOO_LONG, { Connection: 'close' });
      if (problem === 'tooMuchHeld') return reply(BUSY);
      if (page === undefined) return reply(await answer({ body: body.bytes(), httpMethod, caller }));
      const request = { httpMethod, headers, query: new URLSearchParams(query), body: body.bytes(), caller, cut };
      return shown(await page(request));
    } finally {
      held.requests -= 1;
      body.release();
    }
  };
}

const NO_PAGES: Pages = new Map();

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'POST, OPTIONS',
  'Access-Control-Allow-Headers': 'Content-Type',
  'Access-Control-Max-Age': '3600',
};

const PAGE_PREFLIGHT = {
  ...PREFLIGHT,
  'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Last-Event-ID',
};

const BUSY: FrameworkAnswer = { status: 503, body: '{"error":"The node has too many requests; try again later."}' };
const TOO_LONG: FrameworkAnswer = {
  status: 413,
  body: `{"error":"The request is longer than ${MAX_BODY_BYTES} bytes"}`,
};
