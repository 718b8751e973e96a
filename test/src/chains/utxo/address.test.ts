import { describe, expect, it } from 'vitest';
import { type AddressForm, addressScript, keyAddress } from '../../../../src/chains/utxo/address.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';

const form = (keyPrefix: readonly number[], scriptPrefix: readonly number[], bech32: string | null): AddressForm => ({
  keyPrefix: Uint8Array.from(keyPrefix),
  scriptPrefix: Uint8Array.from(scriptPrefix),
  bech32,
});
const BITCOIN = form([0], [5], 'bc');
const KOMODO = form([60], [85], null);
const ZCASH = form([0x1c, 0xb8], [0x1c, 0xbd], null);

/** The generator of the curve, whose addresses BIP 173 and every block explorer show. */
const ONE = hexToBytes('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798');
const HASH = '751e76e8199196d454941c45d1b3a323f1433bd6';

describe('the address of a key', () => {
  it('is that of BIP 173 with a witness, and the usual one without', () => {
    expect(keyAddress(ONE, { form: BITCOIN, kind: 'p2wpkh' })).toBe('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4');
    expect(keyAddress(ONE, { form: BITCOIN, kind: 'p2pkh' })).toBe('1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH');
  });

  it('has a prefix of two bytes if the network has one', () => {
    const address = keyAddress(ONE, { form: ZCASH, kind: 'p2pkh' });
    expect(address).toMatch(/^t1/);
    expect(bytesToHex(addressScript(address, ZCASH) ?? new Uint8Array(0))).toBe(`76a914${HASH}88ac`);
  });

  it('has no witness if the network has none', () => {
    expect(() => keyAddress(ONE, { form: KOMODO, kind: 'p2wpkh' })).toThrow(RangeError);
  });
});

describe('the script of an address', () => {
  const scriptOf = (text: string, of: AddressForm) => {
    const script = addressScript(text, of);
    return script === null ? null : bytesToHex(script);
  };

  it.each([
    ['1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH', `76a914${HASH}88ac`],
    ['3P14159f73E4gFr7JterCCQh9QjiTjiZrG', 'a914e9c3dd0c07aac76179ebc76a6c78d4d67c6c160a87'],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', `0014${HASH}`],
    ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', `0014${HASH}`],
    [
      'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
      '00201863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262',
    ],
  ])('of %s', (address, script) => expect(scriptOf(address, BITCOIN)).toBe(script));

  it.each([
    ['', 'nothing'],
    ['1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMJ', 'a wrong checksum'],
    ['RRnMcSeKiLrNdbp91qNVQwwXx5azD4S4CD', 'another network'],
    ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'another network with a witness'],
    ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0', 'a later version of the witness'],
    ['1'.repeat(500), 'a long text'],
  ])('is none for %s: %s', (address) => expect(scriptOf(address, BITCOIN)).toBeNull());
});

describe('cash addresses', () => {
  const CASH: AddressForm = { ...BITCOIN, bech32: null, cash: 'bitcoincash' };
  const asScript = (text: string, of: AddressForm) => bytesToHex(addressScript(text, of) ?? new Uint8Array(0));

  it.each([
    ['1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
    ['1KXrWXciRDZUpQwQmuM1DbwsKDLYAYsVLR', 'bitcoincash:qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy'],
    ['16w1D5WRVKJuZUsSRzdLp9w3YGcgoxDXb', 'bitcoincash:qqq3728yw0y47sqn6l2na30mcw6zm78dzqre909m2r'],
    ['3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC', 'bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq'],
    ['3LDsS579y7sruadqu11beEJoTjdFiFCdX4', 'bitcoincash:pr95sy3j9xwd2ap32xkykttr4cvcu7as4yc93ky28e'],
    ['31nwvkZwyPdgzjBJZXfDmSWsC4ZLKpYyUw', 'bitcoincash:pqq3728yw0y47sqn6l2na30mcw6zm78dzq5ucqzc37'],
  ])('%s of the published list is %s', (older, cash) => {
    expect(asScript(cash, CASH)).toBe(asScript(older, BITCOIN));
    expect(asScript(cash.slice('bitcoincash:'.length), CASH)).toBe(asScript(older, BITCOIN));
    expect(asScript(cash.toUpperCase(), CASH)).toBe(asScript(older, BITCOIN));
    // One form where the other is written pays nobody: the same first bytes are those of another chain.
    expect(addressScript(older, CASH)).toBeNull();
    expect(addressScript(cash, BITCOIN)).toBeNull();
  });

  it('are the own ones if the coin uses them', () => {
    const own = keyAddress(ONE, { form: CASH, kind: 'p2pkh' });
    expect(own).toMatch(/^bitcoincash:q/);
    expect(asScript(own, CASH)).toBe(`76a914${HASH}88ac`);
    expect(keyAddress(ONE, { form: { ...CASH, cash: 'bchtest' }, kind: 'p2pkh' })).toMatch(/^bchtest:q/);
  });

  it('with any one letter changed, of another network, or in both cases are invalid', () => {
    const address = 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a';
    for (let place = 'bitcoincash:'.length; place < address.length; place++) {
      for (const letter of 'qpz') {
        if (address[place] === letter) continue;
        expect(addressScript(address.slice(0, place) + letter + address.slice(place + 1), CASH)).toBeNull();
      }
    }
    expect(addressScript(address.replace('bitcoincash', 'bchtest'), CASH)).toBeNull();
    expect(addressScript(address, { ...CASH, cash: 'bchtest' })).toBeNull();
    expect(addressScript(address.replace('qpm2', 'qPm2'), CASH)).toBeNull();
    expect(addressScript('bitcoincash:', CASH)).toBeNull();
    // Of the published list too: a hash of 24 bytes, which pays to nothing that is known here.
    expect(addressScript('bitcoincash:q9adhakpwzztepkpwp5z0dq62m6u5v5xtyj7j3h2ws4mr9g0', CASH)).toBeNull();
  });
});
