import { describe, expect, it } from 'vitest';
import { readLegacyRequest } from '../../../src/node/legacy-request.ts';
import type { JsonObject } from '../../../src/primitives/json.ts';

const SERVERS = [{ url: 'one:1' }, { url: 'two:2', protocol: 'SSL', timeout_sec: 3 }];

/** In the order in which the real node reads them: a member that is wrong, and what is said of it. */
const WRONG: readonly (readonly [JsonObject, string])[] = [
  [{ servers: [{ protocol: 'TCP' }] }, 'missing field `url`'],
  [{ utxo_merge_params: { check_every: 1 } }, 'missing field `merge_at`'],
  [{ required_confirmations: '3' }, 'invalid type: string "3", expected u64'],
  [{ requires_notarization: 1 }, 'invalid type: integer `1`, expected a boolean'],
  [{ address_format: { format: 'bare' } }, 'unknown variant `bare`'],
  [{ check_utxo_maturity: 'yes' }, 'invalid type: string "yes", expected a boolean'],
  [{ scan_policy: 'Scan' }, 'unknown variant `Scan`'],
  [{ min_addresses_number: -1 }, 'invalid value: integer `-1`, expected u32'],
  [{ priv_key_policy: 'Paper' }, 'unknown variant `Paper`, expected `ContextPrivKey` or `Trezor`'],
  [{ path_to_address: { chain: 'Sideways' } }, 'unknown variant `Sideways`'],
  [{ min_connected: 0 }, 'min_connected should be greater than 0'],
];

describe('a request of enable or electrum', () => {
  it.each(WRONG)('%o is refused', (wrong, text) => {
    expect(() => readLegacyRequest('electrum', { servers: SERVERS, ...wrong })).toThrow(text);
  });

  it('reports the one of two wrong members that the real node reads first, in any order', () => {
    for (const [place, [first, text]] of WRONG.entries()) {
      for (const [later] of WRONG.slice(place + 1)) {
        expect(() => readLegacyRequest('electrum', { servers: SERVERS, ...later, ...first })).toThrow(text);
      }
    }
  });

  it('has the defaults of the specification', () => {
    const { servers, ...rest } = readLegacyRequest('electrum', { servers: SERVERS });
    expect(servers).toEqual({
      servers: [
        { url: 'one:1', protocol: 'TCP', disableCertVerification: false, timeoutMs: 20_000 },
        { url: 'two:2', protocol: 'SSL', disableCertVerification: false, timeoutMs: 3000 },
      ],
      minConnected: 1,
      maxConnected: 2,
    });
    expect(rest).toEqual({
      merging: null,
      requiredConfirmations: null,
      requiresNotarization: null,
      addressFormat: null,
    });
  });

  it('over a daemon needs no servers and looks at none', () => {
    const { servers } = readLegacyRequest('enable', { servers: 5, min_connected: 0 });
    expect(servers).toBeNull();
  });

  it('treats invalid numbers of connections as absent', () => {
    const told = (members: JsonObject) => readLegacyRequest('electrum', { servers: SERVERS, ...members }).servers;
    for (const none of [null, 'two', -1, 1.5]) {
      const found = told({ min_connected: none, max_connected: none });
      expect([found?.minConnected, found?.maxConnected]).toEqual([1, 2]);
    }
    expect(() => told({ min_connected: 3 })).toThrow('min_connected (3) must be <= max_connected (2)');
    expect(told({ min_connected: 2, max_connected: 9 })).toMatchObject({ minConnected: 2, maxConnected: 9 });
  });
});
