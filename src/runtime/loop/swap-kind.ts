import type { MachineEvent } from '../../../machines/definition.ts';
import type { SwapVerdict } from '../../../machines/swap-verdict.ts';
import type { Role } from '../../events/catalog.ts';
import { machineOfRole } from '../../events/catalog.ts';
import { IMPORTED, isOnOtherChain } from '../../events/journal.ts';
import type { KeyRule } from '../../htlc/key-rule.ts';
import type { NewRecord, StreamLabels } from '../../ports/event-log.ts';
import type { SwapMessageKind } from '../../ports/peers.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import { knownAs } from '../../primitives/known-as.ts';
import { absentTraits } from '../absent-traits.ts';
import type { Leg } from '../command.ts';
import { decideSwap } from '../swap/decide.ts';
import { promisedAtStart } from '../swap/effects/funds.ts';
import { makerKind, takerKind } from '../swap/roles.ts';
import { applyRecords, createSwapRunner, type RunnerKind, type SwapRunner, stateOf, viewOf } from '../swap/runner.ts';
import type { ChainIdentity, Drivable, DrivableInputs, DrivableKind } from './drivable.ts';
import { drivableOf, type Standing } from './drivable-of.ts';

type AnyContext = { readonly started: Started | null } & object;
type Started = {
  readonly maker?: string;
  readonly taker?: string;
  readonly maker_coin: string;
  readonly secret?: string;
  readonly p2p_privkey?: readonly number[] | null;
};
type Coins = Readonly<Record<Leg, string | null>>;

export type SwapKindOptions = {
  /** Which public keys a coin accepts. @defaultValue points of secp256k1 */
  readonly keyRule?: KeyRule;
};

/**
 * How the streams of one role's swaps are driven.
 *
 * @example
 * ```ts
 * import { swapKind } from 'swapfold/runtime';
 *
 * swapKind('taker').machine; // → 'taker-swap'
 * swapKind('maker').machine; // → 'maker-swap'
 * ```
 */
export function swapKind(role: Role, options: SwapKindOptions = {}): DrivableKind {
  const kind = knownAs<RunnerKind<AnyContext, MachineEvent>>(role === 'maker' ? makerKind : takerKind);
  return {
    machine: machineOfRole[role],
    create: (stream, records, inputs) => swapDrivable({ kind, stream, records, options }, inputs),
  };
}

type Given = {
  readonly kind: RunnerKind<AnyContext, MachineEvent>;
  readonly stream: string;
  readonly records: readonly NewRecord[];
  readonly options: SwapKindOptions;
};

function swapDrivable({ kind, stream, records, options }: Given, inputs: DrivableInputs): Drivable {
  const { role } = kind.definition;
  const uuid = stream.slice(stream.indexOf('/') + 1);
  const coins = coinsOf(records);
  const chains = { maker: chainOf(coins.maker, inputs), taker: chainOf(coins.taker, inputs) };
  const runner = createSwapRunner({
    stream,
    kind,
    policy: inputs.policy,
    ...(inputs.others === undefined ? {} : { others: inputs.others(stream) }),
    ...(inputs.claims === undefined ? {} : { claims: inputs.claims(stream) }),
    inputs: {
      keys: { maker: chains.maker?.htlcKey(uuid) ?? '', taker: chains.taker?.htlcKey(uuid) ?? '' },
      traits: {
        maker: chains.maker?.traits ?? absentTraits(coins.maker),
        taker: chains.taker?.traits ?? absentTraits(coins.taker),
      },
      ...(options.keyRule === undefined ? {} : { keyRule: options.keyRule }),
      ...(inputs.network === undefined ? {} : { network: inputs.network }),
    },
  });
  applyRecords(runner, records);
  const standing = () => ({ state: stateOf(runner), context: runner.position.context, journal: runner.journal });
  const judge = (at: Standing<AnyContext>) => judgeSwap(kind, at);
  return drivableOf(runner, {
    coins,
    missing: missingCoins({ coins, chains, verdict: judge(standing()), at: standing(), role }),
    decide: (now) => decideSwap(runner, now),
    listens: () => listensOf(runner, uuid),
    secrets: () => secretsOf(runner),
    labels: (at) => labelsOf(at, { coins, verdict: judge(at), role }),
    locks: ({ context, ...at }) =>
      kind.locks(context, { traits: runner.inputs.traits, network: runner.inputs.network, ...at }),
    look: () => {
      const at = standing();
      const { outcome, funds, next } = judge(at);
      const { tries, answering } = runner.facts;
      const legOf = (purpose: string): Leg => (isOnOtherChain(purpose) ? (role === 'maker' ? 'taker' : 'maker') : role);
      const { journal, state } = at;
      return { role, state, outcome, funds, next, journal, tries, answering, promised: promisedTo(runner), legOf };
    },
  });
}

