import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../../src/primitives/secret.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import { basicAuth, punish, WRONG_DELAY_MS } from '../../../../src/rpc/smart-chain/auth.ts';
import { createVirtualClock } from '../../../../src/sim/virtual-clock.ts';

const header = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const verdict = basicAuth({ user: 'user', password: new Secret('pass:wörd') });

describe('basic authentication', () => {
  it('admits the one user with the one password', () => {
    expect(verdict(header('user:pass:wörd'))).toBe('allowed');
    expect(verdict(`${header('user:pass:wörd')}  `)).toBe('allowed');
  });

  it.each(['user:pass:word', 'user:', ':pass:wörd', 'user', '', 'User:pass:wörd', 'user:pass:wörd '])(
    'tells %j from them',
    (text) => {
      expect(verdict(header(text))).toBe('wrong');
    },
  );

  it.each([
    '',
    'Basic',
    'Basic ',
    'Bearer abc',
    `basic ${header('user:pass:wörd').slice(6)}`,
    'Basic ====',
    'Basic \u0000',
  ])('treats the header %j as wrong credentials', (given) => {
    expect(verdict(given)).toBe('wrong');
  });

  it('tells a request without a header from one with a wrong one', () => {
    expect(verdict(undefined)).toBe('missing');
  });

  it('admits nobody with other credentials, whatever they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, raw) => {
        if (text !== 'user:pass:wörd') expect(verdict(header(text))).toBe('wrong');
        expect(verdict(raw)).toBe('wrong');
      }),
    );
  });

  it('lets nobody in with a header that differs in a letter, ends earlier or continues', () => {
    const right = header('user:pass:wörd');
    const scheme = 'Basic '.length;
    for (let index = scheme; index < right.length; index++) {
      const other = right[index] === 'A' ? 'B' : 'A';
      expect(verdict(right.slice(0, index) + other + right.slice(index + 1))).toBe('wrong');
      expect(verdict(right.slice(0, index))).toBe('wrong');
    }
    expect(verdict(`${right}AAAA`)).toBe('wrong');
    expect(verdict(right)).toBe('allowed');
  });

  it('cannot be set up with an empty password', () => {
    const make = () => basicAuth({ user: 'user', password: new Secret('') });
    expect(make).toThrow(expect.objectContaining({ code: 'SMARTCHAIN_OPTION_INVALID' }));
  });
});

describe('the wait after wrong credentials', () => {
  it('lasts a quarter of a second', async () => {
    const clock = createVirtualClock(millisOf(1_000_000));
    let over = false;
    const waiting = punish(clock).then(() => {
      over = true;
    });
    expect(clock.next()).toBe(1_000_000 + WRONG_DELAY_MS);
    clock.advanceTo(millisOf(1_000_249));
    await Promise.resolve();
    expect(over).toBe(false);
    clock.advanceTo(millisOf(1_000_250));
    await waiting;
    expect(over).toBe(true);
  });
});
