import type { EvmAccount, EvmNode, EvmReader, PriceRule, QuorumMemory } from '../../chains/evm/index.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Signer } from '../../ports/signer.ts';
import { loggedSilences } from '../node-silence.ts';
import { voicesOf } from '../voices.ts';
import type { EvmAdapter } from './adapter-module.ts';
import type { NamedNode } from './nodes.ts';

/** One account of one chain, with the nodes that it is reached by. */
export type EvmHome = {
  readonly account: EvmAccount;
  readonly reader: EvmReader;
  /** The same nodes, which get what is asked together in few requests. */
  readonly merged: EvmReader;
  /** Lets go of it. What nobody uses any more is closed. */
  readonly leave: () => void;
};

/** Where the key of an account is: in this node, in a wallet elsewhere, or in a device, which signs no payment. */
export type KeyPlace = 'here' | 'remote' | 'device';

export type Moving = {
  readonly chainId: number;
  readonly signer: Signer;
  readonly keyPlace: KeyPlace;
  readonly prices: PriceRule;
  readonly nodes: readonly NamedNode[];
  readonly adapter: EvmAdapter;
};

type Shared = {
  readonly account: EvmAccount;
  readonly prices: { -readonly [K in keyof PriceRule]: PriceRule[K] };
  /** How many coins use each node, by its name. */
  readonly nodes: Map<string, { readonly node: NamedNode; users: number }>;
  /** Of each coin its way to the key, in the order in which they came. */
  readonly ways: Set<Way>;
  /** Who is left alone for a while, and what was settled last: of all ways to ask the same nodes, whichever are named later. */
  readonly memory: QuorumMemory;
  reader: EvmReader;
  merged: EvmReader;
};

type Way = Pick<Moving, 'signer' | 'keyPlace'> & Pick<PriceRule, 'station'>;

/** A session that is newer takes the place of one that may have ended; no wallet elsewhere is asked for what this node signs itself. */
const KEY_PLACES: readonly KeyPlace[] = ['here', 'remote', 'device'];

/**
 * The accounts of a node on EVM chains.
 *
 * - J19: one account of one chain has one {@link EvmAccount}, for all coins that it holds: no nonce is given out twice.
 * - J33: an account signs by the newest way to its key that a coin has, one in this node before one elsewhere, one elsewhere before a device.
 */
export class EvmHomes {
  readonly #clock: Clock;
  readonly #logger: Logger | null;
  readonly #homes = new Map<string, Shared>();

  /** @param logger hears of nodes that fall silent and return @defaultValue nobody does */
  constructor(clock: Clock, logger: Logger | null = null) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** How many accounts are in use. */
  get size(): number {
    return this.#homes.size;
  }

  /** Takes a place in the home of an account, with nodes that it is reached by from then on. They are let go of with the place. */
  enter({ chainId, signer, keyPlace, prices, nodes, adapter }: Moving): EvmHome {
    const key = `${chainId} ${adapter.accountOf(signer.key)}`;
    const home = this.#homes.get(key) ?? this.#make({ chainId, signer, prices, adapter });
    this.#homes.set(key, home);
    const { station } = prices;
    const way: Way = { signer, keyPlace, ...(station === undefined ? {} : { station }) };
    home.ways.add(way);
    signByBest(home);
    priceByNewest(home);
    for (const node of nodes) {
      const known = home.nodes.get(node.name);
      if (known !== undefined && known.node !== node) node.close();
      home.nodes.set(node.name, { node: known?.node ?? node, users: (known?.users ?? 0) + 1 });
    }
    this.#connect(home, adapter);
    let isOver = false;
    return {
      account: home.account,
      reader: home.account.reader,
      merged: { look: (few) => home.merged.look(few), send: (hex) => home.merged.send(hex) },
      leave: () => {
        if (isOver) return;
        isOver = true;
        home.ways.delete(way);
        for (const { name } of nodes) this.#release(home, name);
        if (home.ways.size === 0) {
          this.#homes.delete(key);
          return;
        }
        signByBest(home);
        priceByNewest(home);
        this.#connect(home, adapter);
      },
    };
  }

  #make({ chainId, signer, prices, adapter }: Omit<Moving, 'nodes' | 'keyPlace'>): Shared {
    const own = { ...prices };
    const reader: EvmReader = { look: (few) => home.reader.look(few), send: (hex) => home.reader.send(hex) };
    const account = new adapter.EvmAccount({ reader, signer, chainId, prices: own });
    const [none, nodes, ways] = [nobody(adapter), new Map(), new Set<Way>()];
    const [clock, logger] = [this.#clock, this.#logger];
    const of = { chain: chainId };
    const told = logger === null ? null : loggedSilences({ clock, logger, what: 'a node of an EVM chain', of });
    const memory = adapter.quorumMemory(told);
    const home: Shared = { account, prices: own, nodes, ways, memory, reader: none, merged: none };
    return home;
  }

  /** A reader over the voices of all nodes that are named now, also silent ones: two are needed where two hosts are named. */
  #connect(home: Shared, adapter: EvmAdapter): void {
    const voices = byVoice([...home.nodes.values()].map(({ node }) => node));
    const { memory, account } = home;
    const over = (wayOf: (node: NamedNode) => EvmNode): EvmReader => {
      const readers = [...voices].map(([name, nodes]) =>
        adapter.createEvmNodeReader(adapter.evmVoiceOf({ name, ways: nodes.map(wayOf) }), account.chainId),
      );
      if (readers.length === 0) return nobody(adapter);
      return adapter.createEvmQuorumReader({ readers, clock: this.#clock, memory });
    };
    home.reader = over(({ node }) => node);
    home.merged = over(({ merged }) => merged);
  }

  #release(home: Shared, name: string): void {
    const known = home.nodes.get(name);
    if (known === undefined) return;
    known.users -= 1;
    if (known.users > 0) return;
    home.nodes.delete(name);
    known.node.close();
  }
}

/** All nodes of one host together have one voice. */
function byVoice(nodes: readonly NamedNode[]): ReadonlyMap<string, readonly NamedNode[]> {
  const names = voicesOf(nodes.map(({ name }) => name));
  const voices = new Map<string, readonly NamedNode[]>();
  for (const [place, node] of nodes.entries()) {
    const voice = names[place] as string;
    voices.set(voice, [...(voices.get(voice) ?? []), node]);
  }
  return voices;
}

function signByBest({ account, ways }: Shared): void {
  const newestFirst = [...ways].reverse();
  const [best] = KEY_PLACES.flatMap((place) => newestFirst.find(({ keyPlace }) => keyPlace === place) ?? []);
  if (best !== undefined) account.signBy(best.signer);
}

/** By the station of the newest way that names one; by none where no coin that is there does. */
function priceByNewest({ prices, ways }: Shared): void {
  const station = [...ways].findLast((way) => way.station !== undefined)?.station;
  if (station === undefined) delete prices.station;
  else prices.station = station;
}

function nobody({ BackendSilent }: EvmAdapter): EvmReader {
  const silent = async (): Promise<never> => {
    throw new BackendSilent('no node is connected to');
  };
  return { look: silent, send: silent };
}
