import { decodeSavedSwap } from '../../src/events/saved-swap.ts';
import { isJsonObject, type JsonObject } from '../../src/primitives/json.ts';
import { auditSwap } from '../../src/replay/audit/audit-swap.ts';
import type { SingleChange } from '../../src/testing/drawn/mutations.ts';

type Facts = {
  readonly role: 'taker' | 'maker';
  /** Event type of the change; the empty text beside the events. */
  readonly event: string;
  readonly kind: string;
  /** Last step of the path that is a name. */
  readonly member: string;
  readonly path: string;
  readonly isLast: boolean;
  /** Whether the audit verified the scripts of the payments of these parties. */
  readonly bound: { readonly maker: boolean; readonly taker: boolean };
  readonly feeVerified: boolean;
  readonly started: JsonObject;
  readonly negotiated: JsonObject;
  readonly start: number;
  readonly headHasTerms: boolean;
  /** Whether the transaction of the event moves KMD. */
  readonly isKmd: boolean;
};

/** The documented limit by which a change goes unnoticed; undefined where there is none. */
export function limitOf(swap: JsonObject, change: SingleChange): string | undefined {
  const facts = factsOf(swap, change);
  return LIMITS.find(([, applies]) => applies(facts))?.[0];
}

function factsOf(swap: JsonObject, { kind, seq, path }: SingleChange): Facts {
  const log = decodeSavedSwap(swap);
  const { checks } = auditSwap(log);
  const dataOf = (type: string) => {
    const data = log.events.find((event) => event.type === type)?.data;
    return isJsonObject(data) ? data : {};
  };
  const scriptVerified = (payer: 'Maker' | 'Taker') => {
    const at = log.events.findIndex(({ type }) => type === `${payer}PaymentSent` || type === `${payer}PaymentReceived`);
    return checks.some((check) => check.check === 'payment-script' && check.status === 'verified' && check.seq === at);
  };
  const started = dataOf('Started');
  return {
    role: log.role,
    event: seq === null ? '' : (log.events[seq]?.type ?? ''),
    kind,
    member: path.split('/').findLast((step) => /[a-z]/.test(step)) ?? '',
    path,
    isLast: seq === log.events.length - 1,
    bound: { maker: scriptVerified('Maker'), taker: scriptVerified('Taker') },
    feeVerified: checks.some(({ check, status }) => check === 'dex-fee' && status === 'verified'),
    started,
    negotiated: dataOf('Negotiated'),
    start: Number(started['started_at'] ?? 0),
    headHasTerms: log.head.maker_amount !== null,
    isKmd: seq !== null && JSON.stringify(log.events[seq]?.data ?? null).includes('"coin":"KMD"'),
  };
}

/** Events without which, or twice with which, some legal order remains. */
const OPTIONAL = [
  'TakerPaymentInstructionsReceived',
  'MakerPaymentInstructionsReceived',
  'MakerPaymentWaitConfirmStarted',
  'TakerPaymentWaitConfirmStarted',
  'TakerPaymentSpendConfirmStarted',
  'TakerPaymentWaitRefundStarted',
  'MakerPaymentWaitRefundStarted',
  'TakerPaymentRefundStarted',
  'TakerPaymentRefundFinished',
  'MakerPaymentSpendConfirmed',
  'MakerPaymentValidatedAndConfirmed',
  'TakerPaymentSpent',
];

const isZero = (value: unknown) => typeof value !== 'string' || /^0*$/.test(value);
const ON_ONE_CURVE_SINCE = 1_564_617_600;

function isPeerHidden({ role, negotiated, start }: Facts): boolean {
  return isZero(negotiated[role === 'taker' ? 'maker_pubkey' : 'taker_pubkey']) || start < ON_ONE_CURVE_SINCE;
}

