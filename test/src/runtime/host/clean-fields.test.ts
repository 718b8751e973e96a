import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactAddresses } from '../../../../src/primitives/redact-text.ts';
import { cleanFields } from '../../../../src/runtime/host/clean-fields.ts';

describe('the address of a node', () => {
  const shown: Readonly<Record<string, string>> = {
    'request to https://mainnet.example/v3/0a1b2c?token=t failed':
      'request to https://mainnet.example/[redacted] failed',
    'http://node.example?key=5e': 'http://node.example/[redacted]',
    'wss://node.example#5e, again': 'wss://node.example/[redacted] again',
    'ws://user:word@node.example:8545/key': 'ws://[redacted]@node.example:8545/[redacted]',
    'https://user:p@ss@node.example/x': 'https://[redacted]@node.example/[redacted]',
    'ssl://user@electrum.example:50002': 'ssl://[redacted]@electrum.example:50002',
    'HTTPS://Node.Example/Key': 'HTTPS://Node.Example/[redacted]',
    'https://a.example/1 and https://b.example/2': 'https://a.example/[redacted] and https://b.example/[redacted]',
    '"https://a.example/1"': '"https://a.example/[redacted]"',
    'https://a.example/ and no more': 'https://a.example/ and no more',
    'tcp://electrum.example:50001/path': 'tcp://electrum.example:50001/path',
    'no address at all': 'no address at all',
  };
  for (const [text, cleaned] of Object.entries(shown)) {
    it(`${text} is shown as ${cleaned}`, () => {
      expect(redactAddresses(text)).toBe(cleaned);
      expect(cleanFields({ text })).toStrictEqual({ text: cleaned });
    });
  }
});

const hexDigits = (minLength: number, maxLength: number) =>
  fc.array(fc.constantFrom(...'0123456789abcdefABCDEF'), { minLength, maxLength }).map((digits) => digits.join(''));

describe('a field of a log line', () => {
  it('is left out by its name, whatever it holds', () => {
    const names = [
      'secret',
      'My_Secret',
      'privKey',
      'seed',
      'mnemonic',
      'passphrase',
      'PASSWORD',
      'tx_hex',
      'preimage',
    ];
    for (const name of names) {
      for (const value of ['x', 5, true, null])
        expect(cleanFields({ [name]: value })).toStrictEqual({ [name]: '[redacted]' });
    }
  });

  it('shows no run of hex that could hold 16 bytes, and every shorter one', () => {
    fc.assert(
      fc.property(hexDigits(32, 200), fc.constantFrom('', '0x'), (digits, prefix) => {
        expect(cleanFields({ text: `of ${prefix}${digits}.` })).toStrictEqual({ text: 'of [redacted].' });
      }),
    );
    fc.assert(
      fc.property(hexDigits(0, 21), (digits) => {
        expect(cleanFields({ text: `of ${digits}.` })).toStrictEqual({ text: `of ${digits}.` });
      }),
    );
  });

  it('that is an id, a number or nothing is shown as it is', () => {
    const id = 'ab'.repeat(32);
    const fields = {
      tx_hash: id,
      hash: id,
      counterparty: id,
      from: id,
      count: 3,
      ok: false,
      coin: null,
      kind: undefined,
    };
    expect(cleanFields(fields)).toStrictEqual(fields);
  });
});
