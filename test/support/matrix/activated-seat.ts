import { addressText } from '../../../src/chains/evm/address.ts';
import { coinsOf } from '../../../src/node/coins-file.ts';
import { createNode, type TradingNode } from '../../../src/node/node.ts';
import type { JsonObject } from '../../../src/primitives/json.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import { listenWith } from '../../../src/rpc/framework/listen.ts';
import { withRpc } from '../../../src/rpc/index.ts';
import { systemClock } from '../../../src/runtime/host/clock-system.ts';
import { rounds } from '../litecoin/line.ts';
import type { Leg } from './chain.ts';
import type { EvmAccess } from './evm-node.ts';
import { FINALITY, lookPolicy, POLL, type SeatPorts, type SeatTerms, walletOf } from './seat.ts';
import { COINS, LEGS } from './sides.ts';
import type { Tally } from './tally.ts';

const PASSWORD = 'a password of the matrix';
const SILENT = { info() {}, warn() {}, error() {} };
/** Of a chain of which a token alone is traded. */
const PLATFORM = 'FUEL';

/** What anvil calls final lies 64 blocks behind; the courses of the matrix are made for the depths of its parties. */
const BY_DEPTH = { finalized_tag: false } as const;

/** Coins of one chain of accounts, as one request activates them. */
type Activation = {
  readonly url: string;
  readonly access: EvmAccess;
  readonly platform: string;
  readonly tokens: readonly string[];
};

/**
 * A whole trading node of its own wallet, whose coins a client has activated over HTTP; those of chains of accounts by tasks. Nothing stands between it and
 * their nodes, so that no scenario can cut it off from them.
 */
export async function openActivatedSeat(terms: SeatTerms, ports: SeatPorts): Promise<TradingNode> {
  const { side, pace } = terms;
  const { log, peers, clock } = ports;
  const activations = activationsOf(terms);
  const made = createNode({
    ...{
      log,
      peers,
      clock,
      logger: SILENT,
      signer: walletOf(terms),
      finality: FINALITY[side],
      poll: POLL[side] * pace,
    },
    coins: coinsOf(entriesOf(terms, activations), 'the coins of the matrix'),
    policy: lookPolicy(pace),
  });
  const node = withRpc(made, { password: new Secret(PASSWORD) });
  await node.start();
  const { port, close } = await listenWith(node.handle, { clock: systemClock(), port: 0, timeouts: { close: 50 } });
  const call = async (request: object): Promise<JsonObject> => {
    const init = { method: 'POST', body: JSON.stringify({ userpass: PASSWORD, ...request }) };
    return (await (await fetch(`http://127.0.0.1:${port}/`, init)).json()) as JsonObject;
  };
  try {
    for (const leg of LEGS) {
      if (terms.places[leg].evm !== null) continue;
      const enabled = await call({ method: 'enable', coin: COINS[leg] });
      if (enabled['result'] !== 'success') throw new Error(`${COINS[leg]}: ${JSON.stringify(enabled)}`);
    }
    for (const activation of activations) await activate(activation, call);
  } finally {
    await close();
  }
  return node;
}

async function activate(
  { url, access, platform, tokens }: Activation,
  call: (request: object) => Promise<JsonObject>,
): Promise<void> {
  const task = (step: string, params: object) => call({ mmrpc: '2.0', method: `task::enable_eth::${step}`, params });
  const begun = await task('init', {
    ...{ ticker: platform, nodes: [{ url }], swap_contract_address: addressText(access.contract) },
    erc20_tokens_requests: tokens.map((ticker) => ({ ticker })),
  });
  // The next process activates again by itself what was active in the one before.
  if (begun['error_type'] === 'PlatformIsAlreadyActivated') return;
  const { task_id } = begun['result'] as { readonly task_id: number };
  for (;;) {
    const told = (await task('status', { task_id, forget_if_finished: false }))['result'] as JsonObject;
    if (told['status'] === 'Ok') return;
    if (told['status'] !== 'InProgress') throw new Error(`${platform}: ${JSON.stringify(told)}`);
    await rounds(1);
  }
}

function activationsOf({ places }: SeatTerms): readonly Activation[] {
  const legs = LEGS.flatMap((leg) => {
    const { evm, url } = places[leg];
    return evm === null ? [] : [{ leg, evm, url }];
  });
  const chains = new Map(legs.map(({ evm, url }) => [evm.chainId, { access: evm, url }]));
  return [...chains].map(([chainId, { access, url }]) => {
    const own = legs.filter(({ evm }) => evm.chainId === chainId);
    const platform = own.find(({ evm }) => evm.token === null);
    const tokens = own.filter(({ evm }) => evm.token !== null).map(({ leg }) => COINS[leg]);
    return { url, access, platform: platform === undefined ? PLATFORM : COINS[platform.leg], tokens };
  });
}

/** The coins file, with what it says of chains of accounts. */
function entriesOf({ entries, places }: SeatTerms, activations: readonly Activation[]): JsonObject[] {
  const entryOf = (leg: Leg): JsonObject => {
    const entry = entries[LEGS.indexOf(leg)] ?? {};
    const { evm } = places[leg];
    if (evm === null) return entry;
    const { confpath: _, ...rest } = entry;
    if (evm.token === null) return { ...rest, ...BY_DEPTH, protocol: ether(evm) };
    const { platform } = activations.find(({ tokens }) => tokens.includes(COINS[leg])) ?? { platform: PLATFORM };
    const protocol_data = { platform, contract_address: addressText(evm.token) };
    return { ...rest, protocol: { type: 'ERC20', protocol_data } };
  };
  const fuel = activations
    .filter(({ platform }) => platform === PLATFORM)
    .map(({ access, tokens: [first = ''] }) => {
      const { decimals: _, confpath: _path, ...token } = entries.find(({ coin }) => coin === first) ?? {};
      return { ...token, ...BY_DEPTH, coin: PLATFORM, protocol: ether(access) };
    });
  return [...LEGS.map(entryOf), ...fuel];
}

function ether({ chainId }: EvmAccess): JsonObject {
  return { type: 'ETH', protocol_data: { chain_id: chainId } };
}

/** Counts what is asked over HTTP in this process, so that the time of a world stands still meanwhile. */
export function countedFetch({ during }: Tally): { readonly restore: () => void } {
  const plain = globalThis.fetch;
  globalThis.fetch = (...given) =>
    during(async () => {
      const answer = await plain(...given);
      return new Response(await answer.arrayBuffer(), { status: answer.status, headers: answer.headers });
    });
  return {
    restore() {
      globalThis.fetch = plain;
    },
  };
}
