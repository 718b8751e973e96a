import type { Costs, Leg, ToldTransaction } from './chain.ts';
import type { LedgerPayment, LegLedger } from './ledger.ts';
import { nameOf } from './ledger.ts';
import type { End, Fate, Scenario } from './scenario.ts';
import { LEGS } from './sides.ts';

/** What a run was about, and what the chains hold when it is over. */
export type Record = {
  readonly scenario: Scenario;
  /** Agreed, in base units, by swap. */
  readonly amounts: Readonly<globalThis.Record<Leg, readonly bigint[]>>;
  /** What each wallet had when the swap began, by side and chain. */
  readonly had: Readonly<globalThis.Record<Leg, Readonly<globalThis.Record<Leg, bigint>>>>;
  /** By chain and side, how payments name them. */
  readonly names: Readonly<globalThis.Record<Leg, Readonly<globalThis.Record<Leg, string>>>>;
  /** What transactions cost, where it is not what those of chains of outputs do. */
  readonly costs: Readonly<globalThis.Record<Leg, Costs | null>>;
  /** When the swap began, in seconds since 1970. */
  readonly startedAt: number;
  readonly ledgers: Readonly<globalThis.Record<Leg, LegLedger>>;
  readonly scripts: Readonly<globalThis.Record<Leg, Readonly<globalThis.Record<Leg, string>>>>;
  /** Of each wallet, by side and chain, what the node itself counts; null where it does not. */
  readonly counted: Readonly<globalThis.Record<Leg, Readonly<globalThis.Record<Leg, bigint | null>>>>;
  readonly waiting: Readonly<globalThis.Record<Leg, readonly ToldTransaction[]>>;
  /** Of whoever watches, on chains whose own coin is traded and that pay for it, what it had and has; null elsewhere. */
  readonly watcher: Readonly<globalThis.Record<Leg, Watching | null>>;
  /** Secrets that any transaction of the taker coin has shown, whatever became of it, in hex. */
  readonly shown: ReadonlySet<string>;
  /** Confirmations of the payment before, when each was first seen; null where it was not. */
  readonly seenAt: { readonly takerPayment: number | null; readonly makersClaim: number | null };
};

export type Watching = { readonly script: string; readonly had: bigint; readonly has: bigint };

export const LOCK_DURATION = 7800;
/** Confirmations that are agreed on. */
export const CONFIRMATIONS: Readonly<globalThis.Record<Leg, number>> = { maker: 2, taker: 1 };
/** From the start of a swap to its lock times, at most. */
const SLACK = 120;
const USUAL_COSTS: Omit<Costs, 'dear'> = {
  // Some steps above the day's rate.
  usual: 60_000n,
  // No transaction of a swap is as large as this at the day's rate of any chain of outputs here.
  calm: 5000n,
  // A fee, a payment and its refund, or a claim.
  transactions: 3,
};
/** A part of the amount that a fee never exceeds. */
const DEAR_SHARE = 10n;

/** What became of the payments of so many swaps. */
export function fateOf({ payments }: LegLedger, { swaps = 1 }: Pick<Scenario, 'swaps'>): Fate {
  if (payments.length === 0) return 'none';
  const fates = new Set(payments.map(({ spend }) => spend?.how ?? 'left'));
  const [fate = 'none', other] = fates;
  return other === undefined && payments.length >= swaps ? fate : 'mixed';
}

export function endOf({ scenario, ledgers }: Pick<Record, 'scenario' | 'ledgers'>): End {
  return {
    maker: fateOf(ledgers.maker, scenario),
    taker: fateOf(ledgers.taker, scenario),
    fee: ledgers.taker.fees.length > 0,
  };
}

/** What is not as the rules say; empty when all is. */
export function judge(record: Record): readonly string[] {
  return [
    ...ends(record),
    ...counts(record),
    ...payments(record),
    ...secrets(record),
    ...balances(record),
    ...watched(record),
    ...order(record),
  ];
}

function ends({ scenario, ledgers }: Record): readonly string[] {
  const found = endOf({ scenario, ledgers });
  const isOne = scenario.ends.some(
    ({ maker, taker, fee }) => maker === found.maker && taker === found.taker && fee === found.fee,
  );
  return isOne ? [] : [`it ended as ${JSON.stringify(found)}, and not as ${JSON.stringify(scenario.ends)}`];
}

function counts({ scenario, ledgers, waiting }: Record): readonly string[] {
  const { swaps = 1 } = scenario;
  const all = LEGS.flatMap((leg) => {
    const { payments: paid } = ledgers[leg];
    return [
      ...ledgers[leg].strays,
      ...(paid.length > swaps ? [`${paid.length} payments of the ${leg}`] : []),
      ...(waiting[leg].length > 0 ? [`${waiting[leg].length} transactions of the ${leg} coin still wait`] : []),
    ];
  });
  const { maker, taker } = ledgers;
  if (taker.fees.length > swaps) all.push(`${taker.fees.length} trading fees`);
  if (maker.fees.length > 0) all.push('a trading fee of the maker coin');
  return all;
}

