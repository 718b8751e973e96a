import { describe, expect, it } from 'vitest';
import type { Answer, PreparedTransaction } from '../../../../src/ports/chain.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import type { RuntimeChain } from '../../../../src/runtime/loop/gate.ts';
import type { Tamper } from '../../../../src/sim/market/process.ts';
import { calmCoin, calmMarket, calmParty, calmSwap, type Market } from '../../../../src/sim/market/scenario.ts';
import { runMarketScenario } from '../../../../src/sim/market/simulate.ts';

// A maker pays two swaps from one account. Its process dies over what its wallet has signed for the first one: no log holds that, and
// the payment of the second one has the nonce after it. When the process is back the first swap is too late to pay.

const SILENT = '1.50000007' as DecimalText;

const market = (at: number): Market =>
  calmMarket({
    coins: [calmCoin('DOC', { kind: 'account', finality: 2 }), calmCoin('MARTY', { finality: 1, blockTime: 45 })],
    parties: [
      calmParty(
        'alice',
        { DOC: { amount: '40' as DecimalText, coins: 3 }, MARTY: { amount: '30' as DecimalText, coins: 4 } },
        { crashes: [{ at, when: 'after', downFor: 4000 }] },
      ),
      calmParty('bob', {
        DOC: { amount: '25' as DecimalText, coins: 3 },
        MARTY: { amount: '60' as DecimalText, coins: 4 },
      }),
    ],
    swaps: [
      calmSwap({ maker: 'alice', taker: 'bob', makerAmount: SILENT }),
      calmSwap({
        maker: 'alice',
        taker: 'bob',
        makerAmount: '2.25000013' as DecimalText,
        takerAmount: '4.00000077' as DecimalText,
        at: 1,
      }),
    ],
  });

/** The wallet of the first process signs the first payment, and its answer comes never. */
function dying(changes: Partial<RuntimeChain> = {}): Tamper {
  let processes = 0;
  return (party, chain) => {
    if (party.name !== 'alice' || chain.traits.coin !== 'DOC') return chain;
    processes += 1;
    const life = processes;
    return {
      ...chain,
      ...changes,
      prepare: (request, forSwap) => {
        const answer = chain.prepare(request, forSwap);
        const isSilent = life === 1 && request.purpose === 'payment' && request.terms.amount === SILENT;
        return isSilent ? new Promise<Answer<PreparedTransaction>>(() => {}) : answer;
      },
    };
  };
}

describe('a process that dies over what no log holds', () => {
  // Between the signing of the second payment and the end of its swap.
  it.each([23, 24, 27, 30])('has the nonce filled once it is back: dead after its %i. input or output', async (at) => {
    const { violations, excused } = await runMarketScenario(market(at), { tamper: dying() });
    expect({ violations, excused }).toEqual({ violations: [], excused: [] });
  });

  it.each([23, 24, 27, 30])('would wait forever if no wallet were told: dead after its %i.', async (at) => {
    const { violations } = await runMarketScenario(market(at), { tamper: dying({ resumed: () => {} }) });
    expect(violations.map(({ rule, party, swap }) => ({ rule, party, swap }))).toEqual([
      { rule: 'M7', party: 'alice', swap: 1 },
    ]);
  });
});
