import { bytesToHex } from '../../../src/primitives/hex.ts';
import type { Leg, ToldTransaction } from './chain.ts';
import type { LedgerPayment, LegLedger } from './ledger.ts';
import { nameOf } from './ledger.ts';
import type { End, Fate, Scenario } from './scenario.ts';
import { LEGS } from './sides.ts';

/** What a run was about, and what the chains hold when it is over. */
export type Record = {
  readonly scenario: Scenario;
  /** Agreed, in base units. */
  readonly amounts: Readonly<globalThis.Record<Leg, bigint>>;
  /** What each wallet had when the swap began, by side and chain. */
  readonly had: Readonly<globalThis.Record<Leg, Readonly<globalThis.Record<Leg, bigint>>>>;
  readonly keys: Readonly<globalThis.Record<Leg, Uint8Array>>;
  /** When the swap began, in seconds since 1970. */
  readonly startedAt: number;
  readonly ledgers: Readonly<globalThis.Record<Leg, LegLedger>>;
  readonly scripts: Readonly<globalThis.Record<Leg, Readonly<globalThis.Record<Leg, string>>>>;
  /** Of each wallet, by side and chain, what the node itself counts; null where it does not. */
  readonly counted: Readonly<globalThis.Record<Leg, Readonly<globalThis.Record<Leg, bigint | null>>>>;
  readonly waiting: Readonly<globalThis.Record<Leg, readonly ToldTransaction[]>>;
  /** Confirmations of the payment before, when each was first seen; null where it was not. */
  readonly seenAt: { readonly takerPayment: number | null; readonly makersClaim: number | null };
};

export const LOCK_DURATION = 7800;
/** Confirmations that are agreed on. */
export const CONFIRMATIONS: Readonly<globalThis.Record<Leg, number>> = { maker: 2, taker: 1 };
/** From the start of a swap to its lock times, at most. */
const SLACK = 120;
/** What one transaction may cost where fees are usual: some steps above the day's rate. */
const USUAL_COST = 60_000n;
/** The same where nothing has to be hurried: no transaction of a swap is as large as this at the day's rate of any chain here. */
const CALM_COST = 5000n;
/** A part of the amount that a fee never exceeds. */
const DEAR_SHARE = 10n;
/** A fee, a payment and its refund, or a claim. */
const MOST_TRANSACTIONS = 3;

export function fateOf({ payments }: LegLedger): Fate {
  const [payment] = payments;
  if (payment === undefined) return 'none';
  return payment.spend?.how ?? 'left';
}

export function endOf(ledgers: Record['ledgers']): End {
  return { maker: fateOf(ledgers.maker), taker: fateOf(ledgers.taker), fee: ledgers.taker.fees.length > 0 };
}

/** What is not as the rules say; empty when all is. */
export function judge(record: Record): readonly string[] {
  return [...ends(record), ...counts(record), ...payments(record), ...balances(record), ...order(record)];
}

function ends({ scenario, ledgers }: Record): readonly string[] {
  const found = endOf(ledgers);
  const isOne = scenario.ends.some(
    ({ maker, taker, fee }) => maker === found.maker && taker === found.taker && fee === found.fee,
  );
  return isOne ? [] : [`it ended as ${JSON.stringify(found)}, and not as ${JSON.stringify(scenario.ends)}`];
}

function counts({ ledgers, waiting }: Record): readonly string[] {
  const all = LEGS.flatMap((leg) => {
    const { payments: paid } = ledgers[leg];
    return [
      ...(paid.length > 1 ? [`${paid.length} payments of the ${leg}`] : []),
      ...(waiting[leg].length > 0 ? [`${waiting[leg].length} transactions of the ${leg} coin still wait`] : []),
    ];
  });
  const { maker, taker } = ledgers;
  if (taker.fees.length > 1) all.push(`${taker.fees.length} trading fees`);
  if (maker.fees.length > 0) all.push('a trading fee of the maker coin');
  return all;
}

function payments(record: Record): readonly string[] {
  const { scenario, ledgers } = record;
  const secrets = LEGS.flatMap((leg) => ledgers[leg].payments.flatMap(({ spend }) => spend?.secret ?? []));
  const several = new Set(secrets).size > 1 ? ['the two claims show different secrets'] : [];
  const all = LEGS.flatMap((leg) =>
    scenario.cheats?.side === leg
      ? []
      : ledgers[leg].payments.flatMap((payment) => paymentOf(leg, { record, payment })),
  );
  const fee = record.amounts.taker / 777n;
  const fees = scenario.cheats?.with === 'fee' ? [] : ledgers.taker.fees.filter((value) => value !== fee);
  return [...several, ...all, ...fees.map((value) => `a trading fee of ${value} in the place of ${fee}`)];
}