/** Whether nothing of the log is bound to a member of Started or Negotiated. */
function isUnbound({ member, bound, feeVerified, headHasTerms }: Facts): boolean {
  const none = !bound.maker && !bound.taker;
  switch (member) {
    case 'maker_coin_htlc_pubkey':
    case 'maker_amount':
      return !bound.maker;
    case 'taker_coin_htlc_pubkey':
      return !bound.taker;
    case 'taker_amount':
      return !bound.taker && !feeVerified;
    case 'maker_coin':
    case 'taker_coin':
      return !headHasTerms;
    case 'secret_hash':
    case 'maker_pubkey':
    case 'taker_pubkey':
    case 'my_persistent_pub':
      return none;
    default:
      return false;
  }
}

const CHAIN_POSITION = /\/data\/(?:transaction\/)?(?:block_height|timestamp)$/;

/** The limits of `auditLimits` as conditions, of which the first that holds counts. */
const LIMITS: readonly (readonly [string, (facts: Facts) => boolean])[] = [
  ['last-event', ({ kind, isLast }) => kind === 'drop' && isLast],
  ['watcher-message', ({ kind, event }) => kind === 'drop' && event === 'WatcherMessageSent'],
  ['other-legal-order', ({ kind, event }) => (kind === 'drop' || kind === 'duplicate') && OPTIONAL.includes(event)],
  ['moment-of-event', ({ kind, path }) => kind === 'timestamp' && /^\/events\/\d+\/timestamp$/.test(path)],
  ['chain-position', ({ path }) => CHAIN_POSITION.test(path)],
  [
    'komodo-interest',
    ({ kind, path, isKmd }) => kind === 'amountDigit' && isKmd && /\/(?:fee_details\/amount|total_amount)$/.test(path),
  ],
  ['estimates', ({ kind, event, path }) => event === 'Started' && kind !== 'time' && /_fee\/[a-z_]+$/.test(path)],
  ['settings', ({ event, member }) => event === 'Started' && /_(?:confirmations|nota|start_block)$/.test(member)],
  ['free-text', ({ event, member }) => member === 'error' || (event === '' && /^(?:gui|mm_version)$/.test(member))],
  ['prices', ({ event, member }) => event === '' && member.endsWith('_usd_price')],
  ['maker-order', ({ role, member }) => role === 'maker' && member === 'my_order_uuid'],
  ['dated-flag', ({ event, member, start }) => event === '' && member === 'recoverable' && start < 1_727_740_800],
  [
    'own-identity',
    ({ event, member, started }) =>
      event === 'Started' && member === 'my_persistent_pub' && !isZero(started['maker_coin_htlc_pubkey']),
  ],
  [
    'peer-identity',
    (facts) => facts.event === 'Started' && /^(?:maker|taker)$/.test(facts.member) && isPeerHidden(facts),
  ],
  ['contract-not-negotiated', ({ event, member }) => event === 'Started' && member.endsWith('_swap_contract_address')],
  [
    'secret-without-hash',
    ({ event, member, started }) => event === 'Started' && member === 'secret' && isZero(started['secret_hash']),
  ],
  ['clock-tolerance', ({ kind, member, bound, role }) => kind === 'time' && isWithinTolerance(member, { bound, role })],
  ['watcher-signature', ({ event }) => event === 'WatcherMessageSent'],
  ['no-payment-yet', (facts) => ['Started', 'Negotiated'].includes(facts.event) && isUnbound(facts)],
  [
    'unseen-digit',
    ({ kind, event, member }) => kind === 'amountDigit' && event === 'Started' && member.endsWith('_amount'),
  ],
];

function isWithinTolerance(member: string, { bound }: Pick<Facts, 'bound' | 'role'>): boolean {
  if (member === 'maker_payment_locktime' || member === 'maker_payment_lock') return !bound.maker;
  if (member === 'taker_payment_locktime' || member === 'taker_payment_lock') return !bound.taker;
  return member === 'started_at' || member === 'lock_duration';
}
