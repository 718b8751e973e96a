import { expect, it } from 'vitest';
import { check } from '../../../../src/testing/check/check.ts';
import { renderViolation } from '../../../../src/testing/check/render.ts';

it('a swap whose watcher is paid on both chains keeps every rule, whoever is away for a while', () => {
  const chains = { maker: 'account', taker: 'account' } as const;
  const { complete, violations, events } = check({ rewards: true, chains, watcher: 'engine', crashes: 1 });
  expect(violations.map((violation) => renderViolation(violation))).toEqual([]);
  expect(complete).toBe(true);
  for (const event of ['watcher/MakerPaymentSpent', 'watcher/TakerPaymentRefunded', 'taker/MakerPaymentSpentByWatcher'])
    expect(events).toContain(event);
});
