import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { negotiateContract } from '../../../src/htlc/contract-rule.ts';

const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('hex'));

describe('agreeing on a swap contract', () => {
  it('accepts the own contract and the fallback in either case, and no other', () => {
    fc.assert(
      fc.property(address, address, address, (own, fallback, other) => {
        fc.pre(new Set([own, fallback, other]).size === 3);
        const rule = { kind: 'contract', address: own.toUpperCase(), fallback } as const;
        expect(negotiateContract(rule, own)).toEqual({ ok: true, address: own });
        expect(negotiateContract(rule, fallback.toUpperCase())).toEqual({ ok: true, address: fallback });
        const bytes = [...Buffer.from(other, 'hex')].join(', ');
        const reason = `UnexpectedOtherAddr, addr supplied Bytes([${bytes}])`;
        expect(negotiateContract(rule, other)).toEqual({ ok: false, reason });
        expect(negotiateContract({ ...rule, fallback: null }, fallback).ok).toBe(false);
      }),
    );
  });

  it('falls back when the other side names none', () => {
    const fallback = 'ab'.repeat(20);
    const rule = { kind: 'contract', address: 'cd'.repeat(20), fallback } as const;
    expect(negotiateContract(rule, null)).toEqual({ ok: true, address: fallback });
    expect(negotiateContract({ ...rule, fallback: null }, null)).toEqual({
      ok: false,
      reason: 'NoOtherAddrAndNoFallback',
    });
  });

  it('refuses an invalid address', () => {
    const rule = { kind: 'contract', address: 'cd'.repeat(20), fallback: null } as const;
    expect(negotiateContract(rule, '0102')).toEqual({
      ok: false,
      reason: 'InvalidOtherAddrLen, addr supplied Bytes([1, 2])',
    });
    expect(negotiateContract(rule, 'xyz').ok).toBe(false);
  });

  it('passes over a contract on a chain without', () => {
    for (const other of [null, 'ab'.repeat(20), 'xyz']) {
      expect(negotiateContract({ kind: 'none' }, other)).toEqual({ ok: true, address: null });
    }
  });
});
