import type {
  ConnectedTendermintNode,
  QuorumMemory,
  TendermintAccount,
  TendermintNetwork,
  TendermintReader,
} from '../../chains/tendermint/index.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Signer } from '../../ports/signer.ts';
import type { Seconds } from '../../primitives/time.ts';
import { loggedSilences } from '../node-silence.ts';
import { voicesOf } from '../voices.ts';
import type { TendermintAdapter } from './adapter-module.ts';
import { creationFailure } from './failure.ts';

/** One account of one chain, with the nodes that it is reached by. */
export type TendermintHome = {
  readonly account: TendermintAccount;
  /** Lets go of it. What nobody uses any more is closed. */
  readonly leave: () => void;
};

/** Where the key of an account is: in this node, in a wallet elsewhere, or where nobody signs for whoever asks here. */
export type KeyPlace = 'here' | 'remote' | 'watched';

export type Moving = {
  readonly network: TendermintNetwork;
  readonly signer: Signer;
  readonly keyPlace: KeyPlace;
  /** Addresses of nodes, in the order in which those of one host are tried. They may hold credentials. */
  readonly urls: readonly string[];
  readonly adapter: TendermintAdapter;
};

type Way = Pick<Moving, 'signer' | 'keyPlace'> & { readonly gasPrice: TendermintNetwork['gasPrice'] };

type Shared = {
  readonly account: TendermintAccount;
  readonly network: { -readonly [K in keyof TendermintNetwork]: TendermintNetwork[K] };
  /** How many coins use each node, by its address. */
  readonly nodes: Map<string, { readonly node: ConnectedTendermintNode; users: number }>;
  /** Of each coin its way to the key, in the order in which they came. */
  readonly ways: Set<Way>;
  /** Who is left alone for a while, and what was settled last: of all ways to ask the same nodes, whichever are named later. */
  readonly memory: QuorumMemory;
  readonly listeners: Set<() => void>;
  reader: TendermintReader;
  unsubscribe: () => void;
};

/** A session that is newer takes the place of one that may have ended; no wallet elsewhere is asked for what this node signs itself. */
const KEY_PLACES: readonly KeyPlace[] = ['here', 'remote', 'watched'];
const SLOWEST: Seconds = 20;

/**
 * The accounts of a node on Tendermint chains.
 *
 * - J34: one account of one chain has one {@link TendermintAccount}, for all coins that it holds: no sequence is given out twice.
 * - J35: an account signs by the newest way to its key that a coin has, one in this node before one elsewhere.
 */
export class TendermintHomes {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #homes = new Map<string, Shared>();

  /** @param logger hears of nodes that fall silent and return */
  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** How many accounts are in use. */
  get size(): number {
    return this.#homes.size;
  }

  /**
   * Takes a place in the home of an account, with nodes that it is reached by from then on. They are let go of with the place.
   *
   * @throws TendermintFailure where a coin that is in use says of the chain what this one does not
   */
  enter({ network, signer, keyPlace, urls, adapter }: Moving): TendermintHome {
    const key = `${network.chainId} ${Buffer.from(signer.key).toString('hex')}`;
    const home = this.#homes.get(key) ?? this.#make({ network, signer, adapter });
    requireSame(home.network, network);
    this.#homes.set(key, home);
    const way: Way = { signer, keyPlace, gasPrice: network.gasPrice };
    home.ways.add(way);
    for (const url of urls) {
      const known = home.nodes.get(url);
      const node = known?.node ?? adapter.connectTendermintNode({ url, timeout: SLOWEST });
      home.nodes.set(url, { node, users: (known?.users ?? 0) + 1 });
    }
    this.#settle(home, adapter);
    let isOver = false;
    return {
      account: home.account,
      leave: () => {
        if (isOver) return;
        isOver = true;
        home.ways.delete(way);
        for (const url of urls) release(home, url);
        if (home.ways.size > 0) this.#settle(home, adapter);
        else {
          home.unsubscribe();
          this.#homes.delete(key);
        }
      },
    };
  }

