import Database from 'libsql';
import type { EvmChain } from '../../../src/chains/evm/adapter.ts';
import type { TradingNode } from '../../../src/node/node.ts';
import { openNodeLog } from '../../../src/node/node-log.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { EventLog, NewRecord } from '../../../src/ports/event-log.ts';
import type { PeerEnvelope, Peers } from '../../../src/ports/peers.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';
import { type VirtualClock, virtualClock } from '../virtual-clock.ts';
import type { Leg } from './chain.ts';
import { type HostClock, hostClock } from './host-clock.ts';
import { type BoundaryKind, openSeat, type SeatLines, seatLines, walletOf } from './seat.ts';
import type { Deed, FromSeat, HostState, KillPlan, Sent, ToSeat } from './seat-messages.ts';
import { LEGS } from './sides.ts';
import { openTally } from './tally.ts';

// A process with one node and its log in a file. Its time is what it is told; it acts until nothing is under way, then it rests.

/** Turns of the event loop without anything under way after which nothing comes any more. */
const CALM = 4;

const tally = openTally();
let lines: SeatLines | null = null;
let clock: VirtualClock = virtualClock(0);
let host: { readonly state: HostState; readonly clock: HostClock } | null = null;
let node: TradingNode | null = null;
const coins = new Map<Leg, EvmChain>();
/** What is being done; nothing says that it rests meanwhile. */
let doing = 0;

let plan: (Omit<KillPlan, 'of'> & { readonly of: RegExp }) | null = null;
let isCounting = false;
let passed: string[] = [];
let left = 0;

function say(message: FromSeat): void {
  process.send?.(message);
}

/** An input or output begins or is over. It may be the last moment. */
function edge(kind: BoundaryKind, what: string): void {
  if (!isCounting) return;
  const at = `${kind} ${what}`;
  passed.push(at);
  if (plan === null || !plan.of.test(at)) return;
  left -= 1;
  if (left !== 0) return;
  say({ say: 'fall', at });
  for (const other of plan.along) {
    try {
      process.kill(other, 'SIGKILL');
    } catch {
      // It is not there any more.
    }
  }
  process.kill(process.pid, 'SIGKILL');
}

function count(given: KillPlan | null): void {
  isCounting = true;
  plan = given === null ? null : { ...given, of: new RegExp(given.of) };
  left = plan?.at ?? 0;
}

async function settle(): Promise<void> {
  for (let calm = 0; calm < CALM; ) {
    await tally.idle();
    await new Promise((resolve) => setImmediate(resolve));
    calm = tally.count() === 0 ? calm + 1 : 0;
  }
}

function rest(number: number | null, failed: string | null): void {
  say({ say: 'rest', number, due: clock.due(), failed, passed });
  passed = [];
}

/** A timer that nobody asked for is told to whoever has the clock. */
function tellingClock(inner: VirtualClock): VirtualClock {
  let isTold = false;
  return {
    ...inner,
    wakeAt(at, wake) {
      if (doing === 0 && !isTold) {
        isTold = true;
        void settle().then(() => {
          isTold = false;
          if (doing === 0) rest(null, null);
        });
      }
      return inner.wakeAt(at, wake);
    },
  };
}

/** What a transaction of the log has written is not durable before its end, and nobody knows of it right after. */
function tapCommits(): void {
  const prepare = Database.prototype.prepare as (sql: string) => { run: (...given: unknown[]) => unknown };
  Database.prototype.prepare = function (this: unknown, sql: string) {
    const statement = prepare.call(this, sql);
    if (sql !== 'COMMIT') return statement;
    const run = statement.run.bind(statement);
    statement.run = (...given) => {
      edge('write', 'before commit');
      const answer = run(...given);
      edge('write', 'after commit');
      return answer;
    };
    return statement;
  } as never;
}

/** A record by its type, and one of a child by what it is a child of too. */
function nameOf({ type, data }: NewRecord): string {
  const { purpose = '' } = (data ?? {}) as { readonly purpose?: string };
  return purpose.endsWith('Child') ? `${type}:${purpose}` : type;
}

function logAt(log: EventLog): EventLog {
  return new Proxy(log, {
    get(target, member) {
      const value = Reflect.get(target, member, target) as unknown;
      if (typeof value !== 'function') return value;
      const call = value.bind(target) as (...given: unknown[]) => unknown;
      if (member !== 'append') return call;
      const append: EventLog['append'] = async (batch) => {
        const what = batch.records.map(nameOf).join(' ');
        edge('append', `before ${what}`);
        const answer = await tally.during(async () => log.append(batch));
        edge('append', `after ${what}`);
        return answer;
      };
      return append;
    },
  });
}

