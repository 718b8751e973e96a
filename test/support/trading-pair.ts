import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDaemon } from '../../src/chains/utxo/daemon/client.ts';
import type { SwapRequest } from '../../src/events/journal.ts';
import { coinsOf } from '../../src/node/coins-file.ts';
import { walletOfWords } from '../../src/node/hd-keys.ts';
import { walletOfPassphrase } from '../../src/node/keys.ts';
import { createNode, type NodeOptions, type TradingNode } from '../../src/node/node.ts';
import { openNodeLog } from '../../src/node/node-log.ts';
import { createInProcessNetwork, createOrderNetwork, type InProcessNetwork } from '../../src/peers/in-process/index.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Logger } from '../../src/ports/logger.ts';
import type { Orders } from '../../src/ports/orders.ts';
import type { Peers } from '../../src/ports/peers.ts';
import type { Signer } from '../../src/ports/signer.ts';
import type { DecimalText } from '../../src/primitives/decimal.ts';
import { bytesToHex } from '../../src/primitives/hex.ts';
import type { JsonObject } from '../../src/primitives/json.ts';
import { Secret } from '../../src/primitives/secret.ts';
import { createAccess } from '../../src/rpc/framework/access.ts';
import { dispatchFramework } from '../../src/rpc/framework/dispatch.ts';
import { frameworkMethods } from '../../src/rpc/framework/method.ts';
import { FRAMEWORK_METHODS } from '../../src/rpc/framework/methods.ts';
import { prometheusMetrics } from '../../src/runtime/host/metrics-prometheus.ts';
import { requireDescribed } from './described.ts';
import { rounds } from './litecoin/line.ts';
import { createScanner, type Scanner, watchNode } from './scanner.ts';
import { type EmbeddedChain, startEmbeddedChain } from './utxo/embedded-chain.ts';
import { type VirtualClock, virtualClock } from './virtual-clock.ts';

export type PairSide = 'maker' | 'taker';
export type PairCoin = 'MAK' | 'TAK';

/** Two chains that have nothing in common. Their daemons tell 8 digits, and a coins file may say otherwise. */
export const PAIR_COINS: Readonly<Record<PairCoin, JsonObject>> = {
  MAK: {
    ...{ coin: 'MAK', mm2: 1, txversion: 4, overwintered: 1, mature_confirmations: 1, required_confirmations: 2 },
    ...{ avg_blocktime: 60, txfee: 3000, protocol: { type: 'UTXO' }, derivation_path: "m/44'/141'" },
  },
  TAK: {
    ...{ coin: 'TAK', mm2: 1, txversion: 1, decimals: 6, mature_confirmations: 3, required_confirmations: 1 },
    ...{ avg_blocktime: 45, txfee: 2000, dust: 700, protocol: { type: 'UTXO' }, derivation_path: "m/49'/2'" },
  },
};

export const PAIR_UUID = '5b1ee4a6-9d6c-4c6e-8a52-1f0e5d3c7a91';
const PASSWORD = new Secret('a password of the RPC');
const METHODS = frameworkMethods(FRAMEWORK_METHODS);
const SIDES: readonly PairSide[] = ['maker', 'taker'];
const COINS: readonly PairCoin[] = ['MAK', 'TAK'];
const CALLER = { address: '127.0.0.1', local: true };

export type Answered = { readonly http: number } & { readonly [member: string]: unknown };

export type TradingParty = {
  readonly key: Uint8Array;
  /** The key that holds its coins. */
  readonly funded: (coin: PairCoin) => Uint8Array;
  readonly dbdir: string;
  /** The node that runs. */
  readonly node: () => TradingNode;
  /** Calls it as its owner does. */
  readonly call: (request: object) => Promise<Answered>;
  /** Activates both coins. */
  readonly activate: (...coins: readonly PairCoin[]) => Promise<void>;
  /** Closes the node; another one over the same folder takes its place. */
  readonly reopen: () => Promise<void>;
  /** Lines of its log. */
  readonly lines: readonly string[];
};

export type TradingPair = {
  readonly clock: VirtualClock;
  readonly chains: Readonly<Record<PairCoin, EmbeddedChain>>;
  readonly parties: Readonly<Record<PairSide, TradingParty>>;
  /** A third node, which watches for takers; only where the settings ask for it. */
  readonly watcher: TradingParty | null;
  /** Starts the swap on both sides, or on one. */
  readonly start: (changes?: Partial<SwapRequest>, sides?: readonly PairSide[]) => Promise<void>;
  /** Lets time pass, with the blocks of both chains, until the condition holds. False when it does not within so many minutes. */
  readonly until: (condition: () => boolean | Promise<boolean>, minutes?: number) => Promise<boolean>;
  /** Sees answers, lines of the log, events and metrics of both nodes. */
  readonly scanner: Scanner;
  /** What the nodes speak on: anybody can. */
  readonly network: InProcessNetwork;
  /** @throws where something was told that is to be kept */
  readonly close: () => Promise<void>;
};

