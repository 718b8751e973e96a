import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makerSwap } from '../../../../machines/maker-swap/definition.ts';
import { takerSwap } from '../../../../machines/taker-swap/definition.ts';
import type { Role } from '../../../../src/events/catalog.ts';
import { encodeSavedSwap, savedSwapText } from '../../../../src/events/encode.ts';
import { decodeSavedSwap, type SwapLog } from '../../../../src/events/saved-swap.ts';
import { checkDexFee } from '../../../../src/htlc/dex-fee.ts';
import { completeSpendPreimage, parseHtlcInput } from '../../../../src/htlc/htlc-input.ts';
import { makerPaymentWaitRule } from '../../../../src/htlc/lock-times.ts';
import { opReturnData, p2shScript } from '../../../../src/htlc/script.ts';
import { secretHashMatches } from '../../../../src/htlc/secret-hash.ts';
import { FINAL_SEQUENCE, LOCKED_SEQUENCE } from '../../../../src/htlc/transaction.ts';
import { identifyTransaction } from '../../../../src/htlc/transaction-id.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { sha256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { canonicalJson } from '../../../../src/primitives/json.ts';
import { unixSecondsOf } from '../../../../src/primitives/time.ts';
import { compile } from '../../../../src/replay/compile.ts';
import { fold } from '../../../../src/replay/fold.ts';
import { swapLog, swapTermsOptions } from '../../../../src/testing/drawn/logs.ts';
import { STORED_ORIGINS, simplePaths } from '../../../../src/testing/drawn/paths.ts';
import { buildSwap, buildSwapPair, successPath } from '../../../../src/testing/logs/swap-builder.ts';
import { draws, oneIn } from '../../../support/draws.ts';
import { dataOf, decoded, paymentsOf, transactionOf, transactionsOf } from '../terms-of-log.ts';

const compiled = { taker: compile(takerSwap), maker: compile(makerSwap) };
const ROLES: readonly Role[] = ['taker', 'maker'];

/** Of each property. */
const numRuns = draws({ sample: 15, change: 50, release: 100 });

function foldStrictly({ role, events }: SwapLog): string {
  const list = events as never[];
  return role === 'taker' ? fold(compiled.taker, list).state : fold(compiled.maker, list).state;
}

const noAnomaliesAndSorted = (log: SwapLog) => {
  expect(log.anomalies).toEqual([]);
  const times = log.events.map(({ at }) => at);
  expect(times).toEqual([...times].sort((left, right) => left - right));
};

