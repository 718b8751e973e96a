import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type EnableTendermintRequest,
  loggedTendermintRequest,
  withheldFromTendermint,
} from '../../../src/events/enable-tendermint-request.ts';
import { keyPathOf } from '../../../src/node/coin-keys.ts';
import { ownerOf } from '../../../src/node/tendermint/key-elsewhere.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';
import type { JsonObject } from '../../../src/primitives/json.ts';

const KEY = [...hexToBytes('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798')];
const ENTRY = { derivation_path: "m/44'/118'" };
const WHOLE = { ticker: 'IRIS', nodes: [{ url: 'https://node.example' }], tokens_params: [] };

/** Whose account a request is about, or why it is refused. */
function accountOf(request: EnableTendermintRequest): string {
  try {
    const owner = ownerOf(request, 'specification');
    if (owner.kind === 'watched') return bytesToHex(owner.key);
    if (owner.kind === 'session') return owner.topic.reveal();
    const { path_to_address: path } = request;
    return keyPathOf(ENTRY, path === undefined ? {} : ({ path_to_address: path } as JsonObject));
  } catch (error) {
    return (error as Error).message;
  }
}

const value = fc.oneof(
  fc.constant(KEY),
  fc.constant(KEY.slice(1)),
  fc.constant([...KEY.slice(1), 256]),
  fc.constant('AnmZ'),
  fc.array(fc.integer({ min: -1, max: 300 }), { maxLength: 3 }),
);
const pubkey = fc.record({ type: fc.constantFrom('secp256k1', 'ed25519', 'sr25519', 7), value });
const data = fc.oneof(
  fc.record({ pubkey }),
  fc.constantFrom({}, 'a topic', null, 7),
  fc.constant({ session_topic: 't' }),
);
const type = fc.constantFrom('WithPubkey', 'WalletConnect', 'Metamask', null);
const elsewhere = fc.oneof(
  fc.record({ type, params: data }, { requiredKeys: [] }),
  fc.record({ priv_key_policy: fc.oneof(fc.record({ type, data }), type) }, { requiredKeys: [] }),
  fc.constantFrom(null, 'WithPubkey', 7, []),
);
const number = fc.constantFrom(0, 1, 2 ** 31, -1, 0.5, 'one', null);
const path = fc.oneof(
  fc.record(
    { account_id: number, chain: fc.constantFrom('External', 'Internal', 'Foo', 7, null), address_id: number },
    { requiredKeys: [] },
  ),
  fc.constantFrom(null, 'm/44', 7, []),
);
const policy = fc.constantFrom('ContextPrivKey', 'Trezor', 'Foo', { type: 'ContextPrivKey' }, { type: 'Foo' }, 7, null);

describe('a request of a Tendermint activation in the log', () => {
  it('is about the same account, or says what it lacks', () => {
    const members = fc.record(
      { activation_params: elsewhere, path_to_address: path, priv_key_policy: policy },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(members, (given) => {
        const request = { ...WHOLE, ...given };
        if (withheldFromTendermint(request).length > 0) return;
        expect(accountOf(loggedTendermintRequest(request))).toBe(accountOf(request));
      }),
      { numRuns: 2000 },
    );
  });

  it('lacks nothing that it can hold', () => {
    const params = { pubkey: { type: 'secp256k1', value: KEY } };
    const held = [
      {},
      { activation_params: null, path_to_address: null, priv_key_policy: null },
      { activation_params: { type: 'WithPubkey', params } },
      { activation_params: { priv_key_policy: { type: 'WithPubkey', data: params } } },
      { path_to_address: { account_id: 3, chain: 'Internal', address_id: 2 } },
      { path_to_address: { address_id: 2, chain: null } },
      { priv_key_policy: { type: 'ContextPrivKey' } },
    ];
    for (const members of held) expect(withheldFromTendermint({ ...WHOLE, ...members })).toEqual([]);
  });

  it.each([
    ['/nodes/0/url', { nodes: [{ url: 'https://user:pass@node.example' }] }],
    [
      '/activation_params/priv_key_policy/data',
      { activation_params: { priv_key_policy: { type: 'WalletConnect', data: 't' } } },
    ],
    ['/activation_params/params', { activation_params: { type: 'WalletConnect', params: { session_topic: 't' } } }],
    [
      '/activation_params',
      { activation_params: { type: 'WithPubkey', params: { pubkey: { type: 'secp256k1', value: 'AnmZ' } } } },
    ],
    ['/activation_params', { activation_params: { priv_key_policy: { type: 'Metamask' } } }],
    ['/path_to_address', { path_to_address: { account_id: -1 } }],
    ['/path_to_address', { path_to_address: 'm/44' }],
    ['/priv_key_policy', { priv_key_policy: 'Foo' }],
  ])('lacks %s of %j', (pointer, members) => {
    expect(withheldFromTendermint({ ...WHOLE, ...members })).toEqual([pointer]);
  });
});
