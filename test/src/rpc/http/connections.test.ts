import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { Connections } from '../../../../src/rpc/http/connections.ts';

const gone = (socket: Socket) => socket.destroyed;

it('the oldest connection without a request gives way to one more', () => {
  const connections = new Connections(3);
  const [first, second, third, fourth, fifth] = [0, 1, 2, 3, 4].map(() => new Socket()) as [
    Socket,
    Socket,
    Socket,
    Socket,
    Socket,
  ];
  for (const socket of [first, second, third]) connections.add(socket);
  const ended = connections.answering(first);
  connections.add(fourth);
  expect([first, second, third, fourth].map(gone)).toEqual([false, true, false, false]);
  ended();
  connections.add(fifth);
  // The first one had its answer after the others came.
  expect([first, third, fourth, fifth].map(gone)).toEqual([false, true, false, false]);
  expect(connections.count).toBe(3);
});

it('nobody gives way whose request is being answered, as often as it has sent some', () => {
  const connections = new Connections(1);
  const [busy, late, later] = [new Socket(), new Socket(), new Socket()];
  connections.add(busy);
  const [one, two] = [connections.answering(busy), connections.answering(busy)];
  one();
  one();
  connections.add(late);
  expect([gone(busy), gone(late)]).toEqual([false, true]);
  two();
  connections.add(later);
  expect([gone(busy), gone(later)]).toEqual([true, false]);
  expect(connections.count).toBe(1);
});

it('who is gone counts no more', async () => {
  const connections = new Connections(2);
  const socket = new Socket();
  connections.add(socket);
  const ended = connections.answering(socket);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.destroy();
  await closed;
  expect(connections.count).toBe(0);
  ended();
  expect(connections.count).toBe(0);
  connections.answering(socket)();
  expect(connections.count).toBe(0);
});
