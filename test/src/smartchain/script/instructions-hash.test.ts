import { describe, expect, it } from 'vitest';
import { agree, fail, leaves } from './running.ts';

describe('hashes and comparison', () => {
  it('give the published digests of nothing', () => {
    expect(leaves('0 SHA1')).toBe('da39a3ee5e6b4b0d3255bfef95601890afd80709');
    expect(leaves('0 RIPEMD160')).toBe('9c1185a5c5e9fc54612808977ee8f548b2258d31');
    expect(leaves('0 SHA256')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(leaves('0 HASH160')).toBe('b472a266d0bd89c13706a4132ccfb16f7c3b9fcb');
    expect(leaves('0 HASH256')).toBe('5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456');
  });

  it('compare bytes and not values', () => {
    agree({ '<0500> 5 EQUAL': '0', '5 5 EQUAL': '1', '5 5 EQUALVERIFY': '', '3 VERIFY': '' });
    fail({ '<0500> 5 EQUALVERIFY': 'EQUALVERIFY', '<80> VERIFY': 'VERIFY' });
  });
});
