import { describe, expect, it } from 'vitest';
import { Secret } from '../../../../src/primitives/secret.ts';
import { createAccess, MOST_WRONG } from '../../../../src/rpc/framework/access.ts';

const HERE = { address: '127.0.0.1', local: true };
const FAR = { address: '203.0.113.9', local: false };
const access = (localOnly = true) => createAccess({ password: new Secret('right'), localOnly });

function typeOf(run: () => void): unknown {
  try {
    run();
    return 'admitted';
  } catch (error) {
    const { kind, message } = error as { kind: { type: string; data?: { error_data: number } }; message: string };
    return kind.data === undefined ? kind.type : [kind.type, kind.data.error_data, message];
  }
}

describe('who may call', () => {
  it('an address is banned at its tenth wrong password, and then even with the right one', () => {
    const { admit, check } = access();
    const guesses = Array.from({ length: MOST_WRONG }, () => typeOf(() => check(HERE, 'wrong')));
    expect(guesses[0]).toEqual(['UserpassIsInvalid', 9, 'Userpass is invalid! - Rate Limit attempts left: 9']);
    expect(guesses.at(-1)).toEqual(['UserpassIsInvalid', 0, 'Userpass is invalid! - Rate Limit attempts left: 0']);
    expect(typeOf(() => admit(HERE, false))).toBe('Banned');
    expect(typeOf(() => admit(HERE, true))).toBe('Banned');
    expect(typeOf(() => admit({ address: '127.0.0.2', local: true }, false))).toBe('admitted');
  });

  it('a ban is reported once, when it begins', () => {
    const banned: string[] = [];
    const { check } = createAccess({ password: new Secret('right'), onBanned: (address) => banned.push(address) });
    for (let guess = 1; guess < MOST_WRONG; guess++) typeOf(() => check(HERE, 'wrong'));
    expect(banned).toEqual([]);
    for (let guess = 0; guess < 3; guess++) typeOf(() => check(HERE, 'wrong'));
    expect(banned).toEqual(['127.0.0.1']);
  });

  it('nine wrong passwords ban nobody, and the right one does not reset the count', () => {
    const { admit, check } = access();
    for (let left = MOST_WRONG - 1; left > 0; left--) typeOf(() => check(HERE, 'wrong'));
    expect(typeOf(() => admit(HERE, false))).toBe('admitted');
    expect(typeOf(() => check(HERE, 'right'))).toBe('admitted');
    expect(typeOf(() => check(HERE, 'wrong'))).toEqual(expect.arrayContaining(['UserpassIsInvalid', 0]));
    expect(typeOf(() => admit(HERE, false))).toBe('Banned');
  });

  it('a missing password is not a wrong one', () => {
    const { admit, check } = access();
    for (let left = 3 * MOST_WRONG; left > 0; left--) expect(typeOf(() => check(HERE, null))).toBe('UserpassIsNotSet');
    expect(typeOf(() => admit(HERE, false))).toBe('admitted');
  });

  it('another host may call only the public methods, unless the configuration allows more', () => {
    expect(typeOf(() => access().admit(FAR, false))).toBe('LocalHostOnly');
    expect(typeOf(() => access().admit(FAR, true))).toBe('admitted');
    expect(typeOf(() => access(false).admit(FAR, false))).toBe('admitted');
  });

  it('counts a limited number of addresses, and forgets the one that was quiet for longest', () => {
    const { admit, check } = access();
    const guess = (place: number) => typeOf(() => check({ address: `a${place}`, local: true }, 'wrong'));
    for (let left = MOST_WRONG; left > 0; left--) guess(0);
    for (let place = 1; place <= 10_000; place++) guess(place);
    expect(typeOf(() => admit({ address: 'a0', local: true }, false))).toBe('admitted');
    expect(guess(1)).toEqual(expect.arrayContaining(['UserpassIsInvalid', 8]));
  });
});
