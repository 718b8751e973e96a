import { describe, expect, it } from 'vitest';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { pushClaim } from '../../../../src/runtime/swap/effects/claim.ts';
import { pushRefund } from '../../../../src/runtime/swap/effects/refund.ts';
import { affordable } from '../../../../src/runtime/swap/fee-bumps.ts';
import { abandoned } from '../../../../src/sim/incidents/endings.ts';
import { during, swapWith } from '../../../../src/sim/incidents/moments.ts';
import { honestParty } from '../../../../src/sim/world/scenario.ts';
import { runScenario } from '../../../../src/sim/world/simulate.ts';
import { decided, PAID, SAID } from '../../../support/effect-turns.ts';
import { after, NOW, paymentOf, preparedOf, type TurnChanges, turnOf } from '../../../support/turns.ts';

type Tries = ReturnType<typeof failed>;

const failed = (key: string, kind = 'insufficientFunds') =>
  new Map([[key, { count: 1, next: NOW, kind, message: '' }]]);

describe('the urgency that a wallet may be able to pay', () => {
  const asked = (urgency: number, key: string, kind?: string) =>
    affordable(turnOf({ facts: { tries: failed(key, kind) } }), { leg: 'maker', purpose: 'claim', urgency });

  it('is null once it could not pay for more', () => {
    expect([11, 1, 0].map((urgency) => asked(urgency, 'maker:prepare:claim'))).toEqual([0, 0, 0]);
  });

  it('is what was wanted if something else was wrong, or with another transaction', () => {
    const others = ['unavailable', 'feeTooLow', 'coinsPromised'];
    expect(others.map((kind) => asked(11, 'maker:prepare:claim', kind))).toEqual([11, 11, 11]);
    const elsewhere = ['taker:prepare:claim', 'maker:prepare:refund', 'maker:quote'];
    expect(elsewhere.map((key) => asked(6, key))).toEqual([6, 6, 6]);
  });

  it('is that of a refund and of a claim that follow others without effect', () => {
    const turn = (changes: TurnChanges) => turnOf({ events: SAID, policy: { fees: { pause: 1 } }, ...changes });
    const dead = preparedOf({ target: PAID.tx_hash, dead: true, urgency: 8, acceptedAt: after(-5000) });
    const ownTerms = { ...turnOf().swap.ownTerms, lock: NOW / 1000 - 9000 } as never;
    const refund = (tries: Tries) =>
      turn({ swap: { state: 'refunding', ownTerms }, journal: { prepared: { refund: [dead] } }, facts: { tries } });
    const claim = (tries: Tries) =>
      turn({
        swap: { secret: '5e'.repeat(32), secretIsPublic: true },
        journal: { prepared: { claim: [dead] } },
        facts: { tries },
      });
    const view = paymentOf({ funding: { tx: PAID, confirmations: 3 } });
    const urgencies = (tries: (purpose: string) => Tries) => [
      decided((given) => pushRefund(given, PAID), refund(tries('taker:prepare:refund')))[0],
      decided((given) => pushClaim(given, view), claim(tries('maker:prepare:claim')))[0],
    ];
    const wants = (purpose: string, urgency: number) => ({
      question: { op: 'prepare', request: { purpose, urgency } },
    });
    expect(urgencies(() => new Map())).toMatchObject([wants('refund', 9), wants('claim', 9)]);
    expect(urgencies((key) => failed(key))).toMatchObject([wants('refund', 0), wants('claim', 0)]);
  });
});

const ACCOUNT = { kind: 'account', decimals: 6, feeRate: 8 } as const;

describe('a wallet whose coins went into tries without effect', () => {
  it.each([
    ['taker', 7800, 30],
    ['maker', 15_600, 29],
  ] as const)('still pays the price of the day for the refund of a %s', (party, lock, coins) => {
    const faults = [during({ kind: 'revert', purposes: ['refund'] } as const, 0, lock + 1500)];
    const amounts = { makerAmount: '19.7' as DecimalText, takerAmount: '20.5' as DecimalText };
    const poor = honestParty({ funds: { maker: null, taker: null, [party]: `${coins}` as DecimalText } });
    const { parties } = swapWith(3);
    const scenario = swapWith(3, {
      ...amounts,
      parties: { ...parties, [party]: poor },
      [party]: { ...ACCOUNT, faults },
    });
    const asked: number[] = [];
    const { violations, endings } = runScenario(abandoned(scenario, party), {
      watch: {
        answered(_, { name }, { command: { question }, result }) {
          if (name !== party || question.op !== 'prepare' || question.request.purpose !== 'refund') return;
          if (!result.ok && result.fault.kind === 'insufficientFunds') asked.push(question.request.urgency);
        },
      },
    });
    expect(asked.length).toBeGreaterThan(0);
    expect(violations).toEqual([]);
    expect(endings.find((ending) => ending.party === party)?.money).toBe('refunded');
  });
});
