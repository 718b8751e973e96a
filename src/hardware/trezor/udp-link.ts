import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Clock } from '../../ports/clock.ts';
import { millisOf } from '../../primitives/time.ts';
import type { DeviceLink, LinkListener } from './link.ts';

/**
 * Devices that are programs: emulators and simulators listen on a UDP port of this host. The wire is not encrypted and
 * carries passphrases, so no other host can be reached.
 */
const HOST = '127.0.0.1';
/** Where the manufacturer's emulator listens. */
export const DEVICE_PORT = 21_324;
const LOOK_EVERY_MS = 1000;

export const PING = Uint8Array.from('PINGPING', (letter) => letter.charCodeAt(0));
export const PONG = Uint8Array.from('PONGPONG', (letter) => letter.charCodeAt(0));

/** Whether a datagram is one of the two that probe for a device and confirm it. */
export function isSame(bytes: Uint8Array, word: Uint8Array): boolean {
  return bytes.length === word.length && word.every((byte, index) => byte === bytes[index]);
}

export type LookOptions = {
  readonly clock: Clock;
  /** UDP port on 127.0.0.1. */
  readonly port: number;
  /** How long to search, in milliseconds. One probe takes at most a second, and at least one is made. */
  readonly waitMs: number;
  readonly signal: AbortSignal | undefined;
};

/** A link to the device at a port, once it is there; undefined if none was found in time. */
export async function findUdpDevice(options: LookOptions): Promise<DeviceLink | undefined> {
  let left = options.waitMs;
  while (options.signal?.aborted !== true) {
    if (await answersNow(options)) return openUdpLink(options.port);
    left -= LOOK_EVERY_MS;
    if (left <= 0) return undefined;
  }
  return undefined;
}

/**
 * Tells within a second whether a device answers; without one the full second passes, because a device may start
 * meanwhile.
 */
async function answersNow({ clock, port, waitMs, signal }: LookOptions): Promise<boolean> {
  const socket = await connectedSocket(port);
  try {
    return await new Promise<boolean>((resolve) => {
      const finish = (found: boolean): void => {
        cancel();
        signal?.removeEventListener('abort', giveUp);
        resolve(found);
      };
      const giveUp = (): void => finish(false);
      const cancel = clock.wakeAt(millisOf(clock.now() + LOOK_EVERY_MS), giveUp);
      signal?.addEventListener('abort', giveUp);
      socket.on('message', (bytes) => {
        if (isSame(bytes, PONG)) finish(true);
      });
      // Nobody listens: that answers a single probe; with several, the next one is due in a second.
      socket.on('error', () => {
        if (waitMs <= LOOK_EVERY_MS) finish(false);
      });
      socket.send(PING);
    });
  } finally {
    await closed(socket);
  }
}

/** A device replies to the last sender, so one socket asks for all. */
async function openUdpLink(port: number): Promise<DeviceLink> {
  const socket = await connectedSocket(port);
  let listener: LinkListener | undefined;
  let open = true;
  socket.on('message', (bytes) => {
    if (open && !isSame(bytes, PONG)) listener?.report(bytes);
  });
  socket.on('error', () => {
    if (open) listener?.lost();
  });
  let sending = Promise.resolve();
  const send = (bytes: Uint8Array): void => {
    const sent = new Promise<void>((resolve) => socket.send(bytes, () => resolve()));
    sending = sending.then(() => sent);
  };
  return {
    listen: (given) => {
      listener = given;
    },
    send: (reports) => {
      if (open) for (const report of reports) send(report);
    },
    look: () => {
      if (open) send(PING);
    },
    async close() {
      if (!open) return;
      open = false;
      await sending;
      await closed(socket);
    },
  };
}

/** A socket that only hears this one port. If nobody listens there, an error comes back. */
async function connectedSocket(port: number): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.connect(port, HOST);
  await once(socket, 'connect');
  return socket;
}

async function closed(socket: Socket): Promise<void> {
  socket.removeAllListeners('message');
  socket.close();
  await once(socket, 'close');
}