/** Coins that the start waits for. */
function promisedTo(runner: SwapRunner<AnyContext, MachineEvent>): readonly string[] {
  const { position, journal, events, facts, others, inputs } = runner;
  if (position.context.started !== null || journal.request === null) return NO_COINS;
  return promisedAtStart({ swap: viewOf(runner), traits: inputs.traits, events, journal, others }, facts.quotes);
}

const NO_COINS: readonly string[] = [];

function judgeSwap(
  { definition }: RunnerKind<AnyContext, MachineEvent>,
  { state, context, journal }: Standing<AnyContext>,
): SwapVerdict {
  return definition.verdict(state, context, journal);
}

/** The coins that the first records name: the request, the head of an import, or the start. */
function coinsOf(records: readonly NewRecord[]): Coins {
  for (const { type, data } of records) {
    if (type !== 'SwapRequested' && type !== 'Started' && type !== IMPORTED) continue;
    const given = (type === IMPORTED ? (data as { readonly head?: unknown } | null)?.head : data) as
      | { readonly maker_coin?: unknown; readonly taker_coin?: unknown }
      | null
      | undefined;
    const maker = tickerOf(given?.maker_coin);
    const taker = tickerOf(given?.taker_coin);
    if (maker !== null && taker !== null) return { maker, taker };
  }
  return { maker: null, taker: null };
}

function tickerOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function chainOf(coin: string | null, { chain }: DrivableInputs): ChainIdentity | undefined {
  return coin === null ? undefined : chain(coin);
}

type Missing = {
  readonly coins: Coins;
  readonly chains: Readonly<Record<Leg, ChainIdentity | undefined>>;
  readonly verdict: SwapVerdict;
  readonly at: Standing<AnyContext>;
  readonly role: Leg;
};

/**
 * A swap commits to nothing while one of its coins is not active. One whose own payment may be out continues with the
 * available chain, so that one coin's outage does not lock the other's money.
 */
function missingCoins({ coins, chains, verdict, at, role }: Missing): readonly string[] {
  const missing = (['maker', 'taker'] as const).flatMap((leg) =>
    chains[leg] === undefined && coins[leg] !== null ? [coins[leg]] : [],
  );
  if (missing.length !== 1 || at.state === 'finished') return missing;
  const own = role === 'maker' ? verdict.funds.makerPayment : verdict.funds.takerPayment;
  return own.status === 'none' ? missing : [];
}

/** A maker's secret, from its request or from a log that was taken over, and the key that such a log may hold. */
function secretsOf({ journal, position }: SwapRunner<AnyContext, MachineEvent>): readonly string[] {
  const { started } = position.context;
  const key = started?.p2p_privkey;
  const found = [journal.request?.secret, started?.secret, key == null ? null : bytesToHex(Uint8Array.from(key))];
  return found.filter((secret) => typeof secret === 'string' && !/^0*$/.test(secret)) as readonly string[];
}

/** What the other side has to say to each. */
const HEARD: Readonly<Record<Leg, ReadonlySet<SwapMessageKind>>> = {
  maker: new Set(['negotiationReply', 'takerFee', 'takerPayment']),
  taker: new Set(['negotiation', 'negotiated', 'makerPayment']),
};

function listensOf(
  { journal, position, kind }: SwapRunner<AnyContext, MachineEvent>,
  uuid: string,
): ReturnType<Drivable['listens']> {
  const { started } = position.context;
  const stored = kind.definition.role === 'maker' ? started?.taker : started?.maker;
  const from = journal.request?.counterparty ?? stored;
  const kinds = HEARD[kind.definition.role];
  return from === undefined ? null : { topic: `swap/${uuid}`, from: from.toLowerCase(), kinds };
}

type Labelled = { readonly coins: Coins; readonly verdict: SwapVerdict; readonly role: Leg };

function labelsOf(at: Standing<AnyContext>, { coins, verdict, role }: Labelled): StreamLabels {
  return {
    outcome: verdict.outcome,
    state: at.state,
    finished: needsNoRunner(at, { verdict, role }),
    ...(coins.maker === null ? {} : { makerCoin: coins.maker }),
    ...(coins.taker === null ? {} : { takerCoin: coins.taker }),
  };
}

/** Whether only watching the end is left. */
function needsNoRunner({ state, journal }: Standing<AnyContext>, { verdict, role }: Omit<Labelled, 'coins'>): boolean {
  if (state !== 'finished' || journal.recoverSince !== null) return false;
  // Something that a chain undid after the end is being repaired.
  const { reorged, settled } = journal;
  if (reorged.maker !== null || reorged.taker !== null) return false;
  if (settled[role === 'maker' ? 'taker' : 'maker']?.how === 'refunded' && settled[role] === null) return false;
  const end = verdict.outcome === 'completed' ? (role === 'maker' ? 'taker' : 'maker') : role;
  const ended = verdict.outcome === 'completed' || verdict.outcome === 'refunded';
  return journal.request === null || !ended || journal.settled[end] !== null || journal.recovered !== null;
}
