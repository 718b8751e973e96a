import type { JournalPayloads } from '../../events/journal.ts';
import { type DecimalText, toBigNumber } from '../../primitives/decimal.ts';
import type { SwapStatus } from '../../runtime/operate/status.ts';
import type { Runtime } from '../../runtime/operate/supervisor.ts';
import { GAS_LIMIT } from '../chains/account/transaction.ts';
import { keptForRefund, NONE_KEPT } from '../world/told/kept-for-refund.ts';
import type { Process, ProcessWorld, Told } from './process.ts';

/** What a user sees who looks at a node between two steps, checked against its log, its wallets and what went through its boundary. */
export function lookAt({ timeline, chains, rewards }: ProcessWorld, process: Process): void {
  const { runtime, life, told, untruths } = process;
  if (runtime === null || life.over) return;
  for (const text of [lockedProblem(runtime, { process, chains, rewards }), countsProblem(process)]) {
    if (text !== null) untruths.push({ rule: 'M11', swap: null, text });
  }
  for (const one of told) {
    const { uuid } = one.request;
    if (process.log.read(streamOf(one)).length === 0) continue;
    timeline.stirred = true;
    const seen = (status: SwapStatus | null): void => {
      const text = life.over ? null : statusProblem(process, one, status);
      if (text !== null) untruths.push({ rule: 'M11', swap: one.index, text });
    };
    // A log that does not answer.
    runtime.status(uuid).then(seen, () => {});
  }
}

function streamOf({ request }: Told): string {
  return `${request.role}-swap/${request.uuid}`;
}

type Stored = { readonly type: string; readonly data: unknown };

const purposeOf = ({ type, data }: Stored): string =>
  type === 'TransactionPrepared' ? (data as JournalPayloads['TransactionPrepared']).purpose : '';

/** Records that say that a payment may no longer be one. */
const MAY_HAVE_GONE = /^Transaction(Dropped|Reverted)$|Failed$|Refund|Recover|Void/;

/** The part of an amount that covers its trading fee, and the coins that cover the fee of a small one. */
const TRADING_FEE = 0.02;
const LEAST_FEE = 0.001;

/** The least and the most that one swap still takes of the coin that it gives. */
function takenBy(one: Told, records: readonly Stored[]): { readonly least: string; readonly most: string } {
  const { role, maker_amount, taker_amount } = one.request;
  const amount = role === 'maker' ? maker_amount : taker_amount;
  const started = records.find(({ type }) => type === 'Started');
  const nothing = { least: '0', most: '0' };
  if (started === undefined || records.some(({ type }) => type === 'Finished')) return nothing;
  const isSigned = records.some((record) => purposeOf(record) === 'payment');
  const hasGone = records.some(({ type }) => MAY_HAVE_GONE.test(type));
  return { least: isSigned || hasGone ? '0' : amount, most: isSigned && !hasGone ? '0' : amount };
}

/** Gas for which a reward pays. */
const REWARD_GAS = 70_000;

/**
 * What payment and refund cost on a chain that pays rewards, and what the payment of a watched swap may have to promise in addition, in coin units:
 * at the price of urgency 0, which the reward also covers.
 */
function keptBeside(
  { request: { maker_coin, taker_coin, use_watchers } }: Told,
  coin: string,
  { chains, rewards }: Pick<Holding, 'chains' | 'rewards'>,
): string {
  const reward = rewards.get(coin);
  if (reward === undefined) return '0';
  const isWatchable = [maker_coin, taker_coin].every((one) => rewards.has(one) || chains.get(one)?.kind === 'utxo');
  const gas = GAS_LIMIT.payment + GAS_LIMIT.refund + (use_watchers === true && isWatchable ? REWARD_GAS : 0);
  return toBigNumber(reward).times(gas).div(REWARD_GAS).toFixed();
}

/** Fees that the start of a swap assumed in a coin, and room for its trading fee, in coin units. */
function feesOf(one: Told, records: readonly Stored[], coin: string): number {
  const { role, taker_amount, taker_coin } = one.request;
  const started = (records.find(({ type }) => type === 'Started')?.data ?? {}) as Readonly<Record<string, unknown>>;
  let fees = role === 'taker' && coin === taker_coin ? Number(taker_amount) * TRADING_FEE + LEAST_FEE : 0;
  for (const fee of Object.values(started)) {
    const { coin: of, amount } = (fee ?? {}) as { readonly coin?: string; readonly amount?: string };
    if (of === coin && amount !== undefined) fees += Number(amount);
  }
  return fees;
}

type Holding = { readonly process: Process } & Pick<ProcessWorld, 'chains' | 'rewards'>;