type Paid = { readonly record: Record; readonly payment: LedgerPayment };

function paymentOf(leg: Leg, { record, payment }: Paid): readonly string[] {
  const { amounts, keys, scripts, startedAt } = record;
  const found: string[] = [];
  const other: Leg = leg === 'maker' ? 'taker' : 'maker';
  const wrong = (what: string): void => void found.push(`the payment of the ${leg} ${what}`);
  if (payment.value !== amounts[leg]) wrong(`is ${payment.value} in the place of ${amounts[leg]}`);
  const { spend } = payment;
  if (spend === null) return found;
  const { terms } = spend;
  const lock = startedAt + (leg === 'maker' ? 2 : 1) * LOCK_DURATION;
  if (terms.lock < lock || terms.lock > lock + SLACK) wrong(`is locked until ${terms.lock} in the place of ${lock}`);
  if (terms.sender !== bytesToHex(keys[leg])) wrong('goes back to somebody else');
  if (terms.receiver !== bytesToHex(keys[other])) wrong('is for somebody else');
  if (terms.secretHash !== payment.named) wrong('names another secret hash than its script');
  if (spend.secret !== null && nameOf(spend.secret) !== payment.named) wrong('names the hash of another secret');
  const owner = spend.how === 'claimed' ? other : leg;
  if (spend.to !== scripts[owner][leg]) wrong(`is ${spend.how} to another wallet`);
  return found;
}

/** Each wallet has what it had, with what it gave and got, less what its transactions left to miners, to the last base unit. */
function balances(record: Record): readonly string[] {
  const { scenario, ledgers, amounts, had, scripts, counted } = record;
  const found: string[] = [];
  const dear = scenario.path === 'fee spike';
  for (const side of LEGS) {
    for (const leg of LEGS) {
      const script = scripts[side][leg];
      const what = `the ${side}'s balance of the ${leg} coin`;
      const { sum, transactions, most } = ledgers[leg].costs(script);
      const bound = dear ? amounts[leg] / DEAR_SHARE : scenario.path === 'success' ? CALM_COST : USUAL_COST;
      if (most > bound) found.push(`${what}: a fee of ${most}`);
      // What brings coins home costs no more together than it might alone, however many children it takes.
      if (dear && side !== leg && sum > bound) found.push(`${what}: fees of ${sum}`);
      if (!dear && transactions > MOST_TRANSACTIONS) found.push(`${what}: ${transactions} transactions`);
      const has = ledgers[leg].balance(script);
      const told = counted[side][leg];
      if (told !== null && told !== has) found.push(`${what}: the node counts ${told}, the blocks ${has}`);
      if (scenario.cheats?.side === side) continue;
      const due = had[side][leg] + changeOf(side, { leg, fate: fateOf(ledgers[leg]), amount: amounts[leg] }) - sum;
      const fees = side === 'taker' && leg === 'taker' && ledgers.taker.fees.length > 0 ? amounts.taker / 777n : 0n;
      const paid = scenario.cheats?.with === 'fee' ? 0n : fees;
      if (has !== due - paid) found.push(`${what} is ${has} and not ${due - paid}`);
    }
  }
  return found;
}

type Change = { readonly leg: Leg; readonly fate: Fate; readonly amount: bigint };

function changeOf(side: Leg, { leg, fate, amount }: Change): bigint {
  if (side === leg) return fate === 'claimed' || fate === 'left' ? -amount : 0n;
  return fate === 'claimed' ? amount : 0n;
}

/** Nobody pays, or shows the secret, before the payment of the other side is as deep as was agreed. */
function order({ scenario, seenAt }: Record): readonly string[] {
  const taken = scenario.steps.some(({ deeds }) => deeds.some((deed) => deed.do === 'reorg'));
  if (taken) return [];
  const found: string[] = [];
  const { takerPayment, makersClaim } = seenAt;
  if (takerPayment !== null && takerPayment < CONFIRMATIONS.maker)
    found.push(`the taker paid at ${takerPayment} confirmations of the maker's payment`);
  if (makersClaim !== null && makersClaim < CONFIRMATIONS.taker)
    found.push(`the maker took at ${makersClaim} confirmations of the taker's payment`);
  return found;
}