describe.each(ROLES)('a built %s swap', (role) => {
  it('folds legally to the end on every simple path of a stored log, and survives both written forms', () => {
    const { graph } = role === 'taker' ? takerSwap : makerSwap;
    let seed = 0;
    for (const { events, states } of oneIn(29, [...simplePaths(graph, { origins: STORED_ORIGINS })])) {
      const log = buildSwap({ role, path: events, seed: seed++ });
      expect(foldStrictly(log)).toBe(states.at(-1));
      noAnomaliesAndSorted(log);
      expect(log.events.map(({ type }) => type)).toEqual(events);
      expect(log.events.every(({ known }) => known)).toBe(true);
      const kdf = encodeSavedSwap(log, 'kdf');
      expect(decodeSavedSwap(kdf)).toEqual(log);
      expect(encodeSavedSwap(decodeSavedSwap(encodeSavedSwap(log, 'spec')), 'kdf')).toEqual(kdf);
    }
  });

  it('has the id of every transaction', () => {
    fc.assert(
      fc.property(swapLog(role, { complete: true }), (log) => {
        for (const { tx_hex, tx_hash } of transactionsOf(log)) {
          expect(identifyTransaction(tx_hex, tx_hash)).toEqual({ status: 'verified', family: 'utxo' });
        }
      }),
      { numRuns },
    );
  });

  it('pays both payments to the scripts that its own events give, with the exact amount', () => {
    fc.assert(
      fc.property(swapTermsOptions, (terms) => {
        const log = buildSwapPair(terms)[role];
        const { secretHash } = buildSwapPair(terms).terms;
        const expected = paymentsOf(log, secretHash);
        for (const payer of ROLES) {
          const name = payer === 'maker' ? 'MakerPayment' : 'TakerPayment';
          const stored = transactionOf(log, `${name}Sent`, `${name}Received`);
          if (stored === undefined) throw new Error(`no ${name}`);
          const [payment, message] = decoded(stored).outputs;
          expect(bytesToHex(payment?.script ?? new Uint8Array())).toBe(bytesToHex(p2shScript(expected[payer].script)));
          expect(payment?.value).toBe(expected[payer].value);
          const carried = message === undefined ? undefined : opReturnData(message.script);
          expect(carried).toEqual(terms.era === '2019' ? undefined : secretHash);
        }
      }),
      { numRuns },
    );
  });

  it('pays exactly the trading fee of its era', () => {
    fc.assert(
      fc.property(swapTermsOptions, (terms) => {
        const log = buildSwapPair(terms)[role];
        const started = dataOf(log, 'Started') ?? {};
        const stored = transactionOf(log, 'TakerFeeSent', 'TakerFeeValidated');
        if (stored === undefined) throw new Error('no fee');
        const check = checkDexFee(decoded(stored).outputs, {
          takerCoin: started['taker_coin'] as string,
          makerCoin: started['maker_coin'] as string,
          takerAmount: started['taker_amount'] as DecimalText,
        });
        expect(check.status).toBe('verified');
        const burnt = check.status === 'verified' && check.fee.burnSat > 0n;
        expect(burnt && terms.era !== 'current').toBe(false);
      }),
      { numRuns },
    );
  });

  it('has the same bytes for the same seed, and others for another', () => {
    fc.assert(
      fc.property(swapLog(role), fc.nat(), fc.nat(), (log, seed, other) => {
        const path = log.events.map(({ type }) => type);
        const text = (from: number) => savedSwapText(buildSwap({ role, path, seed: from }));
        expect(text(seed)).toBe(text(seed));
        expect(text(seed) === text(other)).toBe(seed === other);
      }),
      { numRuns: Math.min(numRuns, 30) },
    );
  });

  it('accepts any list of events, even an illegal one and unknown names', () => {
    const path = ['Finished', 'MakerPaymentRefunded', 'SomethingNew', 'Started', 'Started'];
    const log = buildSwap({ role, path });
    expect(log.events.map(({ type }) => type)).toEqual(path);
    expect(log.events[2]?.known).toBe(false);
    noAnomaliesAndSorted(log);
  });
});

