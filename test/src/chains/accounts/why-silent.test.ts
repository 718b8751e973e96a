import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcp, type Socket, type Server as TcpServer } from 'node:net';
import { ResponseBodyTooLargeError } from 'viem';
import { afterEach, describe, expect, it } from 'vitest';
import { whySilent } from '../../../../src/chains/accounts/why-silent.ts';
import { connectBatches } from '../../../../src/chains/evm/batches.ts';
import { connectEvmNode as connectEvm } from '../../../../src/chains/evm/node.ts';
import { connectTendermintNode as connectTendermint } from '../../../../src/chains/tendermint/node.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function listening(server: Server | TcpServer): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(
    () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  );
  return (server.address() as AddressInfo).port;
}

const answering = (status: number, body: string) =>
  listening(createServer((_, response) => response.writeHead(status, { 'content-type': 'text/html' }).end(body)));
const closed = async (): Promise<number> => {
  const server = createTcp();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

const KEY = '0123456789abcdef0123456789abcdef';

describe('why a node is silent', () => {
  const troubles = [
    ['refuses', closed, 'http', 'refused the connection'],
    ['wants a key', () => answering(401, 'no'), 'http', 'answered HTTP 401'],
    ['is asked too much', () => answering(429, '{}'), 'http', 'answered HTTP 429'],
    ['has a page', () => answering(200, '<html>hello</html>'), 'http', 'sent an answer that is not JSON'],
    ['hangs', () => listening(createServer(() => {})), 'http', 'did not answer in time'],
    [
      'speaks no TLS',
      () => listening(createTcp((socket) => socket.on('error', () => {}).end('HTTP/1.1 400 Bad\r\n\r\n'))),
      'https',
      'violates the TLS protocol',
    ],
    [
      'hangs up',
      () => listening(createTcp((socket) => socket.on('error', () => {}).destroy())),
      'http',
      'closed the connection',
    ],
    [
      'speaks no HTTP',
      () => listening(createTcp((socket) => socket.on('error', () => {}).end('hello'))),
      'http',
      'does not speak HTTP',
    ],
  ] as const;

  it.each(troubles)('is reported only by its host and port, if it %s', async (_, start, scheme, why) => {
    const port = await start();
    const url = `${scheme}://user:hunter2@127.0.0.1:${port}/v3/${KEY}?key=sesame`;
    const evm = connectEvm({ url, timeout: 0.3 });
    // What asks these nodes takes no credentials in an address.
    const tendermint = connectTendermint({ url: url.replace('user:hunter2@', ''), timeout: 0.3 });
    const told = await Promise.allSettled([
      evm.request('eth_chainId', []),
      tendermint.request('status', {}),
      connectBatches({ url, timeout: 0.3 }).request('eth_chainId', []),
    ]);
    evm.close();
    tendermint.close();
    const reasons = told.map((one) => (one.status === 'rejected' ? (one.reason as unknown) : null));
    for (const reason of reasons) expect(reason).toBeInstanceOf(BackendSilent);
    const text = `127.0.0.1:${port} ${why}`;
    expect(reasons.map((reason) => (reason as Error).message)).toEqual([text, text, text]);
  });

  it('is that a name has no address', async () => {
    const node = connectEvm({ url: 'http://node.invalid:8545/', timeout: 5 });
    await expect(node.request('eth_chainId', [])).rejects.toThrow(
      'node.invalid:8545 is a host name without an address',
    );
    node.close();
  });

  it('is that its answer is longer than the limit', () => {
    const error = new Error('', { cause: new ResponseBodyTooLargeError({ maxSize: 10, size: 11 }) });
    expect(whySilent(error, 'host:1')).toBe('host:1 sent an answer above the size limit');
  });

  it('repeats nothing that another program says', () => {
    const error = new Error('http://user:hunter2@host/key', { cause: new Error(`${KEY} is wrong`) });
    expect(whySilent(error, 'host:1')).toBe('host:1 does not answer (Error)');
    expect(whySilent('hunter2', 'host:1')).toBe('host:1 does not answer (no answer)');
    const many = new AggregateError([Object.assign(new Error(''), { code: 'EHOSTUNREACH' })]);
    expect(whySilent(new Error('', { cause: many }), 'host:1')).toBe('host:1 cannot be reached');
  });
});
