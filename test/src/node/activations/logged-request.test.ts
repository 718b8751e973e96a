import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loggedRequest, loggedText } from '../../../../src/node/activations/logged-request.ts';
import type { JsonObject } from '../../../../src/primitives/json.ts';

const PASSWORD = 'Hunter2-of-the-RPC';
const SEED = 'zoo zoo zoo wrong phrase nobody';

/** Every member that any activation has, each with a text in it that must not be written. */
const poisoned = (text: string): JsonObject => ({
  userpass: text,
  coin: text,
  method: text,
  mm2: text,
  passphrase: text,
  required_confirmations: text,
  servers: [
    { url: `${text}@host.example:50001`, protocol: text, password: text },
    { url: `wss://user:${text}@host.example:50004`, timeout_sec: text },
    { url: `host.example:50001/?key=${text}`, disable_cert_verification: text },
    text,
  ],
  utxo_merge_params: { merge_at: text, [text]: 1 },
  address_format: { format: text, [text]: 'standard' },
  scan_policy: text,
  path_to_address: { account_id: text, chain: text, [text]: 7 },
  priv_key_policy: { type: text, data: text },
  [text]: 7,
});

describe('J10: what the log holds of a request', () => {
  it('are the members that take effect, as they came', () => {
    const request = {
      userpass: PASSWORD,
      method: 'electrum',
      coin: 'DOC',
      mm2: 1,
      servers: [
        { url: 'one.example:50001' },
        { url: '[::1]:50002', protocol: 'SSL', disable_cert_verification: true, timeout_sec: 7, ws_url: 'x' },
      ],
      min_connected: 1,
      max_connected: 2,
      required_confirmations: 0,
      requires_notarization: false,
      utxo_merge_params: { merge_at: 50, check_every: 11, max_merge_at_once: 25 },
      scan_policy: 'do_not_scan',
      path_to_address: { account_id: 2, chain: 'Internal', address_id: 5 },
      address_format: { format: 'segwit' },
    };
    const { userpass: _, method: __, coin: ___, ...rest } = request;
    const [first, { ws_url: ____, ...second }] = request.servers as unknown as [JsonObject, JsonObject];
    expect(loggedRequest(request, [PASSWORD])).toEqual({ ...rest, servers: [first, second] });
  });

  it('holds no text of a caller, wherever it is', () => {
    const text = fc.string({ minLength: 6, maxLength: 40 }).filter((given) => /[^\w.-]/.test(given));
    fc.assert(
      fc.property(text, (given) => {
        const written = JSON.stringify(loggedRequest(poisoned(given), []));
        expect(written).not.toContain(JSON.stringify(given).slice(1, -1));
      }),
    );
  });

  it('keeps only host and port of an address, and no secret', () => {
    const of = (url: string, hide: readonly string[] = []) =>
      (loggedRequest({ servers: [{ url }] }, hide)['servers'] as readonly JsonObject[])[0]?.['url'];
    expect(of('wss://one.example:50004')).toBe('wss://one.example:50004');
    for (const url of ['u:p@one.example:1', 'https://one.example/key', 'one.example:1?t=x', 'one two']) {
      expect(of(url)).toBe('[redacted]');
    }
    expect(of('hunter2.example:50001', ['hunter2'])).toBe('[redacted]');
    expect(loggedText(`it said ${SEED}, and rpcpassword=${PASSWORD}`, [SEED])).toBe(
      'it said [redacted], and rpcpassword=[redacted]',
    );
  });
});
