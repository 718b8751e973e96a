import { DEVICE_PORT } from '../hardware/trezor/udp-link.ts';
import { isJsonObject, type JsonObject, numberText } from '../primitives/json.ts';
import { invalidConfig } from './config-problem.ts';

/** How a node reaches a hardware wallet. */
export type DeviceConfig = {
  /** UDP port on 127.0.0.1 on which it, or a bridge to it, listens. */
  readonly udpPort: number;
  /** The only device, under its passphrase, that will do: 40 hex digits, as the device is known by. Null for any. */
  readonly devicePubkey: string | null;
};

/** Member of this part. */
export const DEVICE_MEMBER = 'hardware_wallet';

const KEY = /^[0-9a-f]{40}$/i;

/**
 * Reads this part of a configuration: `{"udp_port": 21324, "device_pubkey": "…"}`, of which either may be absent. The real node has no such member: it
 * looks for a device at USB, or on this port where it was built for tests. `path` is named in errors.
 *
 * @throws NodeError NODE_CONFIG_INVALID
 */
export function deviceConfigOf(content: JsonObject, path: string): DeviceConfig {
  const given = content[DEVICE_MEMBER] ?? {};
  const wrong = (member: string, expected: string) => invalidConfig({ file: path, member, expected });
  if (!isJsonObject(given)) throw wrong(DEVICE_MEMBER, 'an object');
  const { udp_port = null, device_pubkey: key = null, ...others } = given;
  for (const name of Object.keys(others)) throw wrong(`${DEVICE_MEMBER}.${name}`, 'nothing: there is no such member');
  const port = udp_port === null ? DEVICE_PORT : Number(numberText(udp_port) ?? Number.NaN);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw wrong(`${DEVICE_MEMBER}.udp_port`, '1 to 65535');
  if (key !== null && (typeof key !== 'string' || !KEY.test(key))) {
    throw wrong(`${DEVICE_MEMBER}.device_pubkey`, '40 hex digits');
  }
  return { udpPort: port, devicePubkey: key === null ? null : key.toLowerCase() };
}
