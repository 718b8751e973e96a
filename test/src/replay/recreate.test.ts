import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Role } from '../../../src/events/catalog.ts';
import { encodeSavedSwap } from '../../../src/events/encode.ts';
import type { MakerStarted, TakerNegotiated, TakerStarted } from '../../../src/events/payloads.ts';
import { decodeSavedSwap, type SwapLog } from '../../../src/events/saved-swap.ts';
import type { JsonObject } from '../../../src/primitives/json.ts';
import { auditSwap } from '../../../src/replay/audit/audit-swap.ts';
import { RecreateError } from '../../../src/replay/recreate/recreate-error.ts';
import { recreateSwap } from '../../../src/replay/recreate.ts';
import { replaySwap, swapMachines } from '../../../src/replay/swaps.ts';
import { type SwapLogOptions, swapLog, swapTermsOptions } from '../../../src/testing/drawn/logs.ts';
import { LIVE_ORIGINS, simplePaths } from '../../../src/testing/drawn/paths.ts';
import { buildSwap, buildSwapPair, successPath } from '../../../src/testing/logs/swap-builder.ts';
import { draws } from '../../support/draws.ts';
import { describeShared, type ManifestRow, manifest, readShared } from '../../support/shared.ts';

/** What releases of the real node stored. */
const REAL: SwapLogOptions = { origins: ['spec', 'live', 'restart', 'legacy'], consistent: false };

const ROLES: readonly Role[] = ['taker', 'maker'];

const dataAt = <T>(log: SwapLog, seq: number) => log.events[seq]?.data as T;
const startedOf = (log: SwapLog) => dataAt<MakerStarted>(log, 0);
const types = (log: SwapLog) => log.events.map(({ type }) => type);

function codeOf(log: SwapLog, options: Parameters<typeof recreateSwap>[1] = {}) {
  try {
    recreateSwap(log, options);
  } catch (error) {
    if (!(error instanceof RecreateError)) throw error;
    return { code: error.code, text: error.shortMessage, kdf: error.kdf };
  }
  return undefined;
}

describeShared('recreating the golden pairs of the real node', () => {
  const files = (part: string) => {
    const row = manifest().find(({ rustTests }: ManifestRow & { rustTests?: { test: string }[] }) =>
      rustTests?.some(({ test }) => test.endsWith(`/recreate_${part}.json`)),
    );
    if (row === undefined) throw new Error(`the manifest names no file for ${part}`);
    return decodeSavedSwap(JSON.parse(readShared(`swaps/${row.file}`)) as JsonObject);
  };

  it.each([
    ['maker_swap_taker_saved', 'maker_swap_maker_expected'],
    [
      'maker_swap_maker_payment_wait_confirm_failed_taker_saved',
      'maker_swap_maker_payment_wait_confirm_failed_maker_expected',
    ],
    ['taker_swap_maker_saved', 'taker_swap_taker_expected'],
    [
      'taker_swap_taker_payment_wait_confirm_failed_maker_saved',
      'taker_swap_taker_payment_wait_confirm_failed_taker_expected',
    ],
  ])('%s gives %s, member by member', (saved, expected) => {
    const { log } = recreateSwap(files(saved), { gui: null, mmVersion: '' });
    expect(encodeSavedSwap(log, 'kdf')).toEqual(encodeSavedSwap(files(expected), 'kdf'));
    expect(JSON.stringify(encodeSavedSwap(log, 'kdf'))).toBe(JSON.stringify(encodeSavedSwap(files(expected), 'kdf')));
  });

  it('every recorded swap gives a log that reads back, or one of the errors', () => {
    const codes = new Set<string>();
    let made = 0;
    for (const { file, loadable } of manifest()) {
      if (!loadable) continue;
      const source = decodeSavedSwap(JSON.parse(readShared(`swaps/${file}`)) as JsonObject);
      const failed = codeOf(source);
      if (failed !== undefined) {
        codes.add(failed.code);
        continue;
      }
      const { log } = recreateSwap(source, { form: 'replayable' });
      const back = decodeSavedSwap(encodeSavedSwap(log, 'kdf'));
      expect(back.events, file).toEqual(log.events);
      expect(
        replaySwap(log).anomalies.filter(({ severity }) => severity === 'fault'),
        file,
      ).toEqual([]);
      made++;
    }
    expect(made).toBeGreaterThan(60);
    expect([...codes].toSorted()).toEqual([
      'RECREATE_NOT_NEGOTIATED',
      'RECREATE_NO_SECRET_HASH',
      'RECREATE_UNEXPECTED_EVENT',
    ]);
  });
});

