import { createBase58check } from '@scure/base';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hash160, sha256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import {
  type Address,
  addressScript,
  decodeAddress,
  encodeAddress,
  segid,
} from '../../../../src/smartchain/encoding/address.ts';
import { decodeWif } from '../../../../src/smartchain/keys/wif.ts';
import { PREFIXES } from '../../../../src/smartchain/params.ts';
import { describeShared, readShared } from '../../../support/shared.ts';
import { BITCOIN_MAIN, BITCOIN_TEST } from '../bitcoin-prefixes.ts';

const { main } = PREFIXES;
const address: fc.Arbitrary<Address> = fc.record({
  kind: fc.constantFrom('key' as const, 'script' as const),
  hash: fc.uint8Array({ minLength: 20, maxLength: 20 }),
});

it('reads back what it wrote, with any white space of C around it', () => {
  const spaces = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\v', '\f', '\r') });
  fc.assert(
    fc.property(address, spaces, spaces, (original, before, after) => {
      expect(decodeAddress(before + encodeAddress(original, main) + after, main)).toEqual(original);
    }),
  );
});

it('refuses a text with any character replaced, left out or doubled', () => {
  const digits = [...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz 0OIl\u00a0\u0131\0'];
  fc.assert(
    fc.property(address, fc.nat(33), fc.constantFrom('', ...digits), (original, index, put) => {
      const text = encodeAddress(original, main);
      const altered = text.slice(0, index) + put + text.slice(index + 1);
      fc.pre(altered.trim() !== text);
      expect(decodeAddress(altered, main)).toBeUndefined();
      expect(decodeAddress(text.slice(0, index) + text.slice(index - 1), main)).toBeUndefined();
    }),
  );
});

it.each(['\u00a0', '\ufeff', '\u2028', '\0'])('does not treat %j as white space', (character) => {
  const text = encodeAddress({ kind: 'key', hash: new Uint8Array(20) }, main);
  expect(decodeAddress(text + character, main)).toBeUndefined();
  expect(decodeAddress(character + text, main)).toBeUndefined();
});

it.each([0, 19, 21, 32])('refuses a right checksum over a hash of %i bytes', (size) => {
  const text = createBase58check(sha256).encode(new Uint8Array(1 + size).fill(60));
  expect(decodeAddress(text, main)).toBeUndefined();
});

it('refuses a long text quickly', () => {
  const started = performance.now();
  expect(decodeAddress('2'.repeat(1_000_000), main)).toBeUndefined();
  expect(decodeAddress(`${' '.repeat(1_000_000)}x${' '.repeat(1_000_000)}x`, main)).toBeUndefined();
  expect(performance.now() - started).toBeLessThan(1000);
});

it.each([19, 21])('throws for a hash of %i bytes', (size) => {
  const wrong: Address = { kind: 'script', hash: new Uint8Array(size) };
  expect(() => encodeAddress(wrong, main)).toThrow(RangeError);
  expect(() => addressScript(wrong)).toThrow(RangeError);
});

type Published = {
  readonly request: string;
  readonly expected: {
    readonly address: string;
    readonly scriptPubKey: string;
    readonly segid: number;
    readonly isscript: boolean;
    readonly pubkey?: string;
  };
};

describeShared('published addresses', () => {
  const { vectors, negative } = JSON.parse(readShared('vectors/node/validateaddress.json')) as {
    vectors: Published[];
    negative: { request: string; why: string }[];
  };

  it.each(vectors)('$request', ({ request, expected }) => {
    const decoded = decodeAddress(request, main) as Address;
    expect(encodeAddress(decoded, main)).toBe(expected.address);
    expect(bytesToHex(addressScript(decoded))).toBe(expected.scriptPubKey);
    expect(segid(request)).toBe(expected.segid);
    expect(decoded.kind === 'script').toBe(expected.isscript);
    if (expected.pubkey !== undefined) expect(decoded.hash).toEqual(hash160(hexToBytes(expected.pubkey)));
  });

  it.each(negative)('refused for its $why', ({ request }) => {
    expect(decodeAddress(request, main)).toBeUndefined();
  });

  it('segments depend on the text, not on the address', () => {
    const texts = Array.from({ length: 8 }, (_, count) => (vectors[0] as Published).request + ' '.repeat(count));
    expect(new Set(texts.map(segid)).size).toBeGreaterThan(1);
  });
});

type KeyIo = [text: string, hex: string, about: { isPrivkey: boolean; chain: string }];
type Classic = [text: string, hex: string, about: { isPrivkey: boolean; isTestnet: boolean; addrType?: string }];

// Bitcoin's own vectors hold its own prefixes; the file gives its main ones with those of the smart chain as well.
describeShared('addresses of Bitcoin Core', () => {
  const valid = JSON.parse(readShared('vectors/node/bitcoin-key_io-valid.json')) as {
    vectors: KeyIo[];
    komodo: KeyIo[];
  };
  const invalid = JSON.parse(readShared('vectors/node/bitcoin-key_io-invalid.json')) as { vectors: [string][] };
  const classic = JSON.parse(readShared('vectors/node/bitcoin-base58-keys.json')) as {
    valid: Classic[];
    invalid: [string][];
  };
  const zcash = JSON.parse(readShared('vectors/node/node-base58-keys-zcash.json')) as {
    valid: KeyIo[];
    invalid: [string][];
  };
  const ofKeys = [...valid.vectors, ...valid.komodo].filter(([, , { isPrivkey }]) => !isPrivkey);

  it('are read to their scripts and written back', () => {
    expect(ofKeys).toHaveLength(27 + 14);
    for (const [text, script, { chain }] of ofKeys) {
      const prefixes = { main: BITCOIN_MAIN, test: BITCOIN_TEST, regtest: BITCOIN_TEST, 'komodo-main': main }[chain];
      const decoded = decodeAddress(text, prefixes as typeof main) as Address;
      expect(bytesToHex(addressScript(decoded)), text).toBe(script);
      expect(encodeAddress(decoded, prefixes as typeof main)).toBe(text);
    }
  });

  it('of the classic file have their kind and hash', () => {
    const addresses = classic.valid.filter(([, , { isPrivkey }]) => !isPrivkey);
    expect(addresses).toHaveLength(26);
    for (const [text, hex, { isTestnet, addrType }] of addresses) {
      const decoded = decodeAddress(text, isTestnet ? BITCOIN_TEST : BITCOIN_MAIN);
      expect(decoded, text).toEqual({ kind: addrType === 'script' ? 'script' : 'key', hash: hexToBytes(hex) });
      expect(decodeAddress(text, isTestnet ? BITCOIN_MAIN : BITCOIN_TEST)).toBeUndefined();
      expect(decodeAddress(text, main)).toBeUndefined();
    }
  });

  it('are refused if they are wrong, under any prefixes, as keys too', () => {
    const texts = [...invalid.vectors, ...classic.invalid, ...zcash.invalid].map(([text]) => text);
    expect(texts).toHaveLength(60 + 50 + zcash.invalid.length);
    for (const prefixes of [main, BITCOIN_MAIN, BITCOIN_TEST]) {
      for (const text of texts) {
        expect(decodeAddress(text, prefixes), text).toBeUndefined();
        expect(decodeWif(text, prefixes), text).toBeUndefined();
      }
    }
  });

  it('of Zcash, with prefixes of two bytes, are no addresses of a smart chain', () => {
    const addresses = zcash.valid.filter(([, , { isPrivkey }]) => !isPrivkey);
    expect(addresses).toHaveLength(26);
    for (const [text, script] of addresses) {
      expect(decodeAddress(text, main), text).toBeUndefined();
      const payload = createBase58check(sha256).decode(text).slice(2);
      expect(script).toContain(bytesToHex(payload));
    }
  });
});