/** What the swaps will still take from the wallets, if no append was lost on the way. */
function lockedProblem(runtime: Runtime, { process: { told, log, party }, chains, rewards }: Holding): string | null {
  if (party.storage.length > 0) return null;
  const locked = runtime.locked();
  for (const coin of Object.keys(party.funds)) {
    let least = toBigNumber('0' as DecimalText);
    let most = least;
    for (const one of told) {
      const { role, maker_coin, taker_coin } = one.request;
      const records = log.read(streamOf(one));
      const taken = takenBy(one, records);
      most = most.plus(feesOf(one, records, coin));
      if ((role === 'maker' ? maker_coin : taker_coin) !== coin) continue;
      // A party that does not know yet whether a reward is wanted reserves it with the payment.
      if (taken.least !== '0') least = least.plus(keptBeside(one, coin, { chains, rewards }));
      const kept = chains.get(coin)?.kind === 'account' ? keptForRefund(one.request.role, records) : NONE_KEPT;
      least = least.plus(taken.least).plus(kept.least);
      most = most.plus(taken.most).plus(kept.most);
    }
    const said = toBigNumber(locked.get(coin) ?? ('0' as DecimalText));
    if (said.gte(least) && said.lte(most)) continue;
    return `${said.toFixed()} ${coin} are told to be locked, where swaps will take ${least.toFixed()} to ${most.toFixed()}`;
  }
  return null;
}

/** Nothing leaves a process unless its engine decided so. */
function countsProblem({ counts: { asks, appends, sends, decided, appended } }: Process): string | null {
  if (decided.ask < asks / 64) return `${decided.ask} questions are counted, and ${asks} were asked`;
  if (decided.send !== sends) return `${decided.send} messages are counted, and ${sends} were sent`;
  if (appended > appends) return `${appended} appends are counted, and ${appends} were made`;
  return null;
}

const COIN_OF: Readonly<Record<string, 'own' | 'other' | 'taker'>> = {
  fee: 'taker',
  payment: 'own',
  claim: 'other',
  refund: 'own',
  void: 'own',
};

function statusProblem(process: Process, one: Told, status: SwapStatus | null): string | null {
  const { request } = one;
  if (status === null) return 'a swap of the log is told not to be there';
  if (status.error !== null || status.role === null) return null;
  const { role, maker_coin, taker_coin } = request;
  if (status.role !== role || status.stream !== streamOf(one)) return `a ${role}'s swap is told as ${status.stream}`;
  if (status.coins.maker !== maker_coin || status.coins.taker !== taker_coin) return 'its coins are told the wrong way';
  return transactionsProblem(process, one, status) ?? answerProblem(process, status) ?? retryProblem(status);
}

/** What a node says to be in progress is in the log, for the coin on which it is sent. */
function transactionsProblem({ log }: Process, one: Told, { transactions }: SwapStatus): string | null {
  const { role, maker_coin, taker_coin } = one.request;
  const [own, other] = role === 'maker' ? [maker_coin, taker_coin] : [taker_coin, maker_coin];
  const coins = { own, other, taker: taker_coin };
  const records = log.read(streamOf(one));
  for (const { purpose, coin, tx_hash } of transactions) {
    const due = coins[COIN_OF[purpose] ?? 'own'];
    if (coin !== due) return `a ${purpose} is told to be on ${coin} instead of ${due}`;
    const signed = records.some(
      (record) =>
        purposeOf(record) === purpose && (record.data as JournalPayloads['TransactionPrepared']).tx.tx_hash === tx_hash,
    );
    if (!signed) return `a ${purpose} ${tx_hash.slice(0, 12)} is told to be under way that nobody signed`;
  }
  return null;
}

/** A question that is to be asked again after a wait is due by then. */
function retryProblem({ waiting, faults }: SwapStatus): string | null {
  const [, op, kind] = /no useful answer to (\S+) \((\S+), \d+ in a row\)/.exec(waiting?.text ?? '') ?? [];
  const until = waiting?.until ?? null;
  if (op === undefined || until === null) return null;
  const due = faults.some((fault) => fault.op === op && fault.kind === kind && fault.nextTry <= until);
  return due ? null : `a wait is said to end with ${op} being asked again, which comes later`;
}

/** Answers faster than this many seconds explain no wait. */
const SLOW = 3;

/** How long a chain is said to take for an answer, if its nodes take a known time. */
function answerProblem({ party }: Process, { waiting, coins }: SwapStatus): string | null {
  const [, coin, seconds] = /answer of (\S+?), which takes some (\d+) s/.exec(waiting?.text ?? '') ?? [];
  if (coin === undefined) return null;
  // A host that sets its clock and reports no elapsed time cannot know how long anything took.
  if (party.jumps.length > 0 && !party.tellsElapsed) return null;
  const known = coin === coins.maker || coin === coins.taker;
  const [least, most] = party.latency[coin] ?? [0, 0];
  if (known && most >= SLOW && Number(seconds) >= least && Number(seconds) <= 2 * most + SLOW) return null;
  if (known && Number(seconds) < least)
    return `${coin} is said to take ${seconds} s to answer, and takes ${least} s at the least`;
  return `${coin} is said to take ${seconds} s to answer, and takes ${most} s at the most`;
}