describe('a recreated log', () => {
  const pairs = swapTermsOptions.map((options) => ({ ...options, era: 'current' as const }));

  it('says of a maker what its own log says', () => {
    fc.assert(
      fc.property(pairs, (options) => {
        const pair = buildSwapPair(options);
        const { log } = recreateSwap(pair.taker, { form: 'replayable' });
        const [own, made] = [pair.maker, log].map(({ events }) => events[0]?.data as MakerStarted);
        const { secret, my_persistent_pub, maker_payment_trade_fee, taker_payment_spend_trade_fee, ...rest } =
          own as MakerStarted;
        expect(made).toMatchObject(rest);
        expect(log.events[1]?.data).toEqual({
          ...(pair.maker.events[1]?.data as object),
          taker_pubkey: expect.any(String),
        });
        const shared = types(pair.maker).filter((type) => !type.includes('Instructions'));
        expect(types(log)).toEqual(shared);
      }),
      { numRuns: draws({ sample: 5, change: 15, release: 30 }) },
    );
  });

  it('says of a taker what its own log says, up to where the maker can see', () => {
    fc.assert(
      fc.property(pairs, (options) => {
        const pair = buildSwapPair(options);
        const { log } = recreateSwap(pair.maker, { form: 'replayable' });
        const [own, made] = [pair.taker, log].map(({ events }) => events[0]?.data as TakerStarted);
        const {
          my_persistent_pub,
          fee_to_send_taker_fee,
          taker_payment_trade_fee,
          maker_payment_spend_trade_fee,
          ...rest
        } = own as TakerStarted;
        expect(made).toMatchObject(rest);
        const { maker_pubkey, ...negotiated } = dataAt<TakerNegotiated>(pair.taker, 1);
        expect(log.events[1]?.data).toMatchObject(negotiated);
        const seen = types(pair.taker).filter((type) => !/Instructions|Watcher/.test(type));
        expect(types(log)).toEqual(seen.slice(0, seen.indexOf('TakerPaymentSpent') + 1));
        expect(log.events.at(-1)?.data).toEqual(
          pair.taker.events.find(({ type }) => type === 'TakerPaymentSpent')?.data,
        );
      }),
      { numRuns: draws({ sample: 5, change: 15, release: 30 }) },
    );
  });

  const faultsOf = (log: SwapLog) =>
    replaySwap(log)
      .anomalies.filter(({ severity }) => severity === 'fault')
      .map(({ message }) => message);

  it('replays without a fault, whichever live way through its chart the source took', () => {
    for (const role of ROLES) {
      const faults = new Set<string>();
      for (const { events } of simplePaths(swapMachines[role].definition, { origins: LIVE_ORIGINS })) {
        if (events[1] !== 'Negotiated') continue;
        const { log } = recreateSwap(buildSwap({ role, path: events }), { form: 'replayable' });
        for (const fault of faultsOf(log)) faults.add(fault);
      }
      expect([...faults], role).toEqual([]);
    }
  });

  it('replays without a fault after any legal log, with restarts, older releases, and failures that were undone', () => {
    fc.assert(
      fc.property(
        fc.oneof(swapLog('taker', { consistent: false }), swapLog('maker', { consistent: false })),
        (source) => {
          if (codeOf(source) !== undefined || faultsOf(source).length > 0) return;
          expect(faultsOf(recreateSwap(source, { form: 'replayable' }).log)).toEqual([]);
        },
      ),
      { numRuns: draws({ sample: 83, change: 250, release: 500 }) },
    );
  });

  it('skips a failure that a later event undid, where the real node stops at it', () => {
    const paid = [
      ...successPath('taker').slice(0, 7),
      'TakerPaymentTransactionFailed',
      'TakerPaymentSent',
      'TakerPaymentSpent',
    ];
    const of = (form: 'kdf' | 'replayable') =>
      types(recreateSwap(buildSwap({ role: 'taker', path: paid }), { form }).log);
    expect(of('kdf').at(-1)).toBe('MakerPaymentWaitRefundStarted');
    expect(of('replayable').slice(-3)).toEqual([
      'TakerPaymentSpendConfirmStarted',
      'TakerPaymentSpendConfirmed',
      'Finished',
    ]);
    const spent = [...successPath('maker').slice(0, 8), 'TakerPaymentSpendFailed', 'TakerPaymentSpent'];
    const { log } = recreateSwap(buildSwap({ role: 'maker', path: spent }), { form: 'replayable' });
    expect(types(log).slice(-2)).toEqual(['TakerPaymentSent', 'TakerPaymentSpent']);
  });

  it('passes the audit', () => {
    fc.assert(
      fc.property(pairs, fc.constantFrom('kdf', 'replayable'), (options, form) => {
        const { taker, maker } = buildSwapPair(options);
        for (const source of [taker, maker]) expect(auditSwap(recreateSwap(source, { form }).log).violated).toBe(0);
      }),
      { numRuns: draws({ sample: 3, change: 10, release: 20 }) },
    );
  });

  it('is the same in both forms, except for the start, wherever a node could have survived the real node’s form', () => {
    fc.assert(
      fc.property(fc.oneof(swapLog('taker', REAL), swapLog('maker', REAL)), (source) => {
        if (codeOf(source) !== undefined) return;
        const kdf = recreateSwap(source, { form: 'kdf' }).log;
        if (faultsOf(kdf).length > 0) return;
        const { log } = recreateSwap(source, { form: 'replayable' });
        const [, ...rest] = log.events;
        expect(rest).toEqual(kdf.events.slice(1));
        expect(log.head).toEqual(kdf.head);
      }),
      { numRuns: draws({ sample: 50, change: 150, release: 300 }) },
    );
  });
});