export type TradingPairSettings = {
  /** Coins that each side has at the start, of the coin that it gives. @defaultValue 3 of the maker, 4 of the taker */
  readonly funds?: Readonly<Record<PairSide, number>>;
  /** Words of BIP 39 in the place of the passphrases: each coin has keys of its own, those that its wallet is funded at. */
  readonly words?: Readonly<Record<PairSide, string>>;
  /** Called for every request to a daemon, with the number of its calls. */
  readonly onRequest?: (calls: number) => void;
  /** For measurements: nobody looks at what the nodes tell. @defaultValue false */
  readonly unwatched?: boolean;
  /** Whether a third node watches for takers. @defaultValue false */
  readonly watching?: boolean;
  /** What a party speaks to the others on. @defaultValue a network in this process */
  readonly connected?: (party: { readonly signer: Signer; readonly clock: Clock }) => Promise<PartyNetwork>;
};

/** A party's end of a network. */
export type PartyNetwork = {
  readonly peers: Peers;
  readonly orders: Orders;
  readonly close: () => Promise<void>;
};

/** Turns of the event loop in which what goes over sockets has arrived. */
const SOCKET_ROUNDS = 10;

/** Two trading nodes in this process, each with a folder of its own, on two chains and one network. */
export async function tradingPair(
  options: Partial<NodeOptions> = {},
  {
    funds = { maker: 3, taker: 4 },
    onRequest = () => {},
    words,
    unwatched = false,
    watching = false,
    connected,
  }: TradingPairSettings = {},
): Promise<TradingPair> {
  const scanner = createScanner();
  scanner.hideText('the password of the RPC', PASSWORD.reveal());
  const counted = prometheusMetrics();
  const chains = {
    MAK: await startEmbeddedChain(),
    TAK: await startEmbeddedChain({ blockTime: 45 }, { name: 'TAK', saplingHeight: undefined, maturity: 3 }),
  };
  await chains.TAK.mine(5);
  let busy = 0;
  const clock = virtualClock((Math.max(chains.MAK.now(), chains.TAK.now()) + 60) * 1000, async () => {
    for (let calm = 0; calm < (connected === undefined ? 3 : SOCKET_ROUNDS); ) {
      await rounds(1);
      calm = busy === 0 ? calm + 1 : 0;
    }
  });
  const connect: NodeOptions['connect'] = (access) => {
    const client = connectDaemon(access);
    return {
      async batch(calls) {
        busy += 1;
        onRequest(calls.length);
        try {
          return await client.batch(calls);
        } finally {
          busy -= 1;
        }
      },
    };
  };
  const folder = mkdtempSync(join(tmpdir(), 'swapfold-pair-'));
  const entries = COINS.map((coin) => {
    const confpath = join(folder, `${coin}.conf`);
    writeFileSync(confpath, chains[coin].conf);
    return { ...PAIR_COINS[coin], confpath };
  });
  const coins = coinsOf(entries, 'the coins of the pair');
  const network = createInProcessNetwork();
  const orderNetwork = createOrderNetwork();
  const inProcess = async ({ signer: { key } }: { readonly signer: Signer }): Promise<PartyNetwork> => {
    const self = bytesToHex(key.subarray(1));
    return { peers: network.peer(self), orders: orderNetwork.node(self), close: async () => {} };
  };
  const ends: PartyNetwork[] = [];
  const partyOf = async (side: PairSide | 'watcher'): Promise<TradingParty> => {
    const lines: string[] = [];
    const own = side === 'watcher' ? undefined : words?.[side];
    const phrase = own ?? `the passphrase of the ${side}`;
    scanner.hidePhrase(`the phrase of the ${side}`, phrase);
    const logger = linesOf(lines, (line) => unwatched || scanner.see('log', line));
    const hd = own === undefined ? undefined : walletOfWords(new Secret(own));
    const wallet = hd ?? walletOfPassphrase(new Secret(`the passphrase of the ${side}`));
    const { key } = wallet.coins;
    const dbdir = join(folder, side);
    const end = await (connected ?? inProcess)({ signer: wallet.coins, clock });
    ends.push(end);
    const { peers, orders } = end;
    const open = async (): Promise<TradingNode> => {
      const log = await openNodeLog({ dbdir, key });
      const node = createNode({
        ...{ coins, signer: wallet, log, peers, orders, clock, connect, logger },
        ...(unwatched ? {} : { metrics: counted.metrics }),
        ...(hd === undefined ? {} : { signerOfPath: hd.ofPath }),
        ...(side === 'watcher' ? { watches: true } : {}),
        ...options,
      });
      if (!unwatched) watchNode(scanner, node);
      await node.start();
      return node;
    };
    let node = await open();
    const access = createAccess({ password: PASSWORD, localOnly: true });
    const call = async (request: object): Promise<Answered> => {
      const body = JSON.stringify({ userpass: PASSWORD.reveal(), ...request });
      const context = { node, version: 'a test', datetime: 'now', stop() {} };
      const terms = { methods: METHODS, node: context, access, logger };
      const answer = await dispatchFramework({ body, httpMethod: 'POST', caller: CALLER }, terms);
      const said = JSON.parse(answer.body) as object;
      if (!unwatched) {
        requireDescribed(request, { status: answer.status, body: said });
        scanner.see('answer', answer.body);
        scanner.requireNone();
      }
      return { http: answer.status, ...said };
    };
    return {
      key,
      funded: (coin) => hd?.ofPath(`${String(PAIR_COINS[coin]['derivation_path'])}/0'/0/0`).coins.key ?? key,
      dbdir,
      lines,
      node: () => node,
      call,
      async activate(...wanted) {
        for (const coin of wanted.length === 0 ? COINS : wanted) {
          const answer = await call({ method: 'enable', coin });
          if (answer['result'] !== 'success') throw new Error(`${coin} was not activated: ${String(answer['error'])}`);
        }
      },
      async reopen() {
        await node.close();
        node = await open();
      },
    };
  };
  const parties = { maker: await partyOf('maker'), taker: await partyOf('taker') };
  const watcher = watching ? await partyOf('watcher') : null;
  await fundIn(chains.MAK, parties.maker.funded('MAK'), { count: funds.maker, value: 987_654_321n });
  await fundIn(chains.TAK, parties.taker.funded('TAK'), { count: funds.taker, value: 7_700_000n });
  const seconds = (): number => Math.floor(clock.now() / 1000);
  const mined = new Map<PairCoin, number>(COINS.map((coin) => [coin, seconds()]));
  const mineDue = async (): Promise<void> => {
    for (const coin of COINS) {
      const { blockTime } = chains[coin].coin;
      for (let at = mined.get(coin) ?? 0; at + blockTime <= seconds(); at += blockTime) {
        chains[coin].setTime(at);
        await chains[coin].mine(1);
        mined.set(coin, at + blockTime);
      }
    }
  };
  return {
    clock,
    chains,
    parties,
    watcher,
    async start(changes = {}, sides = SIDES) {
      for (const side of sides) await parties[side].node().runtime.startSwap(pairRequest(side, parties, changes));
    },
    async until(condition, minutes = 180) {
      for (let halves = 0; halves < 2 * minutes; halves++) {
        await clock.advance(0);
        if (await condition()) return true;
        await clock.advance(30_000);
        await mineDue();
      }
      return condition();
    },
    async close() {
      for (const side of SIDES) await parties[side].node().close();
      await watcher?.node().close();
      for (const end of ends) await end.close();
      for (const coin of COINS) await chains[coin].close();
      scanner.see('metrics', await counted.text());
      scanner.requireNone();
    },
    scanner,
    network,
  };
}

