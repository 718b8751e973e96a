import { connect, type Socket } from 'node:net';
import type { LitecoindAccess } from '../support/litecoind.ts';

export type LoadOptions = {
  /** Connections, each of which asks again as soon as it has its answer. */
  readonly connections: number;
  /** Milliseconds for which new requests are sent. */
  readonly millis: number;
};

/** What a server did under load. */
export type Load = {
  readonly requests: number;
  readonly millis: number;
  /** Milliseconds from the first byte of each request to the last byte of its answer, sorted. */
  readonly latencies: Float64Array;
};

const OK = Buffer.from('HTTP/1.1 200');
const END_OF_HEAD = Buffer.from('\r\n\r\n');
const LENGTH = /content-length: *(\d+)/i;

/**
 * Sends one request again and again over connections that stay open, and takes the answers apart no further than their length:
 * what the client costs is the same whoever serves. @throws Error for an answer that is not 200, and where a connection ends
 */
export async function load(
  { url, authorization }: LitecoindAccess,
  body: string,
  { connections, millis }: LoadOptions,
): Promise<Load> {
  const { hostname, port, host } = new URL(url);
  const head = [
    `POST / HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: ${authorization}`,
    `Content-Length: ${body.length}`,
  ];
  const request = Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`, 'latin1');
  const sockets = await Promise.all(Array.from({ length: connections }, () => connected(hostname, Number(port))));
  const begun = performance.now();
  const until = begun + millis;
  try {
    const parts = await Promise.all(sockets.map((socket) => keepAsking(socket, request, until)));
    const latencies = Float64Array.from(parts.flat()).sort();
    return { requests: latencies.length, millis: performance.now() - begun, latencies };
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

function connected(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => {
      socket.off('error', reject);
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

/** The latencies of one connection. */
function keepAsking(socket: Socket, request: Buffer, until: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const latencies: number[] = [];
    const answer = new AnswerEnd();
    let asked = performance.now();
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server has closed a connection')));
    socket.on('data', (chunk: Buffer) => {
      try {
        if (!answer.isWhole(chunk)) return;
      } catch (error) {
        reject(error);
        return;
      }
      const now = performance.now();
      latencies.push(now - asked);
      if (now >= until) {
        socket.removeAllListeners('close');
        resolve(latencies);
        return;
      }
      asked = now;
      socket.write(request);
    });
    socket.write(request);
  });
}

/** Finds where an answer ends, by the length that its head tells. */
class AnswerEnd {
  #head: Buffer | undefined;
  /** Bytes that are still to come; none is known before the whole head is there. */
  #left: number | undefined;

  isWhole(chunk: Buffer): boolean {
    let bytes = chunk.length;
    if (this.#left === undefined) {
      const head: Buffer = this.#head === undefined ? chunk : Buffer.concat([this.#head, chunk]);
      const end = head.indexOf(END_OF_HEAD);
      if (end < 0) {
        this.#head = head;
        return false;
      }
      const text = head.toString('latin1', 0, end);
      if (!head.subarray(0, OK.length).equals(OK)) throw new Error(`an answer was not good: ${text.slice(0, 80)}`);
      this.#left = Number(LENGTH.exec(text)?.[1]);
      if (Number.isNaN(this.#left)) throw new Error(`an answer tells no length: ${text}`);
      bytes = head.length - end - END_OF_HEAD.length;
      this.#head = undefined;
    }
    this.#left -= bytes;
    if (this.#left > 0) return false;
    if (this.#left < 0) throw new Error('an answer is longer than it tells');
    this.#left = undefined;
    return true;
  }
}
