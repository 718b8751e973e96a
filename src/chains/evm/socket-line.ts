import type { WebSocket } from 'ws';
import { BackendSilent } from '../../ports/silence.ts';
import { httpPlace } from '../accounts/http-place.ts';
import { NodeRefusal } from '../accounts/node.ts';
import { AnswerTooLong } from '../accounts/silence.ts';
import { whySilent } from '../accounts/why-silent.ts';
import type { Line, LineCall } from './line.ts';

/** The longest answer that is read, in bytes, as over HTTP. */
export const LONGEST_ANSWER = 10_000_000;
/** A longer frame ends the connection. Up to it the call with the long answer is identified, so that no other call suffers. */
const LONGEST_FRAME = 32_000_000;

type Options = {
  /** ws or wss. It may hold credentials, which no message shows. */
  readonly url: string;
  /** For connecting, and for an answer, in milliseconds. */
  readonly timeout: number;
};

/** A web socket to a node, which the first call opens. The next one connects again: a node may be away for longer than automatic attempts last. */
export function socketLine({ url, timeout }: Options): Line {
  let opening: Promise<OpenSocket> | null = null;
  let isClosed = false;
  const current = async (): Promise<OpenSocket> => {
    const own = opening ?? openSocket({ url, timeout, onEnd: () => forget(own) });
    opening = own;
    own.catch(() => forget(own));
    const opened = await own;
    if (isClosed) opened.close();
    return opened;
  };
  const forget = (ended: Promise<OpenSocket>): void => {
    if (opening === ended) opening = null;
  };
  return {
    connection: async () => (await current()).socket,
    request: async (call) => (await current()).request(call),
    close() {
      isClosed = true;
      void opening?.then(
        (opened) => opened.close(),
        () => undefined,
      );
    },
  };
}

type OpenSocket = {
  readonly socket: WebSocket;
  readonly request: (call: LineCall) => Promise<unknown>;
  readonly close: () => void;
};

type Waiting = {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly late: NodeJS.Timeout;
};

/** @throws BackendSilent */
async function openSocket({ url, timeout, onEnd }: Options & { readonly onEnd: () => void }): Promise<OpenSocket> {
  const { host } = new URL(url);
  const socket = await connected({ url, timeout });
  const waiting = new Map<number, Waiting>();
  let calls = 0;
  let heard = 0;
  const end = (why: BackendSilent): void => {
    onEnd();
    socket.terminate();
    for (const { reject, late } of waiting.values()) {
      clearTimeout(late);
      reject(why);
    }
    waiting.clear();
  };
  const settle = (id: number, how: (asked: Waiting) => void): void => {
    const asked = waiting.get(id);
    waiting.delete(id);
    clearTimeout(asked?.late);
    if (asked !== undefined) how(asked);
  };
  const gone = new BackendSilent(`${host} does not answer (no connection)`);
  const tooLong = new AnswerTooLong(`${host} sent an answer above the size limit`);
  socket.on('message', (data) => {
    heard += 1;
    const text = String(data);
    const isTooLong = text.length > LONGEST_ANSWER;
    const told = isTooLong ? { id: idAround(text) } : answerIn(text);
    const { id } = told;
    // A message without the id of a call, such as that there were too many, does not say which calls it will answer.
    if (typeof id !== 'number') return end(isTooLong ? tooLong : new BackendSilent(`${host} sent what is no answer`));
    settle(id, ({ resolve, reject }) => {
      if (isTooLong) return reject(tooLong);
      if (!('error' in told) || told.error === null || told.error === undefined) return resolve(told.result);
      return reject(refusalIn(told.error) ?? new BackendSilent(`${host} sent an error that is not JSON-RPC`));
    });
  });
  socket.on('error', (error) => end(isFrameTooLong(error) ? tooLong : new BackendSilent(whySilent(error, host))));
  socket.on('close', () => end(gone));
  return {
    socket,
    close: () => socket.terminate(),
    request: (call) =>
      new Promise((resolve, reject) => {
        if (socket.readyState !== socket.OPEN) return reject(gone);
        calls += 1;
        const [id, before] = [calls, heard];
        const late = setTimeout(() => {
          const why = new BackendSilent(`${host} did not answer in time`);
          settle(id, (asked) => asked.reject(why));
          // The system reports a host that is gone after a quarter of an hour.
          if (heard === before) end(why);
        }, timeout);
        late.unref();
        waiting.set(id, { resolve, reject, late });
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...call }));
      }),
  };
}

async function connected({ url, timeout }: Options): Promise<WebSocket> {
  const { url: place, host, headers } = httpPlace(url);
  const { WebSocket } = await import('ws').catch(() => {
    throw new BackendSilent(`${host}: web sockets need the package ws: npm install ws`);
  });
  const socket = new WebSocket(place, {
    ...{ maxPayload: LONGEST_FRAME, perMessageDeflate: false, handshakeTimeout: timeout },
    ...{ headers, followRedirects: false },
  });
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket));
    socket.once('error', (error) => {
      // The end of a connection that never opened does not matter.
      socket.on('error', () => {});
      socket.terminate();
      reject(new BackendSilent(whySilent(error, host)));
    });
  });
}

type Told = { readonly id?: unknown; readonly result?: unknown; readonly error?: unknown };

function answerIn(text: string): Told {
  try {
    const told: unknown = JSON.parse(text);
    return typeof told === 'object' && told !== null ? told : {};
  } catch {
    return {};
  }
}

/** Where nodes write the id of an answer: at its beginning or its end. */
const EDGE = 100;

function idAround(text: string): number | null {
  const head = /^\s*\{(?:\s*"jsonrpc"\s*:\s*"2\.0"\s*,)?\s*"id"\s*:\s*(\d{1,15})\s*,/.exec(text.slice(0, EDGE));
  const tail = /,\s*"id"\s*:\s*(\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(text.slice(-EDGE));
  const found = head?.[1] ?? tail?.[1];
  return found === undefined ? null : Number(found);
}

/** Nodes send anything: gateways answer with a text as the error. */
function refusalIn(error: unknown): NodeRefusal | null {
  if (typeof error !== 'object' || error === null) return null;
  const { code, message } = error as Readonly<Record<string, unknown>>;
  if (typeof code !== 'number') return null;
  return new NodeRefusal(code, typeof message === 'string' ? message : '');
}

function isFrameTooLong(error: Error): boolean {
  return 'code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
}
