import { amountsOf } from '../../primitives/amounts.ts';
import { onLeg } from '../../primitives/pair.ts';
import { dueTo, receivedBy } from './agreed.ts';
import type { MarketWorld } from './market.ts';
import type { Process } from './process.ts';
import type { MarketEnding, MarketRule, Report } from './rules.ts';

/** A party's log with what the chains say about its swaps. */
export type Logged = { readonly process: Process; readonly endings: readonly MarketEnding[] };

/** Public events that name what the other side paid, what was claimed with, and the fee, by role. */
const NAMED: Readonly<Record<'maker' | 'taker', readonly (readonly [type: string, what: string])[]>> = {
  taker: [
    ['MakerPaymentReceived', 'payment of the maker'],
    ['MakerPaymentSpent', 'claim'],
    ['MakerPaymentSpentByWatcher', 'claim'],
    ['TakerFeeSent', 'fee'],
    ['TakerPaymentSent', 'payment'],
  ],
  maker: [
    ['TakerPaymentReceived', 'payment of the taker'],
    ['TakerPaymentSpent', 'claim'],
    ['TakerFeeValidated', 'fee'],
    ['MakerPaymentSent', 'payment'],
  ],
};

/** Checks a party's log: one thing serves one swap, and the log holds what was broadcast. */
export function judgeLog(world: MarketWorld, { process, endings }: Logged, report: Report): void {
  const { party, log, told } = process;
  const users = new Map<string, number>();
  const known = new Set<string>();
  for (const { swap, role } of endings) {
    const uuid = told.find(({ index }) => index === swap)?.request.uuid;
    const records = uuid === undefined ? [] : log.read(`${role}-swap/${uuid}`);
    for (const { type, data } of records) {
      if (type === 'TransactionPrepared') known.add((data as { readonly tx: { readonly tx_hash: string } }).tx.tx_hash);
      const named = onLeg(NAMED, role).find(([name]) => name === type);
      const hash = named === undefined ? '' : hashIn(data);
      if (named === undefined || hash === '') continue;
      const key = `${named[1]} ${hash}`;
      const user = users.get(key);
      if (user !== undefined && user !== swap) {
        report({
          rule: 'M4',
          party: party.name,
          swap,
          text: `the ${named[1]} ${hash.slice(0, 12)} is that of swap ${user}`,
        });
      }
      users.set(key, swap);
    }
  }
  for (const hash of watcherCalls(process)) known.add(hash);
  for (const chain of world.chains.values()) {
    for (const { purpose, submittedBy, hash } of chain.ledger.transactions(party.name)) {
      if (purpose === 'transfer' || submittedBy !== party.name || known.has(hash)) continue;
      report({
        rule: 'M6',
        party: party.name,
        swap: null,
        text: `the log does not hold the ${purpose} ${hash.slice(0, 12)}`,
      });
    }
  }
}

/** What it signed for the swaps of others. */
function watcherCalls({ log }: Process): readonly string[] {
  return log
    .find({ eventType: 'TransactionPrepared' })
    .flatMap(({ stream }) => (stream.startsWith('watcher/') ? log.read(stream) : []))
    .flatMap(({ type, data }) =>
      type === 'TransactionPrepared' ? [(data as { readonly tx: { readonly tx_hash: string } }).tx.tx_hash] : [],
    );
}

function hashIn(data: unknown): string {
  const { tx_hash, transaction } = (data ?? {}) as {
    readonly tx_hash?: string;
    readonly transaction?: { readonly tx_hash?: string };
  };
  return tx_hash ?? transaction?.tx_hash ?? '';
}

/** The state of a swap by its log. */
type Standing = {
  readonly ending: MarketEnding;
  readonly outcome: string;
  readonly finished: boolean;
  readonly state: string;
};

function standingsOf({ process, endings }: Logged): readonly Standing[] {
  const labels = new Map(process.log.find({}).map(({ stream, labels }) => [stream, labels]));
  return endings.flatMap((ending) => {
    const uuid = process.told.find(({ index }) => index === ending.swap)?.request.uuid;
    const known = labels.get(`${ending.role}-swap/${uuid}`);
    if (known === undefined) return [];
    const { outcome = '', finished = false, state = '' } = known;
    return [{ ending, outcome, finished, state }];
  });
}

/** Checks what a log says about the ends of its swaps against the blocks. */
export function judgeEnd(world: MarketWorld, logged: Logged, report: Report): void {
  const { process } = logged;
  const { name } = process.party;
  const standings = standingsOf(logged);
  for (const { ending, outcome, finished, state } of standings) {
    const { swap, own } = ending;
    const say = (rule: MarketRule, text: string) => report({ rule, party: name, swap, text });
    if (!finished) say('M7', `the swap is unfinished, in state ${state}`);
    else if ((outcome === 'refunded' || outcome === 'failed-before-payment') && (own === 'taken' || own === 'open')) {
      say('M5', `the log says ${outcome}, the blocks say ${own}`);
    }
  }
  judgeCompleted(world, { name, standings }, report);
  if (standings.every(({ finished }) => finished) && !process.life.over) judgeFree(world, process, report);
}

type Completed = { readonly name: string; readonly standings: readonly Standing[] };

/** Whatever the log calls completed must have been received. */
function judgeCompleted(world: MarketWorld, { name, standings }: Completed, report: Report): void {
  const completed = standings.filter(({ outcome }) => outcome === 'completed').map(({ ending }) => ending);
  for (const [coin, chain] of world.chains) {
    const due = dueTo(world, completed, { coin, counts: () => true });
    const received = receivedBy(name, chain);
    if (received >= due) continue;
    const text = `the log says completed for ${due} base units of ${coin}, and ${received} came in`;
    report({ rule: 'M5', party: name, swap: null, text });
  }
}

/**
 * Nothing is in progress any more, so everything that a wallet holds must be free. The check asks its node once nothing is wrong with it any more.
 */
function judgeFree({ chains }: MarketWorld, { party, wallets }: Process, report: Report): void {
  for (const [coin, chain] of chains) {
    const { confirmed, pending } = chain.ledger.balance(party.name);
    const wallet = wallets.get(coin);
    wallet?.setFaults([]);
    const quote = wallet?.quote();
    if (confirmed !== pending || wallet === undefined || quote?.ok !== true) continue;
    const free = amountsOf(wallet.traits.decimals).parse(quote.value.spendable);
    if (free < confirmed) {
      const text = `${free} of ${confirmed} base units of ${coin} can be spent`;
      report({ rule: 'M9', party: party.name, swap: null, text });
    }
  }
}
