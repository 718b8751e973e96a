import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Clock } from '../../ports/clock.ts';
import { millisOf } from '../../primitives/time.ts';
import { createAssembler, reportsOf, type WireMessage } from '../trezor/reports.ts';
import { isSame, PING, PONG } from '../trezor/udp-link.ts';
import { createDeviceCore, type DeviceCore } from './core.ts';
import type { DeviceScreen, DeviceSettings } from './settings.ts';

const HOST = '127.0.0.1';
/** A device has little memory: it treats a longer announced message as invalid. */
const MOST_BYTES = 8192;

/** An incoming or outgoing message. */
export type DeviceTraffic = {
  readonly direction: 'in' | 'out';
  /** Its type number in the device's protocol. */
  readonly type: number;
  /** Counted over both directions, from 0. */
  readonly index: number;
};

/**
 * What happens to a message: the cable is pulled before it, it is lost, it is late, or other datagrams replace it. An
 * incoming message can only be lost, or find no device.
 */
export type DeviceTrouble =
  | 'unplug'
  | 'lose'
  | { readonly delayMs: number }
  | { readonly datagrams: (reports: readonly Uint8Array[]) => readonly Uint8Array[] };

export type SimulatedDeviceOptions = DeviceSettings & {
  /** UDP port on 127.0.0.1. @defaultValue 0, a free one */
  readonly port?: number;
  readonly clock: Clock;
  /** @defaultValue no trouble */
  readonly trouble?: (traffic: DeviceTraffic) => DeviceTrouble | undefined;
};

/** A device in this process that speaks the wire protocol of a real one. */
export type SimulatedDevice = {
  readonly port: number;
  /** What its user sees. */
  readonly screen: () => DeviceScreen;
  /** What its user does, if `buttons` is `wait`. */
  readonly press: (choice: 'confirm' | 'deny') => void;
  /** Pulls the cable: the device forgets its session and locks itself. */
  readonly unplug: () => Promise<void>;
  readonly plugIn: () => Promise<void>;
};

/**
 * Starts a device and plugs it in.
 *
 * @throws RangeError for settings that no device can have.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import { createTrezorWallet } from 'swapfold/hardware';
 * import { startSimulatedDevice } from 'swapfold/hardware/simulator';
 * import { systemClock, systemRandom } from 'swapfold/runtime';
 *
 * const host = { clock: systemClock(), random: systemRandom };
 * const words = new Secret(`${'abandon '.repeat(11)}about`);
 * const device = await startSimulatedDevice({ ...host, words, pin: new Secret('24683') });
 * const step = await createTrezorWallet({ clock: host.clock, port: device.port }).connect();
 * device.screen().kind; // → 'pin'
 * const next = step.kind === 'pin' ? await step.enter(new Secret('7')) : step;
 * next.kind === 'failed' && next.fault.kind; // → 'pinInvalid'
 * await device.unplug();
 * ```
 */
export async function startSimulatedDevice(options: SimulatedDeviceOptions): Promise<SimulatedDevice> {
  const { clock, trouble = () => undefined } = options;
  let socket: Socket | undefined;
  let port = options.port ?? 0;
  let host: RemoteInfo | undefined;
  let index = 0;
  let assembler = createAssembler(MOST_BYTES);

  const troubleOf = (direction: 'in' | 'out', { type }: WireMessage) => trouble({ direction, type, index: index++ });
  const unplug = async (): Promise<void> => {
    const open = socket;
    if (open === undefined) return;
    socket = undefined;
    host = undefined;
    core.forget();
    open.close();
    await once(open, 'close');
  };
  const send = (datagrams: readonly Uint8Array[]): void => {
    // Replies to the last sender, as the manufacturer's emulator does.
    if (host !== undefined) for (const datagram of datagrams) socket?.send(datagram, host.port, host.address);
  };
  const say = createMouth({ clock, send, unplug, cable: () => socket, troubleOf: (said) => troubleOf('out', said) });
  const core: DeviceCore = createDeviceCore(options, say);

  const hear = (bytes: Uint8Array, from: RemoteInfo): void => {
    host = from;
    if (isSame(bytes, PING)) {
      send([PONG]);
      return;
    }
    const assembled = assembler.take(bytes);
    if (assembled.kind !== 'message') return;
    const found = troubleOf('in', assembled.message);
    if (found === 'unplug') void unplug();
    else if (found !== 'lose') core.receive(assembled.message);
  };
  const plugIn = async (): Promise<void> => {
    if (socket !== undefined) return;
    assembler = createAssembler(MOST_BYTES);
    const opened = createSocket('udp4');
    opened.on('message', hear);
    opened.bind(port, HOST);
    await once(opened, 'listening');
    // The host may be gone when its answer arrives; that does not disturb the device.
    opened.on('error', () => {});
    port = opened.address().port;
    socket = opened;
  };
  await plugIn();
  return { port, screen: core.screen, press: core.press, unplug, plugIn };
}

type MouthParts = {
  readonly clock: Clock;
  /** The connected cable. */
  readonly cable: () => Socket | undefined;
  readonly troubleOf: (message: WireMessage) => DeviceTrouble | undefined;
  readonly send: (datagrams: readonly Uint8Array[]) => void;
  readonly unplug: () => Promise<void>;
};

/** Sends messages in order, also after a late one. Pending messages are lost when the cable is pulled. */
function createMouth({ clock, cable, troubleOf, send, unplug }: MouthParts): (message: WireMessage) => void {
  let leaving = Promise.resolve();
  return (message) => {
    const from = cable();
    leaving = leaving.then(async () => {
      if (from === undefined || from !== cable()) return;
      const found = troubleOf(message);
      if (found === 'unplug') {
        await unplug();
        return;
      }
      const datagrams = await datagramsOf(message, { found, clock });
      if (from === cable()) send(datagrams);
    });
  };
}

type Leaving = { readonly found: Exclude<DeviceTrouble, 'unplug'> | undefined; readonly clock: Clock };

/** What is sent for a message, after any pause. */
async function datagramsOf(message: WireMessage, { found, clock }: Leaving): Promise<readonly Uint8Array[]> {
  const reports = reportsOf(message);
  if (found === undefined) return reports;
  if (found === 'lose') return [];
  if ('datagrams' in found) return found.datagrams(reports);
  await pause(found.delayMs, clock);
  return reports;
}

function pause(ms: number, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    clock.wakeAt(millisOf(clock.now() + ms), resolve);
  });
}
