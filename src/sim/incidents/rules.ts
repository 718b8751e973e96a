import { checkMakerOffer, checkTakerReply, type NegotiationTerms } from '../../htlc/check-negotiation.ts';
import { lockDuration, makerPaymentLock, takerPaymentLock } from '../../htlc/lock-times.ts';
import { type NegotiationMessage, negotiationMessage } from '../../htlc/negotiation.ts';
import type { Answer, PaymentTerms, PreparedTransaction } from '../../ports/chain.ts';
import type { DecimalText } from '../../primitives/decimal.ts';
import type { Seconds, UnixSeconds } from '../../primitives/time.ts';
import { createSimChain } from '../chains/create.ts';
import type { SimChain, SimChainKind, SimWallet } from '../chains/types.ts';
import { EPOCH } from '../world/scenario.ts';
import { xorshift32 } from '../xorshift.ts';
import { firstOf, unless } from './records.ts';

// What can be shown without a swap.

const COINS = ['BTC', 'BCH', 'KMD', 'ETH', 'BTC-lightning'] as const;

/** Every duration that the shared function gives for some pair of coins and settings. */
function allDurations(): readonly Seconds[] {
  const found = new Set<Seconds>();
  for (const makerCoin of COINS) {
    for (const takerCoin of COINS) {
      for (const notarisationRequired of [true, false, undefined]) {
        found.add(lockDuration({ makerCoin, takerCoin, notarisationRequired }));
      }
    }
  }
  return [...found];
}

const KEY = `02${'11'.repeat(32)}`;

function termsWith(duration: Seconds): NegotiationTerms {
  const free = { kind: 'none' } as const;
  return {
    startedAt: EPOCH,
    lockDuration: duration,
    takerCoin: 'MARTY',
    contracts: { makerCoin: free, takerCoin: free },
    keys: { makerCoin: () => null, takerCoin: () => null },
  };
}

function messageWith(paymentLock: UnixSeconds): NegotiationMessage {
  return negotiationMessage({
    startedAt: EPOCH,
    paymentLock,
    secretHash: 'ab'.repeat(20),
    keys: { persistent: KEY, makerCoin: KEY, takerCoin: KEY },
    contracts: { makerCoin: null, takerCoin: null },
  });
}

/** Two sides agree exactly when both have the same duration; else each names both locks. */
export function disagreementIsRefused(): string | null {
  const durations = allDurations();
  if (durations.length < 3) return `the function gives only ${durations.length} durations`;
  for (const mine of durations) {
    for (const theirs of durations) {
      const ofMaker = makerPaymentLock(EPOCH, theirs);
      const ofTaker = takerPaymentLock(EPOCH, theirs);
      const offer = checkMakerOffer(messageWith(ofMaker), termsWith(mine));
      const reply = checkTakerReply(messageWith(ofTaker), termsWith(mine));
      const problem = firstOf(
        verdictProblem(offer, { equal: mine === theirs, said: ofMaker, expected: makerPaymentLock(EPOCH, mine) }),
        verdictProblem(reply, { equal: mine === theirs, said: ofTaker, expected: takerPaymentLock(EPOCH, mine) }),
      );
      if (problem !== null) return `${mine} s against ${theirs} s: ${problem}`;
    }
  }
  return null;
}

type Verdict = { readonly ok: true } | { readonly ok: false; readonly error: string };
type Locks = { readonly equal: boolean; readonly said: number; readonly expected: number };

function verdictProblem(verdict: Verdict, { equal, said, expected }: Locks): string | null {
  if (verdict.ok) return unless(equal, 'different locks were accepted');
  if (equal) return `equal locks were refused: ${verdict.error}`;
  const named = verdict.error.includes(String(said)) && verdict.error.includes(String(expected));
  return unless(named, `the text does not name both locks: ${verdict.error}`);
}

const KINDS: readonly SimChainKind[] = ['utxo', 'account', 'autoRefund'];
const LOCK_AFTER: Seconds = 3600;

/** At every block around a lock, a payment counts as refundable exactly when the chain accepts its refund. */
export function refundsWhenTheChainSays(kinds: readonly SimChainKind[] = KINDS): string | null {
  for (const kind of kinds) {
    for (const seed of [1, 2, 3]) {
      const problem = refundabilityProblem(kind, seed);
      if (problem !== null) return `${kind}, seed ${seed}: ${problem}`;
    }
  }
  return null;
}

