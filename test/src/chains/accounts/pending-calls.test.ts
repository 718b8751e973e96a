import { expect, it } from 'vitest';
import { PendingCalls } from '../../../../src/chains/accounts/pending-calls.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';

const PATIENT = { late: 'too late', within: 60_000 };

it('calls end with their outcome, together, or too late, and none is kept once it is over', async () => {
  const pending = new PendingCalls();
  expect(await pending.run(Promise.resolve(7), PATIENT)).toBe(7);
  await expect(pending.run(Promise.reject(new TypeError('a bug')), PATIENT)).rejects.toThrow('a bug');
  await expect(pending.run(new Promise(() => {}), { late: 'too late', within: 1 })).rejects.toThrow('too late');
  const asked = [1, 2].map(() => pending.run(new Promise(() => {}), PATIENT));
  expect(pending.count()).toBe(2);
  pending.end(new BackendSilent('closed'));
  for (const one of asked) await expect(one).rejects.toThrow(new BackendSilent('closed'));
  expect(pending.count()).toBe(0);
});