/** Both logs of a swap, with locks that neither party would have agreed to. */
const { taker, maker } = buildSwapPair();
const odd = {
  taker: withMember(taker, { seq: 1, member: 'maker_payment_locktime', value: 1_800_000_000 }),
  maker: withMember(maker, { seq: 1, member: 'taker_payment_locktime', value: 1_800_000_000 }),
};

function withMember(
  log: SwapLog,
  { seq, member, value }: { readonly seq: number; readonly member: string; readonly value: unknown },
): SwapLog {
  const events = log.events.map((event, index) =>
    index === seq ? { ...event, data: { ...(event.data as object), [member]: value } } : event,
  );
  return { ...log, events };
}

describe('the proof of a recreated log', () => {
  it('names every event, and every member that is not a copy of the same member of the source', () => {
    fc.assert(
      fc.property(
        fc.oneof(swapLog('taker', { consistent: false }), swapLog('maker', { consistent: false })),
        fc.constantFrom('kdf', 'replayable'),
        (source, form) => {
          if (codeOf(source) !== undefined) return;
          const { log, inferred } = recreateSwap(source, { form });
          log.events.forEach(({ type, data }, seq) => {
            const named = inferred.filter((one) => one.seq === seq);
            expect(named[0]).toMatchObject({ event: type, member: null });
            const members = new Set(named.map(({ member }) => member));
            if (seq > 1) return;
            const before = source.events[seq]?.data as Readonly<Record<string, unknown>>;
            for (const [member, value] of Object.entries(data as object)) {
              if (!members.has(member)) expect(value, `${type}.${member}`).toEqual(before[member]);
            }
          });
          for (const { seq, member, from, because } of inferred) {
            if (seq !== null) expect(seq).toBeLessThan(log.events.length);
            if (seq !== null && member !== null) expect(from).not.toContain(' at 2');
            expect(because).toMatch(/^[A-Z].*\.$/);
          }
        },
      ),
    );
  });

  it('holds no secret', () => {
    fc.assert(
      fc.property(
        fc.oneof(swapLog('taker', { consistent: false }), swapLog('maker', { consistent: false })),
        (source) => {
          if (codeOf(source) !== undefined) return;
          const { secret = 'none' } = startedOf(source) as { secret?: string };
          expect(JSON.stringify(recreateSwap(source).inferred)).not.toContain(secret);
        },
      ),
    );
  });

  it("says that the start of the real node's form is assumed, and that of the other certain", () => {
    const start = (form: 'kdf' | 'replayable') =>
      recreateSwap(taker, { form }).inferred.find(({ member }) => member === 'started_at')?.certainty;
    expect([start('kdf'), start('replayable')]).toEqual(['assumed', 'certain']);
  });

  it('copies a start that does not follow from the lock, and says so', () => {
    for (const source of Object.values(odd)) {
      const { log, inferred } = recreateSwap(source, { form: 'replayable' });
      expect(startedOf(log).started_at).toBe(startedOf(source).started_at);
      expect(inferred.find(({ member }) => member === 'started_at')?.certainty).toBe('assumed');
    }
  });
});

