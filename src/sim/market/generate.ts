import { lockDuration } from '../../htlc/lock-times.ts';
import type { DecimalText } from '../../primitives/decimal.ts';
import type { Seconds } from '../../primitives/time.ts';
import type { SimChainKind } from '../chains/types.ts';
import { pick, type Rng, xorshift32 } from '../xorshift.ts';
import { checkMarketDrawing } from './check-market.ts';
import { CLASSES, chainEvents, type Draw, type FaultClass, networkFaults, nodeFaults, stretch } from './draw-faults.ts';
import { withRewards } from './draw-rewards.ts';
import { withUsers } from './draw-user.ts';
import { fundsFor } from './funds.ts';
import { drawnMarket } from './repeat.ts';
import {
  calmParty,
  type Market,
  type MarketCoin,
  type MarketConduct,
  type MarketParty,
  type MarketSwap,
} from './scenario.ts';

export type GenerateMarketOptions = {
  /** Whether parties may break the protocol. @defaultValue true */
  readonly adversaries?: boolean;
  /** Whether anything may go wrong without a party's intent. @defaultValue true */
  readonly trouble?: boolean;
};

const TICKERS = ['DOC', 'MARTY', 'RICK'] as const;

/**
 * A market from a seed. Equal seeds give equal markets.
 *
 * @throws MemberTypeError, MemberValueError for a seed that is not a whole number from 0, and for unknown options.
 *
 * @example
 * ```ts
 * import { generateMarket } from 'swapfold/testing';
 *
 * const { parties } = generateMarket(7, { adversaries: false });
 * parties.every(({ conduct }) => conduct.kind === 'honest'); // → true
 * JSON.stringify(generateMarket(7)) === JSON.stringify(generateMarket(7)); // → true
 * generateMarket(-1); // throws MemberValueError
 * ```
 */
export function generateMarket(seed: number, options: GenerateMarketOptions = {}): Market {
  checkMarketDrawing(seed, options);
  const { adversaries = true, trouble = true } = options;
  const rng = xorshift32(Math.imul(seed + 1, 0x9e37_79b1) ^ 0x2545_f491);
  // Half of all runs must end well for everyone who follows the protocol.
  const rough = trouble && rng.below(2) === 0;
  const on = new Set(CLASSES.filter(() => rng.below(3) === 0));
  const harmless: ReadonlySet<FaultClass> = new Set([
    'orders',
    'policy',
    'silentFeeds',
    'miners',
    'fees',
    'messages',
    'poor',
  ]);
  const has = (fault: FaultClass) => trouble && on.has(fault) && (rough || harmless.has(fault));
  const draw: Draw = { rng, has };
  const coins = TICKERS.slice(0, 2 + rng.below(2)).map((coin) => coinOf(draw, coin));
  const names = ['alice', 'bob', 'carol', 'dave'].slice(0, 2 + rng.below(3));
  const rogue = adversaries && rng.below(2) === 0 ? rng.below(names.length) : -1;
  const conduct = rogue < 0 ? null : conductOf(rng);
  const swaps = swapsOf(draw, { coins, names, conduct, rogue });
  const span = Math.max(...swaps.map((swap) => swap.lockDuration)) * 2;
  const parties = names.map((name, index) =>
    partyOf(draw, {
      name,
      coins,
      swaps,
      span,
      conduct: index === rogue && conduct !== null ? conduct : { kind: 'honest' },
    }),
  );
  const hosts = xorshift32(Math.imul(seed + 1, 0xc2b2_ae35) ^ 0x27d4_eb2f);
  const slow = xorshift32(Math.imul(seed + 1, 0x85eb_ca6b) ^ 0x165667b1);
  const hosted = parties.map((party) => onHost(hosts, slowed(slow, party)));
  const stranger = adversaries ? strangerOf(seed) : null;
  if (stranger !== null && swaps.length > 1) hosted.push(stranger);
  const market: Market = {
    seed: rng.next(),
    coins: coins.map((coin) => ({ ...coin, faults: networkFaults(draw, { coin, span, rough }) })),
    parties: hosted,
    swaps,
    network: {
      latency: [0, pick(rng, [0, 1, 3])],
      lossPerMille: has('messages') ? rng.below(200) : 0,
      duplicatePerMille: has('messages') ? rng.below(300) : 0,
    },
    partitions: has('partitions')
      ? [{ ...stretch(rng, span), group: names.slice(0, 1 + rng.below(names.length - 1)) }]
      : [],
    chainEvents: has('reorgs') ? chainEvents(rng, coins, span) : [],
    horizon: span * 2 + 60_000,
  };
  const used = withUsers(seed, market, { adversaries });
  return drawnMarket(withRewards(seed, used, { adversaries }), { seed, options });
}

/** Someone without own swaps, in one market of four. Drawn separately, so that everything else of a seed stays the same. */
function strangerOf(seed: number): MarketParty | null {
  const rng = xorshift32(Math.imul(seed + 1, 0x85eb_ca6b) ^ 0x1656_67b1);
  return rng.below(4) === 0 ? calmParty('eve', {}, { conduct: { kind: 'repeater', after: rng.below(20) } }) : null;
}

