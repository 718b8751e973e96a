import { expect, it } from 'vitest';
import { SharedCoins } from '../../../../src/node/qrc20/shared-coins.ts';
import { hexToBytes } from '../../../../src/primitives/hex.ts';

const KEY = hexToBytes(`02${'5e'.repeat(32)}`);
const OTHER_KEY = hexToBytes(`03${'c7'.repeat(32)}`);

it('the coin of a chain and its tokens share the promises of one key, and not those of another key or chain', () => {
  const coins = new SharedCoins();
  const qtum = coins.join({ platform: 'QTUM', key: KEY, token: null });
  const token = coins.join({ platform: 'QTUM', key: KEY, token: 'QTOK' });
  expect(token.reservations).toBe(qtum.reservations);
  expect(coins.join({ platform: 'QTUM', key: OTHER_KEY, token: 'QTOK' }).reservations).not.toBe(qtum.reservations);
  expect(coins.join({ platform: 'tQTUM', key: KEY, token: 'QTOK' }).reservations).not.toBe(qtum.reservations);
});

it('a coin that leaves releases its own reservations, and no others, however often it leaves', () => {
  const coins = new SharedCoins();
  const qtum = coins.join({ platform: 'QTUM', key: KEY, token: null });
  const token = coins.join({ platform: 'QTUM', key: KEY, token: 'QTOK' });
  const other = coins.join({ platform: 'QTUM', key: KEY, token: 'OTOK' });
  const { held } = qtum.reservations;
  for (const name of ['a-swap', 'a-swap QTOK', 'a-swap OTOK', 'b-swap QTOK']) held.set(name, 7n);
  token.leave();
  token.leave();
  expect([...held.keys()]).toEqual(['a-swap', 'a-swap OTOK']);
  qtum.leave();
  expect([...held.keys()]).toEqual(['a-swap OTOK']);
  // Somebody is still there, so that what is signed stays taken; once nobody is, all begins anew.
  expect(coins.join({ platform: 'QTUM', key: KEY, token: null }).reservations).toBe(other.reservations);
});

it('unused reservations are released', () => {
  const coins = new SharedCoins();
  const first = coins.join({ platform: 'QTUM', key: KEY, token: 'QTOK' });
  first.leave();
  expect(coins.join({ platform: 'QTUM', key: KEY, token: 'QTOK' }).reservations).not.toBe(first.reservations);
});
