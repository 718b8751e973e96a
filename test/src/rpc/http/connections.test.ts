import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { Connections } from '../../../../src/rpc/http/connections.ts';

const gone = (socket: Socket) => socket.destroyed;

it('the oldest connection without a request gives way to one more', () => {
  const connections = new Connections(3);
  const whole = { complete: true };
  const [first, second, third, fourth, fifth] = [0, 1, 2, 3, 4].map(() => new Socket()) as [
    Socket,
    Socket,
    Socket,
    Socket,
    Socket,
  ];
  for (const socket of [first, second, third]) connections.add(socket);
  connections.begin(first, whole);
  connections.begin(second, { complete: false });
  connections.add(fourth);
  expect([first, second, third, fourth].map(gone)).toEqual([false, true, false, false]);
  connections.end(first, whole);
  connections.add(fifth);
  // The first one had its answer after the others came.
  expect([first, third, fourth, fifth].map(gone)).toEqual([false, true, false, false]);
  expect(connections.count).toBe(3);
});

it('a request counts from when it is complete', () => {
  const connections = new Connections(1);
  const [slow, late] = [new Socket(), new Socket()];
  const request = { complete: false };
  connections.add(slow);
  connections.begin(slow, request);
  request.complete = true;
  connections.add(late);
  expect([gone(slow), gone(late)]).toEqual([false, true]);
});

it('no connection is closed while its request is being answered, in whatever order the answers come', () => {
  const connections = new Connections(1);
  const [busy, late, later] = [new Socket(), new Socket(), new Socket()];
  const [one, two] = [{ complete: true }, { complete: true }];
  connections.add(busy);
  for (const request of [one, two]) connections.begin(busy, request);
  connections.end(busy, one);
  connections.add(late);
  expect([gone(busy), gone(late)]).toEqual([false, true]);
  connections.end(busy, two);
  connections.add(later);
  expect([gone(busy), gone(later)]).toEqual([true, false]);
  expect(connections.count).toBe(1);
});

it('a closed connection no longer counts', async () => {
  const connections = new Connections(2);
  const [socket, request] = [new Socket(), { complete: true }];
  connections.add(socket);
  connections.begin(socket, request);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.destroy();
  await closed;
  expect(connections.count).toBe(0);
  connections.end(socket, request);
  connections.begin(socket, request);
  connections.end(socket, request);
  expect(connections.count).toBe(0);
});
