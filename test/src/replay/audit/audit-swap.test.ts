import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makerSwap } from '../../../../machines/maker-swap/definition.ts';
import { takerSwap } from '../../../../machines/taker-swap/definition.ts';
import type { Role } from '../../../../src/events/catalog.ts';
import type { StoredEvent } from '../../../../src/events/decode-event.ts';
import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import { auditSwap } from '../../../../src/replay/audit/audit-swap.ts';
import { auditRules } from '../../../../src/replay/audit/registry.ts';
import type { AuditReport } from '../../../../src/replay/audit/report.ts';
import { swapLog, swapTermsOptions } from '../../../../src/testing/drawn/logs.ts';
import { LIVE_ORIGINS, STORED_ORIGINS, simplePaths } from '../../../../src/testing/drawn/paths.ts';
import { buildSwap, buildSwapPair, successPath } from '../../../../src/testing/logs/swap-builder.ts';
import { draws, oneIn } from '../../../support/draws.ts';

const ROLES: readonly Role[] = ['taker', 'maker'];

const VERIFIED_WHATEVER_THE_TERMS = [
  'transaction-id',
  'payment-script',
  'payment-amount',
  'claim-secret',
  'spend-outpoint',
  'spend-script',
  'dex-fee',
  'own-lock',
  'counterparty-lock',
];

function violationsOf(log: SwapLog) {
  return auditSwap(log).checks.filter(({ status }) => status === 'violated');
}

/** A chart allows what a restart explains at any time; the built logs are of one go. */
const BOUND_TO_A_TIME = ['restart-discovery'];

/** One path in so many: the ways that only this engine goes are tens of thousands. */
const SAMPLE: Readonly<Record<Role, number>> = { taker: 211, maker: 13 };

function verifiedChecks(report: AuditReport): ReadonlySet<string> {
  return new Set(report.checks.filter(({ status }) => status === 'verified').map(({ check }) => check));
}

function withData(log: SwapLog, type: string, change: (data: Record<string, unknown>) => unknown): SwapLog {
  const events = log.events.map((event) =>
    event.type === type ? { ...event, data: change(event.data as Record<string, unknown>) } : event,
  );
  return { ...log, events };
}

function expectWellFormed({ verified, violated, notCheckable, checks }: AuditReport): void {
  const known = new Set(auditRules.map(({ check }) => check));
  const count = (status: string) => checks.filter((check) => check.status === status).length;
  expect([verified, violated, notCheckable]).toEqual(['verified', 'violated', 'notCheckable'].map(count));
  for (const { check, status, expected, found, reason } of checks) {
    expect(known).toContain(check);
    if (status === 'violated') expect([typeof expected, typeof found]).toEqual(['string', 'string']);
    if (status === 'notCheckable') expect(reason).not.toBe('');
    for (const text of [expected, found, reason]) expect(text?.length ?? 0).toBeLessThan(1000);
  }
}

describe.each(ROLES)('the audit of a sound %s log', (role) => {
  const { graph } = role === 'taker' ? takerSwap : makerSwap;

  it('contradicts nothing on any simple path of events that a node stores today', () => {
    let seed = 0;
    for (const { events } of oneIn(7, [...simplePaths(graph, { origins: LIVE_ORIGINS })])) {
      const violations = violationsOf(buildSwap({ role, path: events, seed: seed++ }));
      expect({ events, violations }).toEqual({ events, violations: [] });
    }
  }, 60_000);

  it('finds nothing but the time in a path that only a restart explains', () => {
    let seed = 0;
    for (const { events } of oneIn(19, [...simplePaths(graph, { origins: STORED_ORIGINS })])) {
      const violations = violationsOf(buildSwap({ role, path: events, seed: seed++ }));
      const others = violations.filter(({ check }) => !BOUND_TO_A_TIME.includes(check));
      expect({ events, others }).toEqual({ events, others: [] });
    }
  }, 60_000);

  it('finds nothing but the time in a path that only this engine takes', () => {
    const paths = [...simplePaths(graph)].filter((_, index) => index % SAMPLE[role] === 0);
    for (const [seed, { events }] of oneIn(5, paths).entries()) {
      const violations = violationsOf(buildSwap({ role, path: events, seed }));
      const others = violations.filter(({ check }) => !BOUND_TO_A_TIME.includes(check));
      expect({ events, others }).toEqual({ events, others: [] });
    }
  }, 60_000);

  it('finds no contradiction, whatever the terms', () => {
    fc.assert(
      fc.property(swapTermsOptions, (terms) => {
        const log = buildSwapPair(terms)[role];
        expect(violationsOf(log)).toEqual([]);
        const verified = verifiedChecks(auditSwap(log));
        for (const check of VERIFIED_WHATEVER_THE_TERMS) {
          expect(verified).toContain(check);
        }
      }),
      { numRuns: draws({ sample: 20, change: 50, release: 100 }) },
    );
  });

  it('is well formed and the same each time, in any state of the log', () => {
    fc.assert(
      fc.property(swapLog(role, { consistent: false }), (log) => {
        const report = auditSwap(log);
        expectWellFormed(report);
        expect(auditSwap(log)).toEqual(report);
      }),
      { numRuns: draws({ sample: 20, change: 50, release: 100 }) },
    );
  });
});

