import { type DeviceTraffic, type DeviceTrouble, startSimulatedDevice } from '../../../src/hardware/simulator/index.ts';
import { digitsAt, shuffledGrid } from '../../../src/hardware/simulator/pin-pad.ts';
import { MESSAGE } from '../../../src/hardware/trezor/message-types.ts';
import { messageWriter } from '../../../src/hardware/trezor/protobuf.ts';
import { reportsOf } from '../../../src/hardware/trezor/reports.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import { systemClock } from '../../../src/runtime/host/clock-system.ts';
import { WORDS } from '../hardware.ts';

/** The places that its PIN has in the grid, which is the same each time. */
export const PLACES = '862743';

export type AskingDevice = Awaited<ReturnType<typeof askingDevice>>;

/** A device that asks for all that a device can: PIN, passphrase, and a press of its button before it shows a key. */
export async function askingDevice({ presses = true } = {}) {
  const random = { bytes: (count: number) => new Uint8Array(count) };
  const traffic: DeviceTraffic[] = [];
  let held: readonly Uint8Array[] | undefined;
  let isPressed = presses;
  const trouble = (seen: DeviceTraffic): DeviceTrouble | undefined => {
    traffic.push(seen);
    const { direction, type } = seen;
    // Whoever begins anew is told nothing of what another one was to be shown.
    if (direction === 'in' && type === MESSAGE.initialize) held = undefined;
    if (direction === 'out' && type === MESSAGE.ethereumPublicKey) {
      return {
        datagrams(reports) {
          held = reports;
          return reportsOf({ type: MESSAGE.buttonRequest, payload: messageWriter().number(1, 1).done() });
        },
      };
    }
    if (direction === 'in' && type === MESSAGE.buttonAck && !isPressed) return 'lose';
    const key = held;
    if (direction === 'out' && key !== undefined) {
      held = undefined;
      return { datagrams: () => key };
    }
    return undefined;
  };
  const device = await startSimulatedDevice({
    ...{ clock: systemClock(), random, words: new Secret(WORDS), passphrase: true, trouble },
    pin: new Secret(digitsAt(PLACES, shuffledGrid(random)) ?? ''),
  });
  return {
    device,
    traffic,
    /** Whether its user presses the button from now on. */
    press(does: boolean): void {
      isPressed = does;
    },
  };
}
