import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SwapLog } from '../../../src/events/saved-swap.ts';
import { decodeSwapsText } from '../../../src/events/wrappers.ts';
import { unixSecondsOf } from '../../../src/primitives/time.ts';
import { type Explanation, explainSwap } from '../../../src/replay/explain.ts';
import { replaySwap } from '../../../src/replay/swaps.ts';
import { swapLog } from '../../../src/testing/drawn/logs.ts';
import { type BuildSwapOptions, buildSwap, successPath } from '../../../src/testing/logs/swap-builder.ts';
import { draws } from '../../support/draws.ts';
import { describeShared, manifest, readShared } from '../../support/shared.ts';

const TAKER = successPath('taker', { era: 'current', watchers: false });
const MAKER = successPath('maker', { era: 'current', watchers: false });

function until(path: readonly string[], last: string, ...more: readonly string[]): readonly string[] {
  return [...path.slice(0, path.indexOf(last) + 1), ...more];
}

function explained(options: Pick<BuildSwapOptions, 'role' | 'path'> & Partial<BuildSwapOptions>): Explanation {
  return explainSwap(buildSwap({ seed: 'explain', ...options }));
}

describe('where the coins are', () => {
  it('says for every prefix of a completed swap who can move what', () => {
    const log = buildSwap({ role: 'taker', path: TAKER, seed: 'explain' });
    const after = (type: string) => explainSwap(log, { upTo: TAKER.indexOf(type) }).funds.slice(0, 2);
    expect(after('TakerFeeSent')).toEqual([
      'This log knows of no payment of the taker (2.4 MARTY).',
      'This log knows of no payment of the maker (2.4 DOC).',
    ]);
    expect(after('TakerPaymentSent').map((text) => text.replace(/[0-9a-f]{64}/, '<txid>'))).toMatchInlineSnapshot(`
      [
        "The taker payment of 2.4 MARTY was sent to the MARTY chain (<txid>), and the log shows no spend of it. The maker can take it with the secret at once; the taker can refund it from 2024-12-19 02:10:00 UTC on, by the chain's own time, and then whoever is first has it.",
        "The maker payment of 2.4 DOC was sent to the DOC chain (<txid>), and the log shows no spend of it. The taker cannot take it without the secret, which is not public by this log; the maker can refund it from 2024-12-19 04:20:02 UTC on, by the chain's own time.",
      ]
    `);
    expect(after('TakerPaymentSpent').map((text) => text.replace(/[0-9a-f]{64}/, '<txid>'))).toMatchInlineSnapshot(`
      [
        "The maker spent the taker payment of 2.4 MARTY (<txid>): the log shows that this was broadcast, and no confirmation.",
        "The maker payment of 2.4 DOC was sent to the DOC chain (<txid>), and the log shows no spend of it. The taker can take it with the secret at once; the maker can refund it from 2024-12-19 04:20:02 UTC on, by the chain's own time, and then whoever is first has it.",
      ]
    `);
  });

  it('does not treat a failed broadcast as a fact', () => {
    const path = until(TAKER, 'MakerPaymentValidatedAndConfirmed', 'TakerPaymentTransactionFailed', 'Finished');
    const { funds, advice, realNode } = explained({ role: 'taker', path });
    expect({ own: funds[0], advice, realNode }).toMatchInlineSnapshot(`
      {
        "advice": [
          "Check on the MARTY chain whether the taker payment (2.4 MARTY) was broadcast nevertheless. If so, check whether the maker has spent it: if it has, take the secret from that spend and claim 2.4 DOC at once, if the maker has not refunded it yet; if not, refund it from 2024-12-19 02:10:00 UTC on, by the chain's own time.",
          "Configure working servers for the coin, then retry the step.",
          "On the real node: activate DOC and MARTY, then send {"userpass": "<rpc_password>", "method": "recover_funds_of_swap", "params": {"uuid": "f67fa30e-1108-4674-87a5-d449c2b846c3"}} to it.",
        ],
        "own": "It is not known whether the taker payment of 2.4 MARTY is on the MARTY chain: sending it was reported as failed, and a node's answer is no proof. If it is there: the maker can take it with the secret at once; the taker can refund it from 2024-12-19 02:10:00 UTC on, by the chain's own time, and then whoever is first has it.",
        "realNode": [
          "By the real node's rules: finished yes, success no, recoverable yes.",
          "It says recoverable yes, but only the MARTY chain shows whether there is anything to recover.",
        ],
      }
    `);
  });
});