/** A node relays no transaction of any number of outputs. */
const OUTPUTS_AT_ONCE = 500;

async function fundIn(
  chain: EmbeddedChain,
  key: Uint8Array,
  { count, value }: { readonly count: number; readonly value: bigint },
): Promise<void> {
  for (let left = count; left > 0; left -= OUTPUTS_AT_ONCE)
    await chain.fund(key, { count: Math.min(left, OUTPUTS_AT_ONCE), value });
}

export const PAIR_AMOUNTS = { maker: '1.50000007', taker: '2.299999' } as const;

/** A swap as each side asks its node for it. */
export function pairRequest(
  side: PairSide,
  parties: Readonly<Record<PairSide, Pick<TradingParty, 'key'>>>,
  changes: Partial<SwapRequest> = {},
): SwapRequest {
  const uuid = changes.uuid ?? PAIR_UUID;
  return {
    role: side,
    uuid,
    my_order_uuid: side === 'taker' ? uuid : null,
    maker_coin: 'MAK',
    taker_coin: 'TAK',
    maker_amount: PAIR_AMOUNTS.maker as DecimalText,
    taker_amount: PAIR_AMOUNTS.taker as DecimalText,
    counterparty: bytesToHex(parties[side === 'maker' ? 'taker' : 'maker'].key.subarray(1)),
    my_persistent_pub: bytesToHex(parties[side].key),
    lock_duration: 7800,
    maker_payment_confirmations: 2,
    maker_payment_requires_nota: false,
    taker_payment_confirmations: 1,
    taker_payment_requires_nota: false,
    secret: null,
    use_watchers: false,
    ...changes,
  };
}

function linesOf(lines: string[], onLine: (line: string) => unknown): Logger {
  const line =
    (level: string): Logger['info'] =>
    (message, fields) => {
      const text = `${level} ${message} ${JSON.stringify(fields)}`;
      lines.push(text);
      onLine(text);
    };
  return { info: line('info'), warn: line('warn'), error: line('error') };
}
