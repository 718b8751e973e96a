import { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';

const LINE_FEED = Buffer.from('\n');

/** A web socket as a stream of lines: each message is one, with or without its end, and each line that is written is a message of text. */
export function webStream(socket: WebSocket): Duplex {
  const stream = new Duplex({
    // A line is written whole, and waits here until the system has taken it.
    read: () => socket.resume(),
    write(line: Buffer, _, done) {
      const end = line.at(-1) === LINE_FEED[0] ? line.length - 1 : line.length;
      socket.send(line.subarray(0, end), { binary: false }, (error) => done(error ?? null));
    },
    final(done) {
      socket.close();
      done();
    },
    destroy(error, done) {
      socket.terminate();
      done(error);
    },
  });
  socket.on('message', (data: RawData) => {
    if (!stream.push(Buffer.concat([bytesOf(data), LINE_FEED]))) socket.pause();
  });
  socket.on('error', () => stream.destroy());
  socket.on('close', () => stream.destroy());
  return stream;
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
