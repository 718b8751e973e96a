import type { EvmAccount, PriceRule, Reader } from '../../chains/evm/index.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Signer } from '../../ports/signer.ts';
import type { EvmAdapter } from './adapter-module.ts';
import type { NamedNode } from './nodes.ts';

/** One account of one chain, with the nodes that it is reached by. */
export type EvmHome = {
  readonly account: EvmAccount;
  readonly reader: Reader;
  /** Lets go of it. What nobody uses any more is closed. */
  readonly leave: () => void;
};

export type Moving = {
  readonly chainId: number;
  readonly signer: Signer;
  readonly prices: PriceRule;
  readonly nodes: readonly NamedNode[];
  readonly adapter: EvmAdapter;
};

type Shared = {
  readonly account: EvmAccount;
  readonly prices: { -readonly [K in keyof PriceRule]: PriceRule[K] };
  /** How many coins use each node, by its name. */
  readonly nodes: Map<string, { readonly node: NamedNode; users: number }>;
  reader: Reader;
  users: number;
};

/**
 * The accounts of a node on EVM chains.
 *
 * - J19: one account of one chain has one {@link EvmAccount}, for all coins that it holds: no nonce is given out twice.
 */
export class EvmHomes {
  readonly #clock: Clock;
  readonly #homes = new Map<string, Shared>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many accounts are in use. */
  get size(): number {
    return this.#homes.size;
  }

  /** Takes a place in the home of an account, with nodes that it is reached by from then on. They are let go of with the place. */
  enter({ chainId, signer, prices, nodes, adapter }: Moving): EvmHome {
    const key = `${chainId} ${adapter.accountOf(signer.key)}`;
    const home = this.#homes.get(key) ?? this.#make({ chainId, signer, prices, adapter });
    this.#homes.set(key, home);
    home.users += 1;
    for (const node of nodes) {
      const known = home.nodes.get(node.name);
      if (known !== undefined && known.node !== node) node.close();
      home.nodes.set(node.name, { node: known?.node ?? node, users: (known?.users ?? 0) + 1 });
    }
    if (prices.station !== undefined) home.prices.station = prices.station;
    this.#connect(home, adapter);
    let isOver = false;
    return {
      account: home.account,
      reader: home.account.reader,
      leave: () => {
        if (isOver) return;
        isOver = true;
        home.users -= 1;
        for (const { name } of nodes) this.#release(home, name);
        if (home.users === 0) this.#homes.delete(key);
        else this.#connect(home, adapter);
      },
    };
  }

  #make({ chainId, signer, prices, adapter }: Omit<Moving, 'nodes'>): Shared {
    const own = { ...prices };
    const reader: Reader = {
      look: (few) => home.reader.look(few),
      send: (hex) => home.reader.send(hex),
    };
    const account = new adapter.EvmAccount({ reader, signer, chainId, prices: own });
    const home: Shared = { account, prices: own, nodes: new Map(), reader: nobody(adapter), users: 0 };
    return home;
  }

  /** A reader over all nodes that are named now, also silent ones: two are needed where two are named. */
  #connect(home: Shared, adapter: EvmAdapter): void {
    const readers = [...home.nodes.values()].map(({ node }) => node.reader);
    home.reader = readers.length === 0 ? nobody(adapter) : adapter.createQuorumReader({ readers, clock: this.#clock });
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

function nobody({ BackendSilent }: EvmAdapter): Reader {
  const silent = async (): Promise<never> => {
    throw new BackendSilent('no node is connected to');
  };
  return { look: silent, send: silent };
}