describe('the two logs of one swap', () => {
  it('report the same swap, coins, keys, lock times and transactions', () => {
    fc.assert(
      fc.property(swapTermsOptions, (options) => {
        const { taker, maker, terms } = buildSwapPair(options);
        expect(maker.uuid).toBe(taker.uuid);
        expect(paymentsOf(maker, terms.secretHash)).toEqual(paymentsOf(taker));
        expect(dataOf(maker, 'Negotiated')?.['taker_payment_locktime']).toBe(
          dataOf(taker, 'Started')?.['taker_payment_lock'],
        );
        const [ofTaker, ofMaker] = [dataOf(taker, 'Started'), dataOf(maker, 'Started')];
        expect(`${ofMaker?.['my_persistent_pub']}`.slice(2)).toBe(ofTaker?.['maker']);
        expect(`${ofTaker?.['my_persistent_pub']}`.slice(2)).toBe(ofMaker?.['taker']);
        for (const [sent, received] of [
          ['TakerFeeSent', 'TakerFeeValidated'],
          ['MakerPaymentReceived', 'MakerPaymentSent'],
          ['TakerPaymentSent', 'TakerPaymentReceived'],
          ['TakerPaymentSpent', 'TakerPaymentSpent'],
        ] as const) {
          expect(transactionOf(taker, sent)).toEqual(transactionOf(maker, received));
        }
      }),
      { numRuns },
    );
  });

  it('agree on the secret, which the spend of the taker payment reveals', () => {
    fc.assert(
      fc.property(swapTermsOptions, (options) => {
        const { taker, maker } = buildSwapPair(options);
        const secret = dataOf(taker, 'TakerPaymentSpent')?.['secret'] as string;
        expect(dataOf(maker, 'Started')?.['secret']).toBe(secret);
        const hash = hexToBytes(dataOf(taker, 'Negotiated')?.['secret_hash'] as string);
        expect(secretHashMatches(hexToBytes(secret), hash)).toBe(true);
        const spend = transactionOf(taker, 'TakerPaymentSpent');
        const input = parseHtlcInput(decoded(spend as never).inputs[0] ?? { scriptSig: new Uint8Array() });
        expect(input?.kind).toBe('spend');
        expect(input?.kind === 'spend' ? bytesToHex(input.secret) : '').toBe(secret);
      }),
      { numRuns },
    );
  });

  it('spend the outputs of the payments, by the branch and with the locks of the protocol', () => {
    const takerPath = successPath('taker').slice(0, 8).concat('TakerPaymentWaitForSpendFailed', 'TakerPaymentRefunded');
    const makerPath = successPath('maker').slice(0, 5).concat('TakerPaymentValidateFailed', 'MakerPaymentRefunded');
    const refunded = buildSwapPair({ takerPath, makerPath });
    const { taker, maker, terms } = buildSwapPair();
    const cases = [
      {
        payment: transactionOf(taker, 'TakerPaymentSent'),
        by: transactionOf(taker, 'TakerPaymentSpent'),
        of: 'taker',
        kind: 'spend',
      },
      {
        payment: transactionOf(maker, 'MakerPaymentSent'),
        by: transactionOf(taker, 'MakerPaymentSpent'),
        of: 'maker',
        kind: 'spend',
      },
      {
        payment: transactionOf(taker, 'TakerPaymentSent'),
        by: transactionOf(refunded.taker, 'TakerPaymentRefunded'),
        of: 'taker',
        kind: 'refund',
      },
      {
        payment: transactionOf(maker, 'MakerPaymentSent'),
        by: transactionOf(refunded.maker, 'MakerPaymentRefunded'),
        of: 'maker',
        kind: 'refund',
      },
    ] as const;
    for (const { payment, by, of, kind } of cases) {
      const transaction = decoded(by as never);
      const [input] = transaction.inputs;
      expect(input?.txid).toBe(payment?.tx_hash);
      expect(input?.vout).toBe(0);
      expect(input?.sequence).toBe(kind === 'refund' ? LOCKED_SEQUENCE : FINAL_SEQUENCE);
      expect(transaction.lockTime).toBe(of === 'taker' ? terms.takerLock : terms.makerLock);
      const parsed = parseHtlcInput(input ?? { scriptSig: new Uint8Array() });
      expect(parsed?.kind).toBe(kind);
      expect(parsed?.redeemScript).toEqual(paymentsOf(taker)[of].script);
    }
  });

  it('hand watchers preimages that become exactly the transactions of the log', () => {
    fc.assert(
      fc.property(swapTermsOptions, (options) => {
        const { taker, terms, transactions } = buildSwapPair({ ...options, era: 'current', watchers: true });
        const message = taker.events.find(({ type }) => type === 'WatcherMessageSent');
        const [spend, refund] = (message?.data ?? []) as readonly number[][];
        if (spend === undefined || refund === undefined) throw new Error('no preimages');
        const completed = completeSpendPreimage(Uint8Array.from(spend), terms.secret);
        if (!(completed instanceof Uint8Array)) throw new Error(completed.problem);
        expect(bytesToHex(completed)).toBe(transactionOf(taker, 'MakerPaymentSpent')?.tx_hex);
        expect(bytesToHex(Uint8Array.from(refund))).toBe(transactions.takerPaymentRefund().tx_hex);
      }),
      { numRuns },
    );
  });

  it('keep to the lock times and waits of their era', () => {
    fc.assert(
      fc.property(swapTermsOptions, (options) => {
        const { taker, maker } = buildSwapPair(options);
        const [ofTaker, ofMaker] = [dataOf(taker, 'Started') ?? {}, dataOf(maker, 'Started') ?? {}];
        const seconds = (fields: Readonly<Record<string, unknown>>, name: string) =>
          unixSecondsOf(Number(fields[name]));
        const lockDuration = seconds(ofTaker, 'lock_duration');
        expect(seconds(ofTaker, 'taker_payment_lock')).toBe(seconds(ofTaker, 'started_at') + lockDuration);
        expect(seconds(ofMaker, 'maker_payment_lock')).toBe(seconds(ofMaker, 'started_at') + 2 * lockDuration);
        expect(Math.abs(seconds(ofMaker, 'started_at') - seconds(ofTaker, 'started_at'))).toBeLessThanOrEqual(2);
        const rule = makerPaymentWaitRule({
          startedAt: seconds(ofTaker, 'started_at'),
          lockDuration,
          makerPaymentWait: seconds(ofTaker, 'maker_payment_wait'),
        });
        expect(rule).toBe(options.era === '2019' ? 'oneThird' : 'twoFifths');
      }),
      { numRuns },
    );
  });

  it('send and spend in time, and refund only after the lock', () => {
    fc.assert(
      fc.property(swapTermsOptions, fc.integer({ min: 60, max: 40_000 }), (options, lockDuration) => {
        const { taker, maker, terms } = buildSwapPair({ ...options, lockDuration });
        const at = (log: SwapLog, type: string) => (log.events.find((event) => event.type === type)?.at ?? 0) / 1000;
        expect(at(taker, 'TakerFeeSent')).toBeLessThan(terms.takerStartedAt + lockDuration / 3);
        expect(at(maker, 'MakerPaymentSent')).toBeLessThan(terms.makerStartedAt + lockDuration / 3);
        expect(at(taker, 'TakerPaymentSent')).toBeLessThan(terms.makerPaymentWait);
        expect(at(maker, 'TakerPaymentSpent')).toBeLessThan(terms.makerStartedAt + (4 * lockDuration) / 5);
        expect(at(taker, 'MakerPaymentSpent')).toBeLessThan(terms.takerLock);
        const path = [
          'Started',
          'Negotiated',
          'TakerPaymentSent',
          'TakerPaymentRefunded',
          'TakerPaymentWaitRefundStarted',
        ];
        const late = buildSwap({ ...options, lockDuration, role: 'taker', path });
        expect(at(late, 'TakerPaymentRefunded')).toBeGreaterThan(terms.takerLock);
        expect(dataOf(late, 'TakerPaymentWaitRefundStarted')?.['wait_until']).toBe(terms.takerLock + 3700);
      }),
      { numRuns },
    );
  });
});

describe('the same seed in every release', () => {
  const digest = (log: SwapLog) =>
    bytesToHex(sha256(new TextEncoder().encode(canonicalJson(encodeSavedSwap(log, 'kdf')))));

  it('gives the same bytes', () => {
    const { taker, maker } = buildSwapPair({ seed: 'pinned', watchers: true });
    expect(digest(taker)).toMatchInlineSnapshot(`"916b64aa6413c318b28a0a416d70185d5b57a3357b8365e4153eb496765bbc99"`);
    expect(digest(maker)).toMatchInlineSnapshot(`"435fab1a8c14490d2697e866ef6e690ad91d055ea97902df32a5e80032e1ce64"`);
  });
});

describe('terms out of bounds', () => {
  it.each(['0', '-1', '', 'ten', '0.000'])('the amount %j is refused', (maker) => {
    expect(() => buildSwapPair({ amounts: { maker, taker: '1' } })).toThrow(RangeError);
  });

  it('a lock duration below a minute or with a fraction is refused', () => {
    for (const lockDuration of [59, 7800.5, Number.NaN])
      expect(() => buildSwapPair({ lockDuration })).toThrow(RangeError);
  });
});