describe('what the real node says', () => {
  it('success no, although the coins arrived', () => {
    const path = until(TAKER, 'MakerPaymentSpendConfirmed', 'Finished').flatMap((type) =>
      type === 'TakerPaymentSpent' ? ['TakerPaymentWaitForSpendFailed', type] : [type],
    );
    expect(explained({ role: 'taker', path }).realNode).toMatchInlineSnapshot(`
      [
        "By the real node's rules: finished yes, success no, recoverable no.",
        "It says success no although the coins arrived: it counts any error event in the log (here TakerPaymentWaitForSpendFailed), whatever came of it.",
      ]
    `);
  });

  it('recoverable yes, although the payment was never sent', () => {
    const path = until(TAKER, 'MakerPaymentWaitConfirmStarted', 'TakerPaymentTransactionFailed', 'Finished');
    const { outcome, realNode } = explained({ role: 'taker', path });
    expect(outcome).toBe('failed-before-payment');
    expect(realNode).toMatchInlineSnapshot(`
      [
        "By the real node's rules: finished yes, success no, recoverable yes.",
        "It says recoverable yes, yet the taker payment was never sent: it looks for event names alone, and TakerPaymentTransactionFailed is not one that it takes for settled.",
      ]
    `);
  });

  it('recoverable yes for a maker of 2019 whose coins arrived', () => {
    const path = successPath('maker', { era: '2019', watchers: false });
    expect(explained({ role: 'maker', path, era: '2019' }).realNode).toMatchInlineSnapshot(`
      [
        "By the real node's rules: finished yes, success yes, recoverable yes.",
        "It says recoverable yes, yet the claim was broadcast: it looks for TakerPaymentSpendConfirmed, which this log does not hold (releases before November 2020 did not write it).",
      ]
    `);
  });

  it('recoverable no while coins are locked in an unfinished swap', () => {
    expect(explained({ role: 'maker', path: until(MAKER, 'MakerPaymentSent') }).realNode).toMatchInlineSnapshot(`
      [
        "By the real node's rules: finished no, success not known, recoverable no.",
        "Its recoverable no only says that the swap is not finished; it says nothing about the locked coins.",
      ]
    `);
  });

  it('through this engine if the real node could load no form of the log', () => {
    const path = until(TAKER, 'TakerPaymentSent', 'TakerPaymentWaitForSpendFailed', 'TakerPaymentWaitRefundStarted');
    const log = buildSwap({ role: 'taker', path: [...path, 'TakerPaymentRefundFailed', 'Finished'], seed: 'explain' });
    const given = log.events.map((event) =>
      event.type === 'TakerPaymentWaitRefundStarted' ? { ...event, data: { wait_until: null } } : event,
    );
    const { advice } = explainSwap({ ...log, events: given } as SwapLog);
    expect(advice.join(' ')).toContain(`swapfold recover ${log.uuid} --log swaps.db`);
    expect(advice.join(' ')).toContain('its member wait_until is not known');
    expect(advice.join(' ')).not.toMatch(/--format kdf|recover_funds_of_swap/);
  });

  it('otherwise than the stored text printed it', () => {
    const log = buildSwap({ role: 'taker', path: TAKER, seed: 'explain' });
    const head = { ...log.head, recoverable: true };
    expect(explainSwap({ ...log, head }).realNode.at(-1)).toBe(
      'The stored text itself says recoverable yes: it was written by another release, or at an earlier moment.',
    );
  });
});

