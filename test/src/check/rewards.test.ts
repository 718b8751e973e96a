import { describe, expect, it } from 'vitest';
import type { BoundsChanges } from '../../../src/check/bounds.ts';
import { check } from '../../../src/check/check.ts';
import { renderViolation } from '../../../src/check/render.ts';
import type { PrepareRequest } from '../../../src/ports/chain.ts';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import { type Behaviour, SOUND } from '../../../src/sim/world/node.ts';
import { oneIn } from '../../support/draws.ts';

const ACCOUNT = 'account';
const UTXO = 'utxo';

/** Where watchers are paid: by both chains, by that of the maker alone, and by that of the taker alone. */
const PAYING: readonly (readonly [name: string, bounds: BoundsChanges])[] = [
  ['both chains', { rewards: true, chains: { maker: ACCOUNT, taker: ACCOUNT }, watcher: 'engine' }],
  ['the chain of the maker', { rewards: true, chains: { maker: ACCOUNT, taker: UTXO }, watcher: 'engine' }],
  ['the chain of the taker', { rewards: true, chains: { maker: UTXO, taker: ACCOUNT }, watcher: 'engine' }],
];

type Paying = Extract<PrepareRequest, { readonly purpose: 'payment' }>;

/** An engine whose payments promise something else than it means to. */
function promising(change: (request: Paying) => Paying): Behaviour {
  return {
    ...SOUND,
    decide: (runner, now, node) => {
      const command = SOUND.decide(runner, now, node);
      if (command.kind !== 'ask' || command.question.op !== 'prepare') return command;
      const { request } = command.question;
      if (request.purpose !== 'payment' || request.reward === undefined) return command;
      return { ...command, question: { ...command.question, request: change(request) } };
    },
  };
}

const amount = (text: string) => promising((request) => ({ ...request, reward: text as DecimalText }));
/** As the other side's payment would promise it. */
const OTHER_SIDE = promising((request) => {
  const { reward: role } = request.terms;
  if (role === undefined) return request;
  return {
    ...request,
    terms: { ...request.terms, reward: { ...role, leg: role.leg === 'maker' ? 'taker' : 'maker' } },
  };
});

describe('a swap whose watcher is paid', () => {
  it.each(oneIn(3, PAYING))('keeps every rule if %s pays', (_, bounds) => {
    const { complete, violations, events } = check(bounds);
    expect(violations.map((violation) => renderViolation(violation))).toEqual([]);
    expect(complete).toBe(true);
    expect(events).toContain('taker/WatcherMessageSent');
    expect(events).toContain('watcher/TakerPaymentRefunded');
  });

  it.each<[string, 'maker' | 'taker', Behaviour]>([
    ['of the other side', 'maker', OTHER_SIDE],
    ['of the other side', 'taker', OTHER_SIDE],
    ['in base units for coins', 'maker', amount('70000')],
    ['in base units for coins', 'taker', amount('500')],
    ['twice as much', 'maker', amount('0.0014')],
    ['twice as much', 'taker', amount('0.00001')],
  ])('is found if a payment promises the reward %s: by the %s', (_, party, behaviour) => {
    const [, bounds] = PAYING[0] as (typeof PAYING)[number];
    const { violations } = check(bounds, { behaviours: { [party]: behaviour } });
    expect(violations.map(({ rule, party: who }) => [rule, who])).toEqual([['R18', party]]);
  });
});
