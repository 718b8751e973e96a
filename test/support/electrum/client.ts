import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type JsonObject, type JsonValue, parseJson } from '../../../src/primitives/json.ts';

export type ElectrumAnswer = {
  readonly result?: JsonValue;
  readonly error?: { readonly code: number; readonly message: string };
  readonly id?: JsonValue;
};

/** A client of few words: sends lines, and keeps what comes. */
export type ElectrumClient = {
  readonly socket: Socket;
  /** The result of a call; throws the error that the server answers. */
  call(method: string, ...params: readonly unknown[]): Promise<JsonValue>;
  /** The answer of a call, whatever it is. */
  answer(request: object): Promise<ElectrumAnswer>;
  /** Sends text as it is. */
  send(text: string): void;
  /** The next line that is no answer to a call of this client. */
  next(): Promise<JsonValue>;
  /** The parameters of the next notification of a method; others that come before it are dropped. */
  told(method: string): Promise<readonly JsonValue[]>;
  /** Lines that came and nobody has asked for. */
  readonly unread: JsonValue[];
  readonly ended: Promise<void>;
  close(): void;
};

export type ElectrumAddress = { readonly port: number; readonly ca?: string };

export async function connectElectrum({ port, ca }: ElectrumAddress): Promise<ElectrumClient> {
  const socket =
    ca === undefined
      ? connectTcp(port, '127.0.0.1')
      : connectTls({ port, host: '127.0.0.1', ca, servername: 'localhost' });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.once(ca === undefined ? 'connect' : 'secureConnect', () => resolve());
  });
  const inbox = keepLines(socket);
  let ids = 0;
  const answer = (request: object): Promise<ElectrumAnswer> => {
    const id = `call-${ids++}`;
    const found = inbox.answerOf(id);
    socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...request })}\n`);
    return found;
  };
  const told = async (method: string): Promise<readonly JsonValue[]> => {
    for (;;) {
      const line = (await inbox.next()) as JsonObject;
      if (line['method'] === method) return line['params'] as readonly JsonValue[];
    }
  };
  return {
    socket,
    answer,
    told,
    next: inbox.next,
    unread: inbox.unread,
    ended: inbox.ended,
    send: (text) => void socket.write(text),
    close: () => void socket.destroy(),
    async call(method, ...params) {
      const { result = null, error } = await answer({ method, params });
      if (error !== undefined) throw new Error(`${error.code} ${error.message}`);
      return result;
    },
  };
}

function keepLines(socket: Socket) {
  const unread: JsonValue[] = [];
  const answers = new Map<string, (answer: ElectrumAnswer) => void>();
  const readers: ((line: JsonValue) => void)[] = [];
  let rest = '';
  socket.on('error', () => {});
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = parseJson(line);
      const id = (message as JsonObject)['id'];
      const waiting = typeof id === 'string' ? answers.get(id) : undefined;
      if (waiting !== undefined) waiting(message as ElectrumAnswer);
      else (readers.shift() ?? ((other: JsonValue) => unread.push(other)))(message);
    }
  });
  return {
    unread,
    ended,
    next: (): Promise<JsonValue> => {
      const [first] = unread.splice(0, 1);
      return first === undefined ? new Promise((resolve) => readers.push(resolve)) : Promise.resolve(first);
    },
    answerOf: (id: string): Promise<ElectrumAnswer> =>
      new Promise((resolve, reject) => {
        answers.set(id, resolve);
        void ended.then(() => reject(new Error('the connection ended')));
      }),
  };
}