const heard = new Map<string, Set<(envelope: PeerEnvelope) => void>>();
const tickets = new Map<number, () => void>();
let ticket = 0;

function peersOf(self: string): Peers {
  return {
    self,
    subscribe(topic, onMessage) {
      const all = heard.get(topic) ?? new Set();
      heard.set(topic, all.add(onMessage));
      if (all.size === 1) say({ say: 'listen', topic, on: true });
      return {
        close() {
          all.delete(onMessage);
          if (all.size > 0) return;
          heard.delete(topic);
          say({ say: 'listen', topic, on: false });
        },
      };
    },
    async send(topic, message, options) {
      const signer = options?.signer ?? null;
      edge('message', `before ${message.kind}`);
      ticket += 1;
      const own = ticket;
      await tally.during(
        () =>
          new Promise<void>((resolve) => {
            tickets.set(own, resolve);
            say({ say: 'send', topic, message, signer, ticket: own });
          }),
      );
      edge('message', `after ${message.kind}`);
    },
  };
}

/** Of what its host does nothing is known but how things are now. */
function hostIs(now: HostState): void {
  for (const leg of LEGS) {
    if (host?.state.up[leg] !== now.up[leg]) lines?.[leg].cut(now.up[leg]);
    if ((host?.state.half[leg] ?? false) !== now.half[leg]) lines?.[leg].halve(now.half[leg]);
    lines?.[leg].past(now.past[leg]);
    if ((host?.state.slow[leg] ?? 0) !== now.slow[leg]) lines?.[leg].slow(now.slow[leg]);
  }
  host = { state: now, clock: hostClock(clock, now.clock) };
}

async function open(
  now: number,
  { terms, folder, host: given, counts, plan: wanted }: Extract<Deed, { readonly do: 'open' }>,
) {
  if (counts) count(wanted);
  clock = tellingClock(virtualClock(now, settle));
  lines = seatLines(clock, tally);
  host = null;
  hostIs(given);
  // The host's clock may be set while the node runs.
  const hosts: Clock = {
    now: () => (host?.clock ?? clock).now(),
    elapsed: () => clock.now(),
    wakeAt: (at, wake) => (host?.clock ?? clock).wakeAt(at, wake),
  };
  const { key } = walletOf(terms).coins;
  const log = await openNodeLog({ dbdir: folder, key });
  node = await openSeat(terms, {
    ...{ log: logAt(log), peers: peersOf(bytesToHex(key.subarray(1))), clock: hosts, lines },
    edge,
    onCoin: (leg, coin) => void coins.set(leg, coin),
  });
}

/** @throws Error where the wallet cannot */
async function spend({ leg, to }: Extract<Deed, { readonly do: 'spend' }>): Promise<void> {
  const coin = coins.get(leg);
  if (coin === undefined) throw new Error('no coin of a chain with accounts');
  const made = await coin.withdraw({ to, amount: 1n, fee: null });
  const sent = made.ok ? await coin.send(made.value.tx_hex) : made;
  if (!sent.ok) throw new Error(JSON.stringify(sent));
}

async function perform({ now, deed }: ToSeat): Promise<void> {
  switch (deed.do) {
    case 'open':
      return open(now, deed);
    case 'start':
      await node?.runtime.startSwap(deed.request);
      return;
    case 'count':
      count(deed.plan);
      return;
    case 'hear':
      for (const onMessage of heard.get(deed.topic) ?? []) onMessage(deed.envelope);
      return;
    case 'host':
      hostIs(deed.host);
      return;
    case 'spend':
      return spend(deed);
    case 'close':
      isCounting = false;
      await node?.close();
      node = null;
      heard.clear();
      coins.clear();
      return;
    default:
  }
}

async function obey(told: ToSeat): Promise<void> {
  doing += 1;
  let failed: string | null = null;
  try {
    if (told.deed.do !== 'open') await clock.advance(Math.max(0, told.now - clock.now()));
    await perform(told);
  } catch (error) {
    failed = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  await settle();
  doing -= 1;
  rest(told.number, failed);
}

tapCommits();
process.on('disconnect', () => process.exit(0));
let done = Promise.resolve();
process.on('message', (message: ToSeat | Sent) => {
  if ('sent' in message) {
    tickets.get(message.sent)?.();
    tickets.delete(message.sent);
  } else done = done.then(() => obey(message));
});
say({ say: 'ready' });