function payments(record: Record): readonly string[] {
  const { scenario, ledgers } = record;
  const secrets = LEGS.flatMap((leg) => ledgers[leg].payments.flatMap(({ spend }) => spend?.secret ?? []));
  const { swaps = 1 } = scenario;
  const several = new Set(secrets).size > swaps ? ['the two claims of a swap show different secrets'] : [];
  const all = LEGS.flatMap((leg) =>
    scenario.cheats?.side === leg
      ? []
      : ledgers[leg].payments.flatMap((payment) => paymentOf(leg, { record, payment })),
  );
  const values = LEGS.flatMap((leg) =>
    scenario.cheats?.side === leg
      ? []
      : beyond(
          ledgers[leg].payments.map(({ value }) => value),
          record.amounts[leg],
        ).map((value) => `a payment of the ${leg} is ${value}, and ${record.amounts[leg]} were agreed`),
  );
  const due = record.amounts.taker.map((amount) => amount / 777n);
  const fees = scenario.cheats?.with === 'fee' ? [] : beyond(ledgers.taker.fees, due);
  return [...several, ...all, ...values, ...fees.map((value) => `a trading fee of ${value} in the place of ${due}`)];
}

/** A secret with which the maker's payment can be claimed is only out where the maker got the taker's for it. */
function secrets({ scenario, ledgers, shown }: Record): readonly string[] {
  if (scenario.cheats?.side === 'maker') return [];
  const got = new Set(ledgers.taker.payments.flatMap(({ named, spend }) => (spend?.how === 'claimed' ? [named] : [])));
  const out = [...shown].map(nameOf).filter((named) => !got.has(named));
  return ledgers.maker.payments
    .filter(({ named }) => out.includes(named))
    .map(({ named }) => `the secret of ${named} is out, and the maker has not got the payment of the taker`);
}

/** Those that no agreed value stands for, each of which stands for one. */
function beyond(values: readonly bigint[], agreed: readonly bigint[]): readonly bigint[] {
  const left = [...agreed];
  return values.filter((value) => {
    const place = left.indexOf(value);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}

type Paid = { readonly record: Record; readonly payment: LedgerPayment };

function paymentOf(leg: Leg, { record, payment }: Paid): readonly string[] {
  const { names, scripts, startedAt } = record;
  const found: string[] = [];
  const other: Leg = leg === 'maker' ? 'taker' : 'maker';
  const wrong = (what: string): void => void found.push(`the payment of the ${leg} ${what}`);
  const { spend } = payment;
  if (spend === null) return found;
  const { terms } = spend;
  const lock = startedAt + (leg === 'maker' ? 2 : 1) * LOCK_DURATION;
  if (terms.lock < lock || terms.lock > lock + SLACK) wrong(`is locked until ${terms.lock} in the place of ${lock}`);
  if (terms.sender !== names[leg][leg]) wrong('goes back to somebody else');
  if (terms.receiver !== names[leg][other]) wrong('is for somebody else');
  if (terms.secretHash !== payment.named) wrong('names another secret hash than its script');
  if (spend.secret !== null && nameOf(spend.secret) !== payment.named) wrong('names the hash of another secret');
  const owner = spend.how === 'claimed' ? other : leg;
  if (spend.to !== scripts[owner][leg]) wrong(`is ${spend.how} to another wallet`);
  return found;
}

/** Each wallet has what it had, with what it gave and got, less what its transactions left to miners, to the last base unit. */
function balances(record: Record): readonly string[] {
  const { scenario, ledgers, amounts, had, scripts, counted, costs } = record;
  const found: string[] = [];
  const dear = scenario.path === 'fee spike';
  const { swaps = 1 } = scenario;
  const agreed = { maker: sum(amounts.maker), taker: sum(amounts.taker) };
  const tradingFees = sum(amounts.taker.map((amount) => amount / 777n));
  for (const side of LEGS) {
    for (const leg of LEGS) {
      const script = scripts[side][leg];
      const what = `the ${side}'s balance of the ${leg} coin`;
      const { sum: cost, transactions, most } = ledgers[leg].costs(script);
      const usual = costs[leg] ?? { ...USUAL_COSTS, dear: agreed[leg] / DEAR_SHARE };
      const bound = dear ? usual.dear : scenario.path === 'success' ? usual.calm : usual.usual;
      if (most > bound) found.push(`${what}: a fee of ${most}`);
      // What brings coins home costs no more together than it might alone, however many children it takes.
      if (dear && side !== leg && cost > bound) found.push(`${what}: fees of ${cost}`);
      if (!dear && transactions > usual.transactions * swaps + (scenario.inVain ?? 0))
        found.push(`${what}: ${transactions} transactions`);
      const has = ledgers[leg].balance(script);
      const told = counted[side][leg];
      if (told !== null && told !== has) found.push(`${what}: the node counts ${told}, the blocks ${has}`);
      if (scenario.cheats?.side === side) continue;
      const due =
        had[side][leg] + changeOf(side, { leg, fate: fateOf(ledgers[leg], scenario), amount: agreed[leg] }) - cost;
      const fees = side === 'taker' && leg === 'taker' && ledgers.taker.fees.length > 0 ? tradingFees : 0n;
      const paid = (scenario.cheats?.with === 'fee' ? 0n : fees) - (ledgers[leg].rewards?.(script) ?? 0n);
      if (has !== due - paid) found.push(`${what} is ${has} and not ${due - paid}`);
    }
  }
  return found;
}

/** Whoever watches has what rewards pay it, less its gas, to the base unit. */
function watched({ watcher, ledgers }: Record): readonly string[] {
  return LEGS.flatMap((leg): readonly string[] => {
    const watching = watcher[leg];
    if (watching === null) return [];
    const { script, had, has } = watching;
    const due = had - ledgers[leg].costs(script).sum + (ledgers[leg].rewards?.(script) ?? 0n);
    return has === due ? [] : [`the watcher's balance of the ${leg} coin is ${has} and not ${due}`];
  });
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
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