describe('the audit of a hostile log', () => {
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom('00', 'ff'.repeat(40), '-1', '1e1000', 2 ** 53 - 1, -1, 0.5, Number.NaN, '6a'.repeat(5000)),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('hex')),
  );

  it('never throws, whatever the members hold', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ROLES),
        fc.array(fc.tuple(fc.nat({ max: 14 }), fc.nat({ max: 30 }), value), { minLength: 1, maxLength: 6 }),
        (role, changes) => {
          const log = buildSwapPair({ watchers: true, seed: 3 })[role];
          const events: StoredEvent[] = [...log.events];
          for (const [seq, member, replacement] of changes) {
            const event = events[seq % events.length] as StoredEvent;
            const data = (event.data ?? {}) as object;
            const name = Object.keys(data)[member % Math.max(1, Object.keys(data).length)];
            const changed = name === undefined ? replacement : { ...data, [name]: replacement };
            events[seq % events.length] = { ...event, data: changed };
          }
          expectWellFormed(auditSwap({ ...log, events }));
        },
      ),
      { numRuns: draws({ sample: 25, change: 75, release: 150 }) },
    );
  });

  it('never throws for any bytes in the place of a transaction', () => {
    const mutated = fc
      .tuple(fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 5 }), fc.nat({ max: 400 }))
      .map(([flips, cut]) => (hex: string) => {
        const bytes = Buffer.from(hex, 'hex').subarray(0, cut === 0 ? undefined : -cut);
        for (const [at, mask] of flips)
          if (bytes.length > 0) bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ mask;
        return bytes.toString('hex');
      });
    fc.assert(
      fc.property(
        fc.constantFrom('TakerFeeSent', 'MakerPaymentReceived', 'TakerPaymentSent', 'MakerPaymentSpent'),
        mutated,
        (type, mutate) => {
          const log = buildSwapPair({ seed: 5 }).taker;
          const changed = withData(log, type, (data) => ({ ...data, tx_hex: mutate(String(data['tx_hex'])) }));
          expectWellFormed(auditSwap(changed));
        },
      ),
      { numRuns: draws({ sample: 20, change: 60, release: 120 }) },
    );
  });

  it('takes time in proportion to the log, not to its square', () => {
    const log = buildSwapPair({ watchers: true, seed: 9 }).taker;
    const repeated = (times: number): SwapLog => ({
      ...log,
      events: log.events.flatMap((event) => Array.from({ length: times }, () => event)),
    });
    const seconds = (events: SwapLog) => {
      const from = performance.now();
      auditSwap(events);
      return performance.now() - from;
    };
    seconds(repeated(10));
    const small = seconds(repeated(50));
    const large = seconds(repeated(500));
    expect(large).toBeLessThan(40 * Math.max(small, 5));
  });

  it('does not print a secret, even a wrong one', () => {
    const log = buildSwap({ role: 'maker', path: successPath('maker'), seed: 1 });
    const secret = 'ab'.repeat(32);
    const wrong = withData(log, 'Started', (data) => ({ ...data, secret }));
    const report = auditSwap(wrong);
    expect(report.violated).toBeGreaterThan(0);
    expect(JSON.stringify(report)).not.toContain(secret);
  });
});

describe('the audit of an incomplete or old log', () => {
  it('calls a hidden secret not checkable', () => {
    const log = buildSwap({ role: 'maker', path: successPath('maker'), seed: 1 });
    const hidden = withData(log, 'Started', (data) => ({ ...data, secret: '0'.repeat(64) }));
    const checks = auditSwap(hidden).checks.filter(({ check }) => check === 'secret');
    expect(checks.map(({ status }) => status)).toEqual(['notCheckable']);
    expect(violationsOf(hidden)).toEqual([]);
  });

  it('reads the hash from the refund if a maker of 2019 hides its secret', () => {
    const path = ['Started', 'Negotiated', 'TakerFeeValidated', 'MakerPaymentSent', 'MakerPaymentWaitConfirmFailed'];
    const refunded = [...path, 'MakerPaymentWaitRefundStarted', 'MakerPaymentRefunded', 'Finished'];
    const log = buildSwap({ role: 'maker', path: refunded, era: '2019', seed: 2 });
    const hidden = withData(log, 'Started', ({ secret_hash: _, ...data }) => ({ ...data, secret: '0'.repeat(64) }));
    expect(verifiedChecks(auditSwap(hidden))).toContain('payment-script');
    expect(violationsOf(hidden)).toEqual([]);
  });

  it('finds no fault in an absent OP_RETURN in a log of 2019', () => {
    const log = buildSwapPair({ era: '2019', seed: 4 }).taker;
    const statuses = auditSwap(log).checks.flatMap(({ check, status }) =>
      check === 'payment-hash-output' ? status : [],
    );
    expect(statuses).toEqual(['notCheckable', 'notCheckable']);
  });

  it('finds nothing to check in a log without Started', () => {
    const log = { ...buildSwapPair({ seed: 4 }).taker, events: [] };
    expect(violationsOf(log)).toEqual([]);
  });
});