type Scene = {
  readonly chain: SimChain;
  readonly sender: SimWallet;
  readonly terms: PaymentTerms;
  readonly payment: PreparedTransaction;
  /** Adds a block after this time. */
  readonly pass: (seconds: Seconds) => void;
};

function refundabilityProblem(kind: SimChainKind, seed: number): string | null {
  const scene = sceneOf(kind, seed);
  const rng = xorshift32(seed);
  let before = 0;
  for (let blocks = 0; blocks < 200; blocks += 1) {
    const { refundable, spend } = given(scene.sender.payment({ terms: scene.terms }));
    if (kind === 'autoRefund') {
      if (refundable !== (spend?.how === 'refund')) return `refundable says ${refundable} and the chain another thing`;
      if (refundable) return unless(before > 0, 'the payment was refundable at once');
    } else {
      const back = triedRefund(scene, refundable);
      if (back !== refundable) return `refundable says ${refundable} and the chain says ${back}`;
      if (back) return unless(before > 0, 'the payment was refundable at once');
    }
    before += 1;
    scene.pass(60 + rng.below(240));
  }
  return 'the payment never became refundable';
}

/** Whether the chain would accept the refund now; a contract decides only inside a block. */
function triedRefund({ chain, sender, terms, payment }: Scene, refundable: boolean): boolean {
  const { tx_hex, tx_hash } = payment;
  const funding = { tx_hex, tx_hash };
  // A separate process, so that reservations of an earlier trial do not interfere.
  const signer = chain.wallet({ party: sender.party });
  const made = given(signer.prepare({ purpose: 'refund', terms, funding, urgency: 0, replaces: null }));
  if (chain.kind === 'account' && !refundable) {
    // Included at the clock of this moment, it has no effect; the trial block is disconnected again.
    sender.broadcast(made);
    chain.mine({ time: (chain.clock() + 1) as UnixSeconds });
    const early = given(sender.transaction(made.tx_hash)).status === 'confirmed';
    chain.reorg({ depth: 1, drop: 'all', blocks: [{ include: 'none', time: (chain.clock() + 1) as UnixSeconds }] });
    return early;
  }
  const sent = sender.broadcast(made);
  if (!sent.ok) return false;
  chain.mine();
  return given(sender.payment({ terms })).spend?.how === 'refund';
}

function sceneOf(kind: SimChainKind, seed: number): Scene {
  let now: number = EPOCH;
  const chain = createSimChain(kind, {
    coin: 'DOC',
    now: () => now as UnixSeconds,
    rng: xorshift32(seed),
    blockTime: 120,
  });
  const sender = chain.wallet({ party: 'maker', funds: '10' as DecimalText });
  const receiver = chain.wallet({ party: 'taker', funds: '1' as DecimalText });
  const terms: PaymentTerms = {
    lock: (EPOCH + LOCK_AFTER) as UnixSeconds,
    secretHash: 'cd'.repeat(sender.traits.secretHashBytes),
    sender: sender.htlcKey('swap'),
    receiver: receiver.htlcKey('swap'),
    amount: '1' as DecimalText,
    contract: sender.traits.contract,
  };
  const payment = given(sender.prepare({ purpose: 'payment', terms, urgency: 0, replaces: null }));
  given(sender.broadcast(payment));
  const pass = (seconds: Seconds) => {
    now += seconds;
    chain.mine();
  };
  pass(30);
  return { chain, sender, terms, payment, pass };
}

function given<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new RangeError(`the chain answers ${answer.fault.kind}: ${answer.fault.message}`);
  return answer.value;
}

/** Whatever one wallet is asked for gets its own nonce, as long as it replaces nothing; all of it is included. */
export function oneNonceEach(): string | null {
  const { sender, terms, chain } = sceneOf('account', 1);
  const amount = '0.1' as DecimalText;
  const made = Array.from({ length: 8 }, (_, count) => {
    const lock = (terms.lock + count + 1) as UnixSeconds;
    return given(sender.prepare({ purpose: 'payment', terms: { ...terms, lock, amount }, urgency: 0, replaces: null }));
  });
  const slots = new Set(made.flatMap(({ spends }) => spends));
  if (slots.size !== made.length) return `${made.length} transactions take ${slots.size} nonces`;
  for (const transaction of made) given(sender.broadcast(transaction));
  chain.mine();
  const included = made.filter(({ tx_hash }) => given(sender.transaction(tx_hash)).status === 'confirmed');
  return unless(included.length === made.length, `${included.length} of ${made.length} transactions were included`);
}
