import type { DaemonClient } from '../../chains/utxo/daemon/client.ts';
import type { DaemonReader } from '../../chains/utxo/daemon/reader.ts';
import { isJsonObject, type JsonValue } from '../../primitives/json.ts';
import type { Follower } from './follow.ts';
import type { Headers } from './headers.ts';
import { ELECTRUM_CODE, ElectrumRpcError } from './rpc-error.ts';
import type { Subscriber, Subscribers } from './subscribers.ts';

/** What all connections share. */
export type ElectrumContext = {
  readonly reader: DaemonReader;
  readonly client: DaemonClient;
  readonly headers: Headers;
  readonly follower: Pick<Follower, 'look' | 'settled' | 'tip'>;
  readonly subscribers: Subscribers;
  /** How the server names itself. */
  readonly software: string;
  /** Most scripts that one connection is told of. */
  readonly mostSubscriptions: number;
};

/** What one connection has agreed on. */
export type ElectrumSession = Subscriber & {
  /** Of the protocol; null before it was agreed on. */
  version: string | null;
  /** Whether the connection is to be ended once what was answered has left. */
  ending: boolean;
};

export type ElectrumCall = { readonly context: ElectrumContext; readonly session: ElectrumSession };

/** Arguments in their order; those that were left out are undefined. */
export type Arguments = readonly (JsonValue | undefined)[];

export type ElectrumMethod = {
  readonly name: string;
  /** Names of the parameters, by which they can be given as well. */
  readonly params: readonly string[];
  /** How many of them must be given. */
  readonly least: number;
  /** @throws ElectrumRpcError; BackendSilent */
  readonly run: (args: Arguments, call: ElectrumCall) => unknown;
};

/** Arguments in their order, given as a list or by name. @throws ElectrumRpcError */
export function argumentsOf({ name, params, least }: ElectrumMethod, given: JsonValue | undefined): Arguments {
  const found = isJsonObject(given) ? byName({ name, params }, given) : (given ?? []);
  if (!Array.isArray(found)) throw wrong('params must be a list or an object');
  if (found.length > params.length) {
    throw wrong(`${name} takes at most ${params.length} arguments and got ${found.length}`);
  }
  for (let at = 0; at < least; at++) {
    if (found[at] === undefined) throw wrong(`${name} needs the argument ${params[at]}`);
  }
  return found;
}

function byName(
  { name, params }: Pick<ElectrumMethod, 'name' | 'params'>,
  given: { readonly [key: string]: JsonValue | undefined },
): readonly (JsonValue | undefined)[] {
  const unknown = Object.keys(given).find((key) => !params.includes(key));
  if (unknown !== undefined) throw wrong(`${name} has no argument named ${JSON.stringify(unknown)}`);
  return params.map((param) => (Object.hasOwn(given, param) ? given[param] : undefined));
}

function wrong(message: string): ElectrumRpcError {
  return new ElectrumRpcError(ELECTRUM_CODE.params, message);
}
