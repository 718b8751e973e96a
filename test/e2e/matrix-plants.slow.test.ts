import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PaymentTerms, PrepareRequest } from '../../src/ports/chain.ts';
import type { DecimalText } from '../../src/primitives/decimal.ts';
import { ANVIL } from '../support/evm/anvil.ts';
import { ALL } from '../support/matrix/cells.ts';
import { cheated } from '../support/matrix/cheats.ts';
import { judge } from '../support/matrix/judge.ts';
import { openParty } from '../support/matrix/party.ts';
import { record } from '../support/matrix/play.ts';
import type { Plant } from '../support/matrix/seat.ts';
import type { Side } from '../support/matrix/sides.ts';
import { type MatrixWorld, matrixWorld } from '../support/matrix/world.ts';
import { describeWith } from '../support/optional-part.ts';

type Purpose = 'fee' | 'payment';

/** What it sends for a purpose it sends once more, by another transaction. */
function twice(purpose: Purpose): Plant {
  return (chain) => {
    const made = new Map<string, { readonly request: PrepareRequest; readonly swap: string }>();
    let isDone = false;
    return {
      ...chain,
      async prepare(request, forSwap) {
        const answer = await chain.prepare(request, forSwap);
        if (answer.ok && request.purpose === purpose) made.set(answer.value.tx_hash, { request, ...forSwap });
        return answer;
      },
      async broadcast(transaction, sending) {
        const answer = await chain.broadcast(transaction, sending);
        const first = made.get(transaction.tx_hash);
        if (first === undefined || isDone) return answer;
        isDone = true;
        const again = await chain.prepare(anew(first.request), { swap: first.swap });
        if (again.ok) await chain.broadcast(again.value);
        return answer;
      },
    };
  };
}

function anew(request: PrepareRequest): PrepareRequest {
  return request.purpose === 'payment' ? { ...request, terms: otherHash(request.terms) } : request;
}

function otherHash(terms: PaymentTerms): PaymentTerms {
  return { ...terms, secretHash: `${terms.secretHash.slice(0, -2)}${terms.secretHash.endsWith('00') ? '01' : '00'}` };
}

/** It pays ether where tokens were agreed on. */
const otherCoin: Plant = (chain, other) => {
  const ether = other({ token: null, decimals: 18 });
  return {
    ...chain,
    prepare: (request, forSwap) =>
      request.purpose === 'payment'
        ? ether.prepare({ ...request, terms: { ...request.terms, amount: '0.01' as DecimalText } }, forSwap)
        : chain.prepare(request, forSwap),
  };
};

const PLANTS: readonly (readonly [what: string, side: Side, plant: Plant, found: RegExp])[] = [
  ['a second trading fee', 'taker', twice('fee'), /2 trading fees/],
  ['a second payment', 'taker', twice('payment'), /2 payments of the taker/],
  ['a payment in another coin of the chain', 'taker', otherCoin, /pays another coin/],
  ['a payment to somebody else', 'taker', (chain) => cheated(chain, { with: 'key' }), /it ended as/],
  [
    'a payment of another amount',
    'taker',
    (chain) => cheated(chain, { with: 'amount' }),
    /a payment of the taker is|it ended as/,
  ],
];

describeWith(ANVIL, 'the judge of the matrix, who knows of no fault', () => {
  let world: MatrixWorld;

  beforeAll(() => {
    world = matrixWorld();
  });
  afterAll(() => world?.close());

  it.each(PLANTS)('notices %s', async (_, planted, plant, found) => {
    const cell = ALL.find(({ title }) => title === 'ET: both sides swap');
    if (cell === undefined) throw new Error('no such cell');
    // Long enough for what is found, and not for a refund.
    const scenario = { ...cell.scenario, minutes: 45 };
    const told = await record(
      world,
      { ...cell, scenario },
      {
        open: (options) => openParty({ ...options, plant: options.side === planted ? plant : undefined }),
        kills: false,
        onBegin() {},
        onTurn() {},
        onEnd() {},
      },
    );
    expect(judge(told).join('; ')).toMatch(found);
  });
});
