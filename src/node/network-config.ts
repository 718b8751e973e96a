import { isIP } from 'node:net';
import { parsePeerAddress } from '../peers/libp2p/address.ts';
import { DEFAULT_NETID, peerPort } from '../peers/libp2p/ports.ts';
import { type JsonObject, type JsonValue, numberText } from '../primitives/json.ts';
import { invalidConfig } from './config-problem.ts';

/** How a node reaches others: the members of the real node's configuration that say so. */
export type NetworkConfig = {
  /** Number of the network; the port of its seed nodes follows from it. */
  readonly netid: number;
  /** Seed nodes to stay connected to. */
  readonly seeds: readonly string[];
  /** Where it listens as a seed node itself; null if it is not one. */
  readonly listen: string | null;
  /** Whether it is to reach nobody. */
  readonly disabled: boolean;
};

/** Members of this part. */
export const NETWORK_MEMBERS: readonly string[] = [
  'netid',
  'seednodes',
  'i_am_seed',
  'is_bootstrap_node',
  'myipaddr',
  'disable_p2p',
];

const EVERYWHERE = '0.0.0.0';
const MOST_SEEDS = 64;

/**
 * Reads this part of a configuration. `path` is named in errors. @throws NodeError NODE_CONFIG_INVALID
 *
 * @example
 * ```ts
 * import { networkConfigOf } from 'swapfold/node';
 *
 * const content = { netid: 8762, seednodes: ['seed01.example.org'], i_am_seed: true };
 * networkConfigOf(content, 'MM2.json'); // → {
 * //   netid: 8762,
 * //   seeds: ['seed01.example.org'],
 * //   listen: '0.0.0.0',
 * //   disabled: false,
 * // }
 * networkConfigOf({ netid: 7777 }, 'MM2.json'); // throws NODE_CONFIG_INVALID
 * ```
 */
export function networkConfigOf(content: JsonObject, path: string): NetworkConfig {
  const flag = (name: string): boolean => {
    const value = content[name] ?? false;
    if (typeof value === 'boolean') return value;
    throw invalidConfig({ file: path, member: name, expected: 'true or false' });
  };
  const netid = netidOf(content['netid'] ?? null, path);
  const seeds = seedsOf(content['seednodes'] ?? [], path);
  const [isSeed, disabled] = [flag('i_am_seed'), flag('disable_p2p')];
  const listen = listenOf(content['myipaddr'] ?? null, path);
  if (flag('is_bootstrap_node') && !isSeed) {
    throw invalidConfig({ file: path, member: 'is_bootstrap_node', fault: 'only a node with i_am_seed can have this' });
  }
  if (disabled && (isSeed || seeds.length > 0)) {
    const fault = `it cannot be true together with ${isSeed ? 'i_am_seed' : 'seednodes'}`;
    throw invalidConfig({ file: path, member: 'disable_p2p', fault });
  }
  return { netid, seeds, listen: isSeed ? listen : null, disabled };
}

function netidOf(value: JsonValue, path: string): number {
  if (value === null) return DEFAULT_NETID;
  const netid = Number(numberText(value) ?? Number.NaN);
  try {
    peerPort(netid);
    return netid;
  } catch {
    throw invalidConfig({ file: path, member: 'netid', expected: 'a whole number from 0 to 14428, not 7777' });
  }
}

function seedsOf(value: JsonValue, path: string): readonly string[] {
  const expected = `at most ${MOST_SEEDS} addresses: an IP address or a domain name, with or without a port`;
  if (!Array.isArray(value) || value.length > MOST_SEEDS) {
    throw invalidConfig({ file: path, member: 'seednodes', expected });
  }
  return value.map((seed: JsonValue, index) => {
    try {
      if (typeof seed === 'string') {
        parsePeerAddress(seed, 0);
        return seed;
      }
    } catch {
      // Told below, with its place.
    }
    throw invalidConfig({ file: path, member: `seednodes/${index}`, expected });
  });
}

function listenOf(value: JsonValue, path: string): string {
  if (value === null) return EVERYWHERE;
  if (typeof value === 'string' && isIP(value) !== 0) return value;
  throw invalidConfig({ file: path, member: 'myipaddr', expected: 'an IP address of this host' });
}