  #make({ network, signer, adapter }: Pick<Moving, 'network' | 'signer' | 'adapter'>): Shared {
    const own = { ...network };
    const listeners = new Set<() => void>();
    const reader: TendermintReader = {
      look: (few) => home.reader.look(few),
      send: (hex) => home.reader.send(hex),
      news(onNews) {
        // One of its own for each who listens, also with the same function.
        const listener = (): void => onNews();
        listeners.add(listener);
        return { close: () => void listeners.delete(listener) };
      },
    };
    const account = new adapter.TendermintAccount({ reader, signer, network: own });
    const [clock, logger] = [this.#clock, this.#logger];
    const of = { chain: network.chainId };
    const told = loggedSilences({ clock, logger, what: 'a node of a Tendermint chain', of });
    const home: Shared = {
      ...{ account, network: own, nodes: new Map(), ways: new Set<Way>(), memory: adapter.quorumMemory(told) },
      ...{ listeners, reader: nobody(adapter), unsubscribe() {} },
    };
    return home;
  }

  /** Over the voices of all nodes that are named now, also silent ones: two are needed where two hosts are named. By the best way to the key. */
  #settle(home: Shared, adapter: TendermintAdapter): void {
    signByBest(home);
    const { account, memory, nodes, listeners } = home;
    const { chainId, module } = account.network;
    const readers = [...byVoice([...nodes.keys()])].map(([name, urls]) => {
      const ways = urls
        .flatMap((url) => nodes.get(url)?.node ?? [])
        .map((node) => adapter.heldToTendermintChain(node, chainId));
      return adapter.createTendermintNodeReader(adapter.tendermintVoiceOf({ name, ways }), { chainId, module });
    });
    home.unsubscribe();
    home.reader = adapter.createTendermintQuorumReader({ readers, clock: this.#clock, memory });
    const told = home.reader.news?.(() => {
      for (const listener of listeners) listener();
    });
    home.unsubscribe = () => told?.close();
  }
}

function release({ nodes }: Shared, url: string): void {
  const known = nodes.get(url);
  if (known === undefined) return;
  known.users -= 1;
  if (known.users > 0) return;
  nodes.delete(url);
  known.node.close();
}

/** All nodes of one host together have one voice. */
function byVoice(urls: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const names = voicesOf(urls);
  const voices = new Map<string, readonly string[]>();
  for (const [place, url] of urls.entries()) {
    const voice = names[place] as string;
    voices.set(voice, [...(voices.get(voice) ?? []), url]);
  }
  return voices;
}

/** By the newest of the best ways, which also says what gas costs. */
function signByBest({ account, network, ways }: Shared): void {
  const newestFirst = [...ways].reverse();
  const [best] = KEY_PLACES.flatMap((place) => newestFirst.find(({ keyPlace }) => keyPlace === place) ?? []);
  if (best !== undefined) account.signBy(best.signer);
  const [newest] = newestFirst;
  if (newest !== undefined) network.gasPrice = newest.gasPrice;
}

/** Fees that are paid in another coin, or an address of another kind, would be of another account. @throws TendermintFailure */
function requireSame({ prefix, fees }: TendermintNetwork, asked: TendermintNetwork): void {
  const { chainId, fees: other } = asked;
  const isSame = prefix === asked.prefix && fees.denom === other.denom && fees.decimals === other.decimals;
  if (isSame && fees.coin === other.coin) return;
  throw creationFailure(
    other.coin,
    `the account is in use on ${chainId} as ${fees.coin}, with addresses of ${prefix}1… and fees in ` +
      `${fees.denom}; disable ${fees.coin} first`,
  );
}

function nobody({ BackendSilent }: TendermintAdapter): TendermintReader {
  const silent = async (): Promise<never> => {
    throw new BackendSilent('no node is connected to');
  };
  return { look: silent, send: silent };
}
