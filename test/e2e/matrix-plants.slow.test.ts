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

/** What waits is taken for what is as deep as any. */
const hasty: Plant = (chain) => ({
  ...chain,
  async payment(query) {
    const answer = await chain.payment(query);
    if (!answer.ok || answer.value.funding === null) return answer;
    return { ...answer, value: { ...answer.value, funding: { ...answer.value.funding, confirmations: 9 } } };
  },
});

/** A claim is sent though the contract would refuse it, and nothing is seen of why. */
const blind: Plant = (chain) => ({
  ...chain,
  async payment(query) {
    const answer = await chain.payment(query);
    return answer.ok ? { ...answer, value: { ...answer.value, problem: null } } : answer;
  },
  prepare: (request, forSwap) =>
    chain.prepare(request.purpose === 'claim' ? { ...request, doubtful: true } : request, forSwap),
});

type Planted = {
  readonly what: string;
  readonly side: Side;
  readonly plant: Plant;
  readonly found: RegExp;
  readonly cell?: string;
  /** Long enough for what is found, and not for more. @defaultValue 12 */
  readonly minutes?: number;
};

const PLANTS: readonly Planted[] = [
  { what: 'a second trading fee', side: 'taker', plant: twice('fee'), found: /2 trading fees/ },
  { what: 'a second payment', side: 'taker', plant: twice('payment'), found: /2 payments of the taker/ },
  {
    what: 'a payment in another coin of the chain',
    side: 'taker',
    plant: otherCoin,
    found: /pays another coin/,
  },
  {
    what: 'a payment to somebody else',
    side: 'taker',
    plant: (chain) => cheated(chain, { with: 'key' }),
    found: /it ended as/,
  },
  {
    what: 'a payment of another amount',
    side: 'taker',
    plant: (chain) => cheated(chain, { with: 'amount' }),
    found: /a payment of the taker is|it ended as/,
  },
  {
    what: 'a secret that is shown before a payment is in a block, and coins that are lost by it',
    side: 'maker',
    plant: (chain, other) => blind(hasty(chain, other), other),
    cell: 'AT: the taker takes the nonce of its payment for something else and is gone',
    found: /it ended as {"maker":"claimed","taker":"none","fee":true}.*the secret of \w+ is out/,
  },
  {
    what: 'a secret that is shown by a claim without effect',
    side: 'maker',
    plant: blind,
    cell: 'AT: the tokens of the taker stand still until they can be taken back',
    found: /the secret of \w+ is out/,
  },
];

describeWith(ANVIL, 'the judge of the matrix, who knows of no fault', () => {
  let world: MatrixWorld;

  beforeAll(() => {
    world = matrixWorld();
  });
  afterAll(() => world?.close());

  it.each(PLANTS)('notices $what', async (planted) => {
    const { plant, found, minutes = 12, cell: wanted = 'ET: both sides swap' } = planted;
    const cell = ALL.find(({ title }) => title === wanted);
    if (cell === undefined) throw new Error('no such cell');
    const scenario = { ...cell.scenario, minutes };
    const told = await record(
      world,
      { ...cell, scenario },
      {
        open: (options) => openParty({ ...options, plant: options.side === planted.side ? plant : undefined }),
        kills: false,
        onBegin() {},
        onTurn() {},
        onEnd() {},
      },
    );
    expect(judge(told).join('; ')).toMatch(found);
  });
});
