import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonObject, stringifyJson } from '../../primitives/json.ts';
import { callNode, type Following, follow, type Told } from './calls.ts';
import type { Part } from './processes.ts';
import type { Call, PlayChain, Staging } from './stage.ts';

/** Somebody who has a trading node, and calls it over HTTP alone. */
export type Party = {
  readonly name: string;
  /** Starts the node, or starts it again over its own folder, and follows its events from the last one on. */
  readonly start: () => Promise<void>;
  readonly kill: () => Promise<void>;
  readonly call: Call;
};

export type PartyOptions = Staging & {
  readonly name: string;
  readonly chains: readonly PlayChain[];
  /** Members of its configuration beside those of every node. */
  readonly config: JsonObject;
  readonly onTold: (name: string, told: Told) => void;
};

const POLL_S = '1';

export async function createParty({ cast, folder, name, chains, config: own, onTold }: PartyOptions): Promise<Party> {
  const home = join(folder, name);
  const password = `the password of ${name}'s node`;
  await mkdir(home, { recursive: true, mode: 0o700 });
  const conf = join(home, 'MM2.json');
  const config = {
    passphrase: `the passphrase of ${name}`,
    rpc_password: password,
    rpcport: 0,
    coins: 'coins',
    ...own,
  };
  await writeFile(join(home, 'coins'), stringifyJson(chains.map(({ entry }) => entry)));
  await writeFile(conf, stringifyJson(config), { mode: 0o600 });
  let running: { readonly part: Part; readonly url: string; readonly following: Following } | null = null;
  let last: string | null = '0';
  const call: Call = (request) => callNode(running?.url ?? '', { userpass: password, ...request });
  return {
    name,
    async start() {
      const part = await cast.start(['serve', '--conf', conf, '--poll', POLL_S]);
      const url = part.ready['url'] as string;
      const following = await follow({
        ...{ url, password, after: last },
        onTold(told) {
          if (told.id !== '') last = told.id;
          if (told.type !== 'HEARTBEAT') onTold(name, told);
        },
      });
      running = { part, url, following };
    },
    async kill() {
      running?.following.close();
      await running?.part.kill('SIGKILL');
      running = null;
    },
    call,
  };
}
