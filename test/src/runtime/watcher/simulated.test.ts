import { describe, expect, it } from 'vitest';
import { watch as watchSchema } from '../../../../src/events/watcher.ts';
import type { ScriptScheme } from '../../../../src/htlc/script.ts';
import type { PaymentTerms, PreparedTransaction } from '../../../../src/ports/chain.ts';
import type { NewRecord } from '../../../../src/ports/event-log.ts';
import type { WatcherMessage } from '../../../../src/ports/peers.ts';
import { hash160 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { addSeconds, millisOf, toMillis, type UnixSeconds } from '../../../../src/primitives/time.ts';
import { askChain } from '../../../../src/runtime/ask.ts';
import type { AskResult } from '../../../../src/runtime/command.ts';
import { DEFAULT_POLICY } from '../../../../src/runtime/policy.ts';
import { absorb, applyRecords, receive, recordsOf, sent } from '../../../../src/runtime/swap/runner.ts';
import { decideWatcher } from '../../../../src/runtime/watcher/decide.ts';
import { createWatcherRunner } from '../../../../src/runtime/watcher/runner.ts';
import { utxoTransactionId } from '../../../../src/runtime/watcher/terms.ts';
import { createSimChain } from '../../../../src/sim/chains/create.ts';
import type { Fidelity, SimChain, SimWallet } from '../../../../src/sim/chains/types.ts';
import { xorshift32 } from '../../../../src/sim/xorshift.ts';
import { got } from '../../sim/chains/scene.ts';
import { units } from '../../sim/chains/support.ts';

const START = 1_700_000_000;
const L = 7800;
const SECRET = '5a'.repeat(32);
const UUID = '0a1b2c3d-0000-4000-8000-000000000001';

/** The bytes of both chains; the legs differ in the last one. */
type Bytes = { readonly fidelity: Fidelity; readonly schemes: Readonly<Record<'maker' | 'taker', ScriptScheme>> };

const COMPACT: Bytes = { fidelity: 'compact', schemes: { maker: 'p2sh', taker: 'p2sh' } };
const REAL: Bytes = { fidelity: 'real', schemes: { maker: 'p2sh', taker: 'p2sh' } };
const CLAIM_BY_WITNESS: Bytes = { fidelity: 'real', schemes: { maker: 'p2wsh', taker: 'p2sh' } };
const REFUND_BY_WITNESS: Bytes = { fidelity: 'real', schemes: { maker: 'p2sh', taker: 'p2wsh' } };

type Side = {
  readonly chain: SimChain;
  readonly maker: SimWallet;
  readonly taker: SimWallet;
  readonly watcher: SimWallet;
};

type Swap = {
  readonly clock: { seconds: number };
  readonly makerSide: Side;
  readonly takerSide: Side;
  readonly makerTerms: PaymentTerms;
  readonly takerTerms: PaymentTerms;
  readonly takerPayment: PreparedTransaction;
  readonly watch: WatcherMessage;
  readonly idOf: (hex: string) => string;
  /** Topics of what the watcher sent. */
  readonly told: string[];
};

type SideOptions = { clock: { seconds: number }; fidelity: Fidelity; scheme: ScriptScheme };

function side(coin: string, { clock, fidelity, scheme }: SideOptions): Side {
  const now = () => clock.seconds as UnixSeconds;
  const chain = createSimChain('utxo', { coin, now, rng: xorshift32(1), fidelity, scheme });
  const [maker, taker] = ['maker', 'taker'].map((party) => chain.wallet({ party, funds: units('10') }));
  if (maker === undefined || taker === undefined) throw new Error('two wallets are made');
  return { chain, maker, taker, watcher: chain.wallet({ party: 'watcher' }) };
}

function mine({ clock, makerSide, takerSide }: Pick<Swap, 'clock' | 'makerSide' | 'takerSide'>, blocks: number): void {
  for (let left = blocks; left > 0; left -= 1) {
    clock.seconds += 60;
    makerSide.chain.mine();
    takerSide.chain.mine();
  }
}

function send(wallet: SimWallet, tx: PreparedTransaction): PreparedTransaction {
  got(wallet.broadcast(tx));
  return tx;
}

/** A swap whose two payments are confirmed, and what its taker tells watchers before it goes offline. */
function startedSwap({ fidelity, schemes }: Bytes): Swap {
  const clock = { seconds: START };
  const makerSide = side('DOC', { clock, fidelity, scheme: schemes.maker });
  const takerSide = side('MARTY', { clock, fidelity, scheme: schemes.taker });
  const secretHash = bytesToHex(hash160(hexToBytes(SECRET)));
  const start = START as UnixSeconds;
  const terms = (by: 'maker' | 'taker', { maker, taker }: Side): PaymentTerms => ({
    lock: addSeconds(start, by === 'maker' ? 2 * L : L),
    secretHash,
    sender: (by === 'maker' ? maker : taker).htlcKey(UUID),
    receiver: (by === 'maker' ? taker : maker).htlcKey(UUID),
    amount: units(by === 'maker' ? '1.5' : '3'),
    contract: null,
  });
  const makerTerms = terms('maker', makerSide);
  const takerTerms = terms('taker', takerSide);
  const first = { urgency: 0, replaces: null } as const;
  const { taker } = takerSide;
  const fee = send(taker, got(taker.prepare({ purpose: 'fee', feeSat: 5000n, burnSat: 0n, ...first })));
  const { maker } = makerSide;
  const makerPayment = send(maker, got(maker.prepare({ purpose: 'payment', terms: makerTerms, ...first })));
  mine({ clock, makerSide, takerSide }, 2);
  const takerPayment = send(taker, got(taker.prepare({ purpose: 'payment', terms: takerTerms, ...first })));
  mine({ clock, makerSide, takerSide }, 2);
  const claim = got(makerSide.taker.prepare({ purpose: 'claimPreimage', terms: makerTerms, funding: makerPayment }));
  const refund = got(taker.prepare({ purpose: 'refundPreimage', terms: takerTerms, funding: takerPayment }));
  const watch = watchSchema.parse({
    uuid: UUID,
    secret_hash: secretHash,
    maker_payment_spend_preimage: claim.tx_hex,
    taker_payment_refund_preimage: refund.tx_hex,
    swap_started_at: START,
    lock_duration: L,
    taker_coin: 'MARTY',
    taker_amount: takerTerms.amount,
    taker_fee_hash: fee.tx_hash,
    taker_payment_hash: takerPayment.tx_hash,
    taker_coin_start_block: 0,
    taker_payment_confirmations: 1,
    taker_payment_requires_nota: null,
    maker_coin: 'DOC',
    maker_amount: makerTerms.amount,
    maker_pub: takerTerms.receiver,
    taker_pub: takerTerms.sender,
    maker_payment_hash: makerPayment.tx_hash,
    maker_coin_start_block: 0,
  });
  const idOf = (hex: string) => (hex === refund.tx_hex ? refund.tx_hash : '');
  return { clock, makerSide, takerSide, makerTerms, takerTerms, takerPayment, watch, idOf, told: [] };
}

/** Runs the watcher against the simulated chains; it dies and comes back after every append. */
function watchToTheEnd(swap: Swap, happens: (seconds: number) => void = () => {}): readonly NewRecord[] {
  const { watch, makerSide, takerSide, clock, idOf } = swap;
  const traits = { maker: makerSide.watcher.traits, taker: takerSide.watcher.traits };
  const records: NewRecord[] = [];
  const fresh = () => {
    const runner = createWatcherRunner({ uuid: UUID, traits, policy: DEFAULT_POLICY, idOf });
    applyRecords(runner, records);
    receive(runner, { kind: 'watcher', watch });
    makerSide.watcher.restart();
    takerSide.watcher.restart();
    return runner;
  };
  let runner = fresh();
  for (let commands = 0; commands < 5000; commands += 1) {
    const now = toMillis(clock.seconds as UnixSeconds);
    const command = decideWatcher(runner, now);
    if (command.kind === 'done') return records;
    if (command.kind === 'append') {
      records.push(...recordsOf(runner, command.events, now));
      runner = fresh();
    } else if (command.kind === 'ask') {
      const wallet = command.leg === 'maker' ? makerSide.watcher : takerSide.watcher;
      absorb(runner, command, { result: askChain(wallet, command.question, runner) as AskResult, now });
    } else if (command.kind === 'send') {
      swap.told.push(command.topic);
      sent(runner as never, { message: command.message, now });
    } else {
      const until = millisOf(command.until);
      while (toMillis(clock.seconds as UnixSeconds) < until) {
        mine(swap, 1);
        happens(clock.seconds - START);
      }
    }
  }
  throw new Error('the watcher does not come to an end');
}

function reasonOf(records: readonly NewRecord[]): string | undefined {
  return (records.at(-1)?.data as { readonly reason?: string } | undefined)?.reason;
}

function once(at: number, act: () => void): (seconds: number) => void {
  let done = false;
  return (seconds) => {
    if (done || seconds < at) return;
    done = true;
    act();
  };
}

describe.each([
  ['compact bytes', COMPACT],
  ['real bytes', REAL],
  ['a maker payment that is claimed by witness', CLAIM_BY_WITNESS],
  ['a taker payment that is refunded by witness', REFUND_BY_WITNESS],
] as const)('a watcher on simulated chains with %s', (_, fidelity) => {
  const takeTakerPayment = ({ takerSide, takerTerms, takerPayment }: Swap) => {
    const request = { purpose: 'claim', terms: takerTerms, funding: takerPayment, secret: SECRET } as const;
    send(takerSide.maker, got(takerSide.maker.prepare({ ...request, urgency: 1, replaces: null })));
  };

  it('claims for a taker who is offline', () => {
    const swap = startedSwap(fidelity);
    const before = swap.makerSide.chain.ledger.balance('taker').confirmed;
    const records = watchToTheEnd(
      swap,
      once(3000, () => takeTakerPayment(swap)),
    );
    expect(reasonOf(records)).toBe('MakerPaymentSpent');
    expect(new Set(swap.told)).toEqual(new Set(['txhlp/DOC']));
    const { spend } = swap.makerSide.chain.ledger.payment(swap.makerTerms);
    expect(spend).toMatchObject({ how: 'secret', submittedBy: 'watcher' });
    expect(swap.makerSide.chain.ledger.balance('taker').confirmed).toBeGreaterThan(before + 149_000_000n);
  });

  it('refunds for a taker who is offline', () => {
    const swap = startedSwap(fidelity);
    const before = swap.takerSide.chain.ledger.balance('taker').confirmed;
    expect(reasonOf(watchToTheEnd(swap))).toBe('TakerPaymentRefunded');
    expect(new Set(swap.told)).toEqual(new Set(['txhlp/MARTY']));
    const { spend } = swap.takerSide.chain.ledger.payment(swap.takerTerms);
    expect(spend).toMatchObject({ how: 'refund', submittedBy: 'watcher' });
    expect(swap.takerSide.chain.ledger.balance('taker').confirmed).toBeGreaterThan(before + 299_000_000n);
  });

  it('leaves the claim to a taker who is back in time', () => {
    const swap = startedSwap(fidelity);
    const steps = [
      once(3000, () => takeTakerPayment(swap)),
      once(4000, () => {
        const { taker } = swap.makerSide;
        const preimage = swap.watch.maker_payment_spend_preimage;
        send(taker, got(taker.prepare({ purpose: 'completePreimage', preimage, secret: SECRET })));
      }),
    ];
    const records = watchToTheEnd(swap, (seconds) => {
      for (const step of steps) step(seconds);
    });
    expect(reasonOf(records)).toBe('MakerPaymentSpentByTaker');
    expect(records.map(({ type }) => type)).not.toContain('TransactionPrepared');
  });
});

describe('a taker of the real node, who reveals neither the amounts nor its key', () => {
  const asTold = (swap: Swap): Swap => ({
    ...swap,
    idOf: utxoTransactionId,
    watch: { ...swap.watch, taker_amount: null, maker_amount: null, taker_pub: null },
  });

  it('is still served: missing terms are read from the payments', () => {
    const claimed = asTold(startedSwap(REAL));
    const takes = once(3000, () => {
      const { maker } = claimed.takerSide;
      const { takerTerms: terms, takerPayment: funding } = claimed;
      const request = { purpose: 'claim', terms, funding, secret: SECRET, urgency: 1, replaces: null } as const;
      send(maker, got(maker.prepare(request)));
    });
    expect(reasonOf(watchToTheEnd(claimed, takes))).toBe('MakerPaymentSpent');
    expect(reasonOf(watchToTheEnd(asTold(startedSwap(REAL))))).toBe('TakerPaymentRefunded');
    expect(reasonOf(watchToTheEnd(asTold(startedSwap(REFUND_BY_WITNESS))))).toBe('TakerPaymentRefunded');
  });

  it('is not served if its payment is not locked under the terms of its message', () => {
    const swap = asTold(startedSwap(REAL));
    const watch = { ...swap.watch, taker_payment_hash: swap.watch.taker_fee_hash };
    const records = watchToTheEnd({ ...swap, watch });
    expect(reasonOf(records)).toBe('InvalidTakerPayment');
  });

  it('is served even if it asks only after its lock', () => {
    const swap = asTold(startedSwap(REAL));
    mine(swap, L / 60);
    expect(reasonOf(watchToTheEnd(swap))).toBe('TakerPaymentRefunded');
  });

  it('is not served for a fee that was older than a lock when its swap started', () => {
    const swap = startedSwap(REAL);
    const [funded] = swap.makerSide.chain.ledger.transactions('maker');
    const paid = (funded?.firstSeen ?? 0) + 60;
    const records = watchToTheEnd({ ...swap, watch: { ...swap.watch, swap_started_at: paid + L + 1 } as never });
    expect(records.at(-1)?.data).toMatchObject({ reason: 'InvalidTakerFee', error: expect.stringMatching(/^Old/) });
  });
});