describe('a clock', () => {
  const path = until(TAKER, 'TakerPaymentSpent', 'MakerPaymentSpendFailed', 'Finished');
  const log = buildSwap({ role: 'taker', path, seed: 'explain' });
  const lock = replaySwap(log).next?.until ?? 0;

  it('changes nothing if it is not given', () => {
    expect(JSON.stringify(explainSwap(log))).not.toMatch(
      /\bago\b|\bin \d|overdue|left\.|could (?:take|refund|not take)|was locked/,
    );
  });

  it('shows how much time is left', () => {
    const { advice } = explainSwap(log, { now: unixSecondsOf(lock - 7260) });
    expect(advice[0]).toMatch(/There are 2 h 1 min left\.$/);
  });

  it('shows what is overdue', () => {
    const { advice, funds } = explainSwap(log, { now: unixSecondsOf(lock + 12_000) });
    expect(advice[0]).toMatch(/^Check on the .* Since .* \(3 h 20 min ago\) the maker could refund it:/);
    expect(funds[1]).toMatch(/since .* \(3 h 20 min ago\), by the chain's own time, the maker could refund it as well/);
  });
});

describe('any log', () => {
  it('is explained after each of its events as its cut log is', () => {
    fc.assert(
      fc.property(
        swapLog('taker', { consistent: false }),
        swapLog('maker', { consistent: false }),
        fc.nat(),
        (taker, maker, pick) => {
          for (const log of [taker, maker]) {
            if (log.events.length === 0) continue;
            const upTo = pick % log.events.length;
            const cut = { ...log, events: log.events.slice(0, upTo + 1) };
            const { of: _, ...whole } = explainSwap({ ...log, anomalies: [] }, { upTo });
            const { of: __, ...own } = explainSwap({ ...cut, anomalies: [] });
            expect(whole).toEqual(own);
          }
        },
      ),
      { numRuns: draws({ sample: 10, change: 30 }) },
    );
  });

  it('has a verdict that the headline, the next step and the advice express', () => {
    fc.assert(
      fc.property(swapLog('taker', { consistent: false }), (log) => {
        const { headline, next, advice, funds, happened } = explainSwap(log);
        expect(headline).toMatch(/^A taker's swap .*: .*\.$/);
        expect(happened).toHaveLength(log.events.length);
        for (const text of [...next, ...advice, ...funds]) expect(text).toMatch(/^[A-Z].*\.$/s);
        expect(next.length * advice.length * funds.length).toBeGreaterThan(0);
      }),
      { numRuns: draws({ sample: 15, change: 50 }) },
    );
  });

  it('refuses a position that it does not have', () => {
    const log = buildSwap({ role: 'taker', path: TAKER, seed: 'explain' });
    for (const upTo of [-1, TAKER.length, 0.5]) expect(() => explainSwap(log, { upTo })).toThrow(RangeError);
  });
});

describeShared('recorded swaps explained', () => {
  it('name every outcome that asks for action with an action', () => {
    for (const { file } of manifest()) {
      const [swap] = decodeSwapsText(readShared(`swaps/${file}`));
      if (swap === undefined || !swap.ok) continue;
      const { outcome, advice, waitsFor, headline } = explainSwap(swap.log);
      const isSettled = ['completed', 'refunded', 'failed-before-payment'].includes(outcome);
      if (isSettled)
        expect(advice[0], `${file}: ${outcome}`).toMatch(
          /^(?:Nothing|(?:Check whether|Look on the \w+ chain which transaction))/,
        );
      else expect(advice[0], `${file}: ${outcome}`).not.toMatch(/^Nothing/);
      if (outcome === 'funds-at-risk') expect(waitsFor, file).toBe('person');
      // What an event calls the end of a payment settles nothing where the bytes deny it.
      const isDenied = headline.includes(' does not spend the ');
      if (isSettled) expect(waitsFor === 'person', file).toBe(isDenied);
    }
  });
});
