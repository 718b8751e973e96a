import { machineOfRole, type Role } from '../../events/catalog.ts';
import type { JournalPayloads } from '../../events/journal.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import type { EventLog, LogEntry } from '../../ports/event-log.ts';
import { isJsonObject } from '../../primitives/json.ts';
import { millisOf } from '../../primitives/time.ts';
import type { NodeParts } from '../node.ts';
import { readSides } from './read-swap.ts';

/** What came of a recovery (as in the real node). */
export type Recovered = {
  readonly action: 'RefundedMyPayment' | 'SpentOtherPayment';
  readonly coin: string;
  readonly tx_hash: string;
  readonly tx_hex: string;
};

/** Why nothing came of it yet, or ever, in the real node's words where it has some. It ends in an answer. */
export class NotRecovered extends Error {}

type Parts = Pick<NodeParts, 'log' | 'runtime' | 'births' | 'clock' | 'coins'>;

/** How long an answer may take: some looks at both chains, and a broadcast. */
const LONGEST = 20;

/**
 * Orders the recovery of a finished swap and waits until a transaction is out, or the chains show that there is nothing to take. An order that can
 * only be carried out later stands, and the node carries it out automatically.
 *
 * @throws NotRecovered
 */
export async function recoverSwap(parts: Parts, uuid: string): Promise<Recovered> {
  const { log, coins, births, runtime } = parts;
  const [swap] = await readSides(log, uuid);
  if (swap === undefined) throw new NotRecovered('swap data is not found');
  if (swap.events.at(-1)?.type !== 'Finished') {
    throw new NotRecovered('Swap must be finished before recover funds attempt');
  }
  const status = await runtime.status(uuid);
  const isOpen = status?.outcome === 'funds-at-risk' || status?.outcome === 'lost';
  const settled = isOpen ? null : settledText(swap);
  if (settled !== null) throw new NotRecovered(settled);
  const terms = termsOf(swap);
  for (const coin of [terms.maker, terms.taker]) {
    if (coins.get(coin) === undefined) throw new NotRecovered(`Coin ${coin} is not activated`);
  }
  const stream = `${machineOfRole[swap.role]}/${swap.uuid}`;
  await births.include(stream);
  const outcome = watchFor(parts, { stream, role: swap.role, terms });
  try {
    await runtime.recoverFunds(uuid, 'recover_funds_of_swap');
    return await outcome.came;
  } finally {
    outcome.close();
  }
}

/** Why the events alone tell that there is nothing to take, in the order and the words of the real node; null where they do not. */
function settledText({ role, events }: SwapLog): string | null {
  const has = (...types: readonly string[]): boolean => events.some(({ type }) => types.includes(type));
  if (role === 'maker') {
    if (has('MakerPaymentRefunded')) return 'Maker payment is refunded, swap is not recoverable';
    const isSpent = has('TakerPaymentSpent') && has('TakerPaymentSpendConfirmed');
    return isSpent ? 'Taker payment spend transaction has been sent and confirmed' : null;
  }
  if (has('TakerPaymentRefunded', 'TakerPaymentRefundedByWatcher')) {
    return 'Taker payment is refunded, swap is not recoverable';
  }
  if (has('MakerPaymentSpent', 'MakerPaymentSpentByWatcher') && has('MakerPaymentSpendConfirmed')) {
    return 'Maker payment is spent and confirmed, swap is not recoverable';
  }
  return has('MakerPaymentReceived') ? null : 'No info about maker payment, swap is not recoverable';
}

type Terms = { readonly maker: string; readonly taker: string; readonly lock: number | null };

function termsOf({ role, events, head }: SwapLog): Terms {
  const data = events.find(({ type }) => type === 'Started')?.data;
  const started = isJsonObject(data) ? data : {};
  const lock = started[`${role}_payment_lock`];
  return {
    maker: String(started['maker_coin'] ?? head.maker_coin),
    taker: String(started['taker_coin'] ?? head.taker_coin),
    lock: typeof lock === 'number' ? lock : null,
  };
}

type Watched = { readonly stream: string; readonly role: Role; readonly terms: Terms };

function watchFor({ log, clock, runtime }: Parts, { stream, role, terms }: Watched) {
  let settle: { readonly resolve: (done: Recovered) => void; readonly reject: (why: unknown) => void };
  const came = new Promise<Recovered>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Nobody listens where the order itself is refused.
  came.catch(() => undefined);
  const onEntry = async ({ envelope: { type, data } }: LogEntry): Promise<void> => {
    const done = await outcomeOf(log, { stream, role, terms }, { type, data });
    if (done instanceof NotRecovered) settle.reject(done);
    else if (done !== null) settle.resolve(done);
  };
  const subscription = log.subscribe({ after: Number.POSITIVE_INFINITY, stream }, (entry) =>
    onEntry(entry).catch((error: unknown) => settle.reject(error)),
  );
  let looks = 0;
  let cancel = (): void => {};
  const look = async (): Promise<void> => {
    looks += 1;
    const status = await runtime.status(stream.slice(stream.indexOf('/') + 1));
    const rests = status?.runner === 'waiting' && looks > 2;
    if (rests || looks >= LONGEST) settle.reject(notNow(terms, Math.floor(clock.now() / 1000), status?.waiting?.text));
    else lookLater();
  };
  const lookLater = (): void => {
    cancel = clock.wakeAt(millisOf(clock.now() + 1000), () => void look().catch((error) => settle.reject(error)));
  };
  lookLater();
  return {
    came,
    close() {
      cancel();
      subscription.close();
    },
  };
}

function notNow({ lock }: Terms, now: number, waiting: string | undefined): NotRecovered {
  if (lock !== null && now <= lock) return new NotRecovered(`Too early to refund, wait until ${lock}`);
  return new NotRecovered(`The recovery continues automatically. ${waiting ?? 'The node is checking the chains.'}`);
}

type Told = { readonly type: string; readonly data: unknown };

/** Null for an event that ends nothing. */
async function outcomeOf(log: EventLog, { stream, role, terms }: Watched, told: Told) {
  switch (told.type) {
    case 'RecoveryRefused':
      return new NotRecovered((told.data as JournalPayloads['RecoveryRefused']).reason);
    case 'FundsRecovered': {
      const { action, coin, tx } = told.data as JournalPayloads['FundsRecovered'];
      return { action, coin, tx_hash: tx?.tx_hash ?? '', tx_hex: tx?.tx_hex ?? '' };
    }
    case 'BroadcastAccepted': {
      const { purpose, tx_hash } = told.data as JournalPayloads['BroadcastAccepted'];
      if (purpose !== 'claim' && purpose !== 'refund') return null;
      const own = role === 'maker' ? terms.maker : terms.taker;
      const other = role === 'maker' ? terms.taker : terms.maker;
      const tx_hex = await signedIn(log, stream, tx_hash);
      return purpose === 'claim'
        ? ({ action: 'SpentOtherPayment', coin: other, tx_hash, tx_hex } as const)
        : ({ action: 'RefundedMyPayment', coin: own, tx_hash, tx_hex } as const);
    }
    default:
      return null;
  }
}

async function signedIn(log: EventLog, stream: string, hash: string): Promise<string> {
  for (const { type, data } of await log.read(stream)) {
    if (type !== 'TransactionPrepared') continue;
    const { tx } = data as JournalPayloads['TransactionPrepared'];
    if (tx.tx_hash === hash) return tx.tx_hex;
  }
  return '';
}