describe('what cannot be recreated', () => {
  const cut = (role: Role, ...path: string[]) => buildSwap({ role, path });
  const empty = (role: Role): SwapLog => ({ ...cut(role, 'Started'), events: [] });

  it('is refused with the texts of the real node, in its order', () => {
    for (const role of ROLES) {
      expect(codeOf(empty(role))).toMatchObject({
        code: 'RECREATE_NOT_STARTED',
        text: "Swap hasn't been started. Swap not recoverable",
        kdf: { error_type: 'SwapIsNotStarted' },
      });
      expect(codeOf(cut(role, 'StartFailed', 'Finished'))).toMatchObject({
        code: 'RECREATE_UNEXPECTED_EVENT',
        text: "Expected 'Started' event, found 'Start failed...'",
        kdf: { error_type: 'UnexpectedEvent', error_data: { expected: 'Started', found: 'Start failed...' } },
      });
      expect(codeOf(cut(role, 'Started'))).toMatchObject({
        code: 'RECREATE_NOT_NEGOTIATED',
        text: "Swap hasn't been negotiated. Swap not recoverable",
        kdf: { error_type: 'SwapIsNotNegotiated' },
      });
      expect(codeOf(cut(role, 'Started', 'NegotiateFailed', 'Finished'))).toMatchObject({
        text: "Expected 'Negotiated' event, found 'Negotiate failed...'",
      });
    }
    const waiting = cut('maker', 'Started', 'MakerPaymentWaitRefundStarted');
    const { wait_until: until } = dataAt<{ wait_until: number }>(waiting, 1);
    expect(codeOf(waiting)?.text).toBe(
      `Expected 'Negotiated' event, found 'Maker payment wait refund till ${until} started...'`,
    );
  });

  const without = (log: SwapLog, seq: number, member: string) => withMember(log, { seq, member, value: null });

  it('lacks the hash of the secret, the active coin, or the key', () => {
    expect(codeOf(without(maker, 0, 'secret_hash'), { hasCoin: () => false })).toEqual({
      code: 'RECREATE_NO_SECRET_HASH',
      text: "'secret_hash' not found in swap data",
      kdf: { error_type: 'NoSecretHash' },
    });
    expect(codeOf(without(taker, 1, 'secret_hash'))?.code).toBe('RECREATE_NO_SECRET_HASH');
    expect(codeOf(maker, { hasCoin: (ticker) => ticker !== 'DOC' })).toEqual({
      code: 'RECREATE_NO_SUCH_COIN',
      text: 'No such coin DOC',
      kdf: { error_type: 'NoSuchCoin', error_data: { coin: 'DOC' } },
    });
    expect(codeOf(maker, { hasCoin: (ticker) => ticker === 'DOC' })).toBeUndefined();
    expect(codeOf(taker, { hasCoin: () => false })).toBeUndefined();
    expect(codeOf(without(taker, 0, 'my_persistent_pub'))).toMatchObject({
      code: 'RECREATE_FIELD_MISSING',
      text: "'my_persistent_pub' not found in swap data",
    });
  });

  it('does not depend on what follows the first two events of the log', () => {
    fc.assert(
      fc.property(
        fc.oneof(swapLog('taker', { consistent: false }), swapLog('maker', { consistent: false })),
        (source) => {
          const [first, second] = types(source);
          const right = first === 'Started' && second === 'Negotiated';
          expect(codeOf(source) === undefined || ownHashMissing(source)).toBe(right);
        },
      ),
    );
  });
});

