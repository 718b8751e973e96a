import { toldAmount } from '../../../machines/told-amount.ts';
import type { Role } from '../../events/catalog.ts';
import { toPlainDecimal } from '../../primitives/decimal.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import type { AuditReport } from '../audit/report.ts';
import type { AuditedPayment, AuditedSwap } from '../audit/swap-view.ts';
import type { LoggedTransaction } from '../audit/transactions.ts';

/** Something that both sides' logs say, each in its own form; null if a log does not say it. */
export type SideFact = {
  readonly fact: string;
  readonly maker: string | null;
  readonly taker: string | null;
  /** `differs` only where both say something; a ticker may differ between two nodes and be one coin. */
  readonly verdict: 'agrees' | 'differs' | 'oneSided';
  /** Which side the bytes of a transaction support, if the logs differ and their transactions show it. */
  readonly bornOut: Role | null;
};

/** One side's log with everything known about it. */
export type Side = { readonly view: AuditedSwap; readonly audit: AuditReport };

export type Sides = Readonly<Record<Role, Side>>;

const ROLES: readonly Role[] = ['maker', 'taker'];

/** The terms and the transactions of a swap, as each side's log has them. */
export function sideFacts(sides: Sides): readonly SideFact[] {
  return [...terms(sides), ...ROLES.flatMap((payer) => [...paymentFacts(payer, sides)]), ...transactions(sides)].filter(
    ({ maker, taker }) => maker !== null || taker !== null,
  );
}

/** Tickers are each node's own names of coins. */
export function isName({ fact }: SideFact): boolean {
  return / coin$/.test(fact);
}

function* terms({ maker, taker }: Sides): Generator<SideFact> {
  const told = (fact: string, of: (view: AuditedSwap) => string | undefined): SideFact =>
    factOf(fact, { maker: of(maker.view), taker: of(taker.view) });
  for (const role of ROLES) {
    yield told(`${role} coin`, ({ payments }) => payments[role].coin);
    yield told(`${role} amount`, ({ payments }) => amountIn(payments[role]));
  }
  yield told('lock duration (s)', ({ lockDuration }) => lockDuration?.toString());
  const [one, other] = [maker.view.secretHash, taker.view.secretHash];
  // One log may hold the hash of 20 bytes and the other that of 32, which are two of one secret.
  if (one?.length === other?.length) yield told('secret hash', ({ secretHash }) => hex(secretHash));
}

function amountIn({ amount }: AuditedPayment): string | undefined {
  return amount === undefined
    ? undefined
    : toPlainDecimal(toldAmount(amount))
        .replace(/(\.\d*?)0+$/, '$1')
        .replace(/\.$/, '');
}

function* paymentFacts(payer: Role, sides: Sides): Generator<SideFact> {
  const told = (fact: string, of: (payment: AuditedPayment) => string | undefined): SideFact => {
    const stated = factOf(fact, {
      maker: of(sides.maker.view.payments[payer]),
      taker: of(sides.taker.view.payments[payer]),
    });
    return stated.verdict === 'differs' ? { ...stated, bornOut: bornOut(payer, sides) } : stated;
  };
  yield told(`lock of the ${payer} payment`, ({ lockTime }) => lockTime?.toString());
  yield told(`sender's key of the ${payer} payment`, ({ senderKey }) => hex(senderKey));
  yield told(`receiver's key of the ${payer} payment`, ({ receiverKey }) => hex(receiverKey));
  yield told(`swap contract of the ${payer} payment`, ({ contract }) =>
    contract?.address.toLowerCase().replace(/^0x/, ''),
  );
}

const TERMS_IN_BYTES = ['payment-script', 'evm-swap-id', 'evm-terms'];

/** Whose terms the bytes of the payment fit: those of one side, and not those of the other. */
function bornOut(payer: Role, sides: Sides): Role | null {
  const fits = (role: Role): boolean | null => {
    const { view, audit } = sides[role];
    const seq = view.payments[payer].transaction?.seq;
    const made = audit.checks.filter((check) => check.seq === seq && TERMS_IN_BYTES.includes(check.check));
    if (made.some(({ status }) => status === 'violated')) return false;
    return made.some(({ status }) => status === 'verified') ? true : null;
  };
  const [maker, taker] = [fits('maker'), fits('taker')];
  if (maker === true && taker === false) return 'maker';
  return taker === true && maker === false ? 'taker' : null;
}

const USES = [
  ['taker fee', 'fee', null],
  ['maker payment', 'payment', 'maker'],
  ['taker payment', 'payment', 'taker'],
  ['claim of the taker payment', 'claim', 'taker'],
] as const;

/** Transactions that both sides see. What a side does with its own payment later, the other's log does not hold. */
function* transactions(sides: Sides): Generator<SideFact> {
  for (const [fact, kind, payer] of USES) {
    const made = (role: Role): LoggedTransaction | undefined =>
      sides[role].view.transactions.find(({ use, hash }) => {
        return hash !== '' && use.kind === kind && (use.kind === 'fee' || use.payer === payer);
      });
    const [maker, taker] = [made('maker'), made('taker')];
    const stated = factOf(fact, { maker: idOf(maker), taker: idOf(taker) });
    yield stated.verdict === 'differs' ? { ...stated, bornOut: bornOutByBytes(maker, taker) } : stated;
  }
}

function idOf(transaction: LoggedTransaction | undefined): string | undefined {
  return transaction?.hash.toLowerCase().replace(/^0x/, '');
}

function bornOutByBytes(maker: LoggedTransaction | undefined, taker: LoggedTransaction | undefined): Role | null {
  const [one, other] = [maker?.identity.status, taker?.identity.status];
  if (one === 'verified' && other === 'violated') return 'maker';
  return other === 'verified' && one === 'violated' ? 'taker' : null;
}

function factOf(fact: string, { maker, taker }: Readonly<Record<Role, string | undefined>>): SideFact {
  const isBoth = maker !== undefined && taker !== undefined;
  const verdict = !isBoth ? 'oneSided' : maker === taker ? 'agrees' : 'differs';
  return { fact, maker: maker ?? null, taker: taker ?? null, verdict, bornOut: null };
}

/** Keys are public, and so is the hash of the secret. */
function hex(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : bytesToHex(bytes);
}