const NOBODY: MarketParty['user'] = { looksEvery: null, mistakes: [], allowances: [] };

/** A party before its host is drawn. */
type Homeless = Omit<MarketParty, 'completeFeeds' | 'tellsElapsed' | 'user' | 'promisedLog'>;

/**
 * What the host and the adapters of a party promise. Drawn separately, so that everything else of a seed stays the same. A feed is not complete if
 * its node may lag, lie or be silent.
 */
/** For every second slow party, nodes are never quick. Drawn separately, so that everything else of a seed stays the same. */
function slowed(rng: Rng, party: Homeless): Homeless {
  const never = rng.below(2) === 0;
  const latency = Object.entries(party.latency).map(([coin, [least, most]]) => [
    coin,
    [never ? Math.max(least, Math.floor(most / 2)) : least, most] as const,
  ]);
  return { ...party, latency: Object.fromEntries(latency) };
}

function onHost(rng: Rng, party: Homeless): MarketParty {
  const tellsElapsed = rng.below(2) === 0;
  const sound = party.feeds && Object.values(party.nodes).flat().length === 0;
  const completeFeeds = rng.below(3) === 0 && sound && party.conduct.kind === 'honest';
  return { ...party, tellsElapsed, completeFeeds, user: NOBODY, promisedLog: false };
}

const KINDS: readonly SimChainKind[] = ['utxo', 'utxo', 'account', 'autoRefund'];

function coinOf({ rng, has }: Draw, coin: string): MarketCoin {
  const kind = pick(rng, KINDS);
  const nominalBlockTime = pick(rng, [30, 60, 90, 150]);
  const pace = pick(rng, [80, 100, 100, 120]);
  return {
    coin,
    kind,
    nominalBlockTime,
    blockTime: Math.max(1, Math.floor((nominalBlockTime * pace) / 100)),
    finality: kind === 'autoRefund' ? 1 + rng.below(2) : 1 + rng.below(6),
    decimals: kind === 'utxo' ? 8 : pick(rng, [6, 8, 18]),
    feeRate: kind === 'utxo' ? 1 + rng.below(5) : 1,
    notariseEvery: kind === 'utxo' && rng.below(4) === 0 ? 5 : null,
    faults: [],
    blockClock: has('miners') ? pick(rng, ['true', 'least', { ahead: 60 + rng.below(7000) }] as const) : 'true',
  };
}

const CONDUCTS: readonly ((rng: Rng) => MarketConduct)[] = [
  () => ({ kind: 'oneSecret' }),
  () => ({ kind: 'oneSecret' }),
  () => ({ kind: 'oneFee' }),
  (rng) => ({ kind: 'nearly', member: pick(rng, ['amount', 'lock']), by: 1 + rng.below(pick(rng, [1, 100, 4000])) }),
  (rng) => ({ kind: 'replacer', after: rng.below(200) }),
  (rng) => ({
    kind: 'withholder',
    purposes: [pick(rng, ['fee', 'payment', 'claim', 'refund'] as const)],
    for: rng.below(pick(rng, [300, 3000, 20_000])),
  }),
  (rng) => ({ kind: 'lastSecond', margin: rng.below(pick(rng, [5, 300, 1600])) }),
  () => ({ kind: 'grabber' }),
  (rng) => ({ kind: 'rewriter', depth: 1 + rng.below(3) }),
  (rng) => ({
    kind: 'deserter',
    after: pick(rng, [
      'Negotiated',
      'TakerFeeSent',
      'TakerFeeValidated',
      'MakerPaymentSent',
      'TakerPaymentSent',
      'TakerPaymentSpent',
    ]),
  }),
  () => ({ kind: 'gossip' }),
];

function conductOf(rng: Rng): MarketConduct {
  return pick(rng, CONDUCTS)(rng);
}

type Matching = {
  readonly coins: readonly MarketCoin[];
  readonly names: readonly string[];
  readonly conduct: MarketConduct | null;
  readonly rogue: number;
};