function ownHashMissing(source: SwapLog): boolean {
  return codeOf(source)?.code === 'RECREATE_NO_SECRET_HASH';
}

describe('the secret in a recreated taker log', () => {
  const maker = buildSwap({ role: 'maker', path: successPath('maker') });
  const own = startedOf(maker).secret;
  const last = (options: Parameters<typeof recreateSwap>[1], source = maker) => {
    const { log, inferred } = recreateSwap(source, options);
    return { events: log.events.slice(7), from: inferred.find(({ member }) => member === 'secret')?.from };
  };

  it('comes from the spend, which shows it', () => {
    const { events, from } = last({});
    expect(events.map(({ type }) => type)).toEqual(['TakerPaymentSpent']);
    expect(events[0]?.data).toMatchObject({ secret: own });
    expect(from).toBe('TakerPaymentSpent.tx_hex at 8');
  });

  it("comes from the maker's start if the spend cannot be read", () => {
    const { events, from } = last({ extractSecret: () => undefined, form: 'replayable' });
    expect(events[0]?.data).toMatchObject({ secret: own });
    expect(from).toBe('Started.secret at 0');
  });

  it('is missed in the form of the real node, which looks at the spend alone', () => {
    const { events } = last({ extractSecret: () => undefined, form: 'kdf' });
    expect(events.map(({ type }) => type)).toEqual(['TakerPaymentWaitForSpendFailed', 'TakerPaymentWaitRefundStarted']);
  });

  it('is missing if the log hides it too, so that the log heads for the refund', () => {
    const started = { ...startedOf(maker), secret: '0'.repeat(64) };
    const hidden = {
      ...maker,
      events: maker.events.map((event, seq) => (seq === 0 ? { ...event, data: started } : event)),
    };
    const { events } = last({ extractSecret: () => undefined, form: 'replayable' }, hidden);
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['TakerPaymentWaitForSpendFailed', { error: "Couldn't extract secret" }],
      ['TakerPaymentWaitRefundStarted', { wait_until: expect.any(Number) }],
    ]);
  });
});

describe('ends that no node could have survived', () => {
  const ends = (role: Role, path: readonly string[]) =>
    (['kdf', 'replayable'] as const).map((form) =>
      types(recreateSwap(buildSwap({ role, path }), { form }).log).slice(2),
    );

  it('are made into ones that say what must be looked up', () => {
    const fee = ['Started', 'Negotiated', 'TakerFeeSent'];
    expect(ends('taker', [...fee, 'MakerPaymentValidateFailed', 'Finished'])).toEqual([
      ['TakerPaymentValidateFailed', 'MakerPaymentWaitRefundStarted'],
      ['TakerFeeValidated', 'MakerPaymentTransactionFailed', 'Finished'],
    ]);
    const paid = ['Started', 'Negotiated', 'TakerFeeValidated', 'MakerPaymentSent'];
    const received = ['TakerFeeSent', 'MakerPaymentReceived', 'MakerPaymentWaitConfirmStarted'];
    expect(ends('maker', [...paid, 'TakerPaymentValidateFailed', 'MakerPaymentWaitRefundStarted'])).toEqual([
      [...received, 'TakerPaymentWaitForSpendFailed', 'TakerPaymentWaitRefundStarted'],
      [...received, 'MakerPaymentValidatedAndConfirmed', 'TakerPaymentTransactionFailed', 'Finished'],
    ]);
    expect(ends('maker', ['Started', 'Negotiated', 'TakerFeeValidateFailed', 'Finished'])).toEqual([
      ['MakerPaymentValidateFailed', 'Finished'],
      ['TakerFeeSendFailed', 'Finished'],
    ]);
  });

  it('let nobody believe that its coins are safe', () => {
    const outcome = (role: Role, path: readonly string[]) =>
      replaySwap(recreateSwap(buildSwap({ role, path }), { form: 'replayable' }).log).outcome;
    expect(outcome('taker', ['Started', 'Negotiated', 'TakerFeeSent', 'MakerPaymentValidateFailed'])).toBe(
      'funds-at-risk',
    );
    const paid = ['Started', 'Negotiated', 'TakerFeeValidated', 'MakerPaymentSent'];
    expect(outcome('maker', [...paid, 'TakerPaymentValidateFailed'])).toBe('funds-at-risk');
  });
});
