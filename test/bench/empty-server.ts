import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A process that answers every call with nothing, over Node's own server: no program in JavaScript behind it can be faster. */
const ANSWER = Buffer.from('{"result":null,"error":null,"id":0}\n');

const server = createServer((request, response) => {
  request.resume().once('end', () => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': ANSWER.length });
    response.end(ANSWER);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` })}\n`);
});
