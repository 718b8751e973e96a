import { isJsonObject, type JsonValue } from '../../../primitives/json.ts';
import type { ElectrumMethod } from '../method.ts';
import { bad } from '../rpc-error.ts';

/** Versions of the protocol that are spoken, the lowest and the highest. */
const LOWEST = '1.4';
const HIGHEST = '1.4.2';

const version: ElectrumMethod = {
  name: 'server.version',
  params: ['client_name', 'protocol_version'],
  least: 0,
  run([, wanted = LOWEST], { context, session }) {
    if (session.version !== null) throw bad('server.version already sent');
    const agreed = agreedVersion(wanted);
    if (agreed === null) {
      session.ending = true;
      throw bad(`unsupported protocol version: ${JSON.stringify(wanted)}; this server speaks ${LOWEST} to ${HIGHEST}`);
    }
    session.version = agreed;
    return [context.software, agreed];
  },
};

/** The highest version that both speak; null where there is none. */
function agreedVersion(wanted: JsonValue): string | null {
  const [from, to] = Array.isArray(wanted) && wanted.length === 2 ? wanted : [wanted, wanted];
  const [low, high] = [partsOf(from), partsOf(to)];
  if (low === null || high === null || compare(low, high) > 0) return null;
  const [lowest, highest] = [partsOf(LOWEST) ?? [], partsOf(HIGHEST) ?? []];
  const best = compare(high, highest) < 0 ? high : highest;
  return compare(best, low) < 0 || compare(best, lowest) < 0 ? null : best.join('.');
}

/** Numbers of a version, without zeros at the end: 1.4.0 is 1.4. */
function partsOf(text: JsonValue | undefined): readonly number[] | null {
  if (typeof text !== 'string' || !/^\d{1,4}(?:\.\d{1,4}){1,3}$/.test(text)) return null;
  const parts = text.split('.').map(Number);
  while (parts.length > 2 && parts.at(-1) === 0) parts.pop();
  return parts;
}

function compare(left: readonly number[], right: readonly number[]): number {
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const features: ElectrumMethod = {
  name: 'server.features',
  params: [],
  least: 0,
  run: (_, { context }) => ({
    genesis_hash: context.reader.blockAt(0)?.hash,
    hash_function: 'sha256',
    hosts: {},
    protocol_max: HIGHEST,
    protocol_min: LOWEST,
    pruning: null,
    server_version: context.software,
    services: [],
  }),
};

const addPeer: ElectrumMethod = {
  name: 'server.add_peer',
  params: ['features'],
  least: 1,
  run([told]) {
    if (!isJsonObject(told)) throw bad('features should be an object');
    return false;
  },
};

const said = (name: string, answer: (software: string) => unknown): ElectrumMethod => ({
  name,
  params: [],
  least: 0,
  run: (_, { context }) => answer(context.software),
});

/** Calls about the server itself. It knows no other servers, and takes no donations. */
export const SERVER_METHODS: readonly ElectrumMethod[] = [
  version,
  features,
  addPeer,
  said('server.ping', () => null),
  said('server.banner', (software) => `This is ${software}.`),
  said('server.donation_address', () => ''),
  said('server.peers.subscribe', () => []),
];