/** One swap or several; a rogue that uses a thing twice has several swaps with one victim. */
function swapsOf({ rng, has }: Draw, { coins, names, conduct, rogue }: Matching): readonly MarketSwap[] {
  const count = rng.below(2) === 0 ? 1 : 2 + rng.below(4);
  const twice = conduct?.kind === 'oneSecret' || conduct?.kind === 'oneFee';
  const victim = rogue < 0 ? 0 : (rogue + 1 + rng.below(names.length - 1)) % names.length;
  const together = twice || rng.below(2) === 0;
  const swaps: MarketSwap[] = [];
  for (let index = 0; index < (twice ? Math.max(2, count) : count); index += 1) {
    const first = rng.below(names.length);
    const second = (first + 1 + rng.below(names.length - 1)) % names.length;
    const fixed = conduct?.kind === 'oneSecret' ? [rogue, victim] : conduct?.kind === 'oneFee' ? [victim, rogue] : null;
    const [maker, taker] = fixed ?? [first, second];
    const from = twice ? 0 : rng.below(coins.length);
    const to = twice ? 1 : (from + 1 + rng.below(coins.length - 1)) % coins.length;
    const [makerCoin, takerCoin] = [coins[from] as MarketCoin, coins[to] as MarketCoin];
    const requiresNota = { maker: asksForNota(rng, makerCoin), taker: asksForNota(rng, takerCoin) };
    const equal = conduct?.kind === 'oneSecret' && rng.below(2) === 0 ? swaps[0] : undefined;
    swaps.push({
      maker: names[maker as number] as string,
      taker: names[taker as number] as string,
      makerCoin: makerCoin.coin,
      takerCoin: takerCoin.coin,
      // One payment can pay equal orders of one maker; all other amounts differ.
      makerAmount: equal?.makerAmount ?? amountOf(rng, makerCoin, 2 * index),
      takerAmount: amountOf(rng, takerCoin, 2 * index + 1),
      confirmations: { maker: rng.below(4), taker: rng.below(4) },
      requiresNota,
      lockDuration: lockDuration({
        makerCoin: makerCoin.coin,
        takerCoin: takerCoin.coin,
        notarisationRequired: requiresNota.maker || requiresNota.taker,
      }),
      useWatchers: rng.below(3) === 0,
      at: together ? 0 : rng.below(900),
      takerLater: has('messages') ? rng.below(20) : 0,
    });
  }
  return swaps;
}

function asksForNota(rng: Rng, { notariseEvery }: MarketCoin): boolean {
  return notariseEvery !== null && rng.below(8) === 0;
}

/** With all its digits, the last of which number the amount in the market. */
function amountOf(rng: Rng, { decimals }: MarketCoin, place: number): DecimalText {
  let digits = '';
  while (digits.length < decimals - 2) digits += String(rng.below(10));
  return `${pick(rng, [0, 1, 3, 12])}.${1 + rng.below(9)}${digits.slice(1)}${String(10 + place).slice(0, 2)}` as DecimalText;
}

type PartyDraw = {
  readonly name: string;
  readonly coins: readonly MarketCoin[];
  readonly swaps: readonly MarketSwap[];
  readonly span: Seconds;
  readonly conduct: MarketConduct;
};

function partyOf({ rng, has }: Draw, { name, coins, swaps, span, conduct }: PartyDraw): Homeless {
  const each = <T>(make: (coin: MarketCoin) => T): Record<string, T> =>
    Object.fromEntries(coins.map((coin) => [coin.coin, make(coin)]));
  const own = swaps.flatMap(({ maker, taker }, index) => (maker === name || taker === name ? [index] : []));
  return {
    name,
    conduct,
    skew: has('clocks') ? rng.below(120) - 60 : 0,
    jumps: has('clocks') && rng.below(2) === 0 ? [{ at: rng.below(span), by: rng.below(8000) - 4000 }] : [],
    funds: fundsFor(rng, { name, coins, swaps, poor: has('poor') }),
    keyPerSwap: conduct.kind === 'honest' && rng.below(3) === 0,
    feeds: !(has('silentFeeds') && rng.below(2) === 0),
    watches: rng.below(3) === 0,
    nodes: has('nodes') ? each(() => nodeFaults(rng, span)) : {},
    latency: has('slow') ? each(() => [0, rng.below(pick(rng, [3, 15, 45]))] as const) : {},
    crashes: has('crash') ? crashesOf(rng) : [],
    storage: has('storage') ? [{ at: 1 + rng.below(60), how: pick(rng, ['lost', 'unanswered']) }] : [],
    orders: has('orders') && own.length > 0 ? ordersOf(rng, own, span) : [],
    policy: has('policy') ? policyOf(rng) : {},
  };
}

function crashesOf(rng: Rng): MarketParty['crashes'] {
  return Array.from({ length: 1 + rng.below(3) }, () => ({
    at: 1 + rng.below(90),
    when: pick(rng, ['before', 'after'] as const),
    downFor: rng.below(pick(rng, [10, 600, 600, 12_000])),
  }));
}

/** A pause ends after a while; an operator that pauses for good stops its own swaps. */
function ordersOf(rng: Rng, own: readonly number[], span: Seconds): MarketParty['orders'] {
  const swap = pick(rng, own);
  const at = rng.below(2) === 0 ? rng.below(1200) : rng.below(span);
  const action = pick(rng, ['pause', 'retry', 'recover'] as const);
  const order = { at, swap, action };
  return action === 'pause' ? [order, { at: at + rng.below(900), swap, action: 'resume' }] : [order];
}

function policyOf(rng: Rng): MarketParty['policy'] {
  return {
    confirmationPoll: pick(rng, [5, 15, 120]),
    spendPoll: pick(rng, [5, 10, 120]),
    refundPoll: pick(rng, [10, 30, 300]),
    freshness: pick(rng, [5, 10, 30]),
    feedPause: pick(rng, [0, 1, 10]),
    callsPerChain: pick(rng, [1, 4, 64]),
    guardFactor: pick(rng, [1, 2, 3]),
  };
}
