import { describe, expect, it } from 'vitest';
import { ownerOf, watchingSigner } from '../../../../src/node/tendermint/key-elsewhere.ts';
import { tendermintParams } from '../../../../src/node/tendermint/params.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';

const KEY = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
const BYTES = [...hexToBytes(KEY)];

const asked = (more: object, mode: 'specification' | 'kdf' = 'kdf') => {
  const params = tendermintParams[mode].parse({ ticker: 'IRIS', nodes: [], tokens_params: [], ...more });
  const owner = ownerOf(params, mode);
  if (owner.kind === 'session') return owner.topic.reveal();
  return owner.kind === 'own' ? null : bytesToHex(owner.key);
};
const pubkey = (value: unknown, type = 'secp256k1') => ({
  activation_params: { type: 'WithPubkey', params: { pubkey: { type, value }, is_ledger_connection: false } },
});

describe('the key of an account elsewhere', () => {
  it('is what a request names, in either form', () => {
    expect(asked(pubkey(BYTES))).toBe(KEY);
    expect(asked(pubkey(BYTES), 'specification')).toBe(KEY);
    const data = { pubkey: { type: 'secp256k1', value: BYTES } };
    const form = { activation_params: { priv_key_policy: { type: 'WithPubkey', data } } };
    expect(asked(form, 'specification')).toBe(KEY);
    for (const none of [{}, { activation_params: null }]) expect(asked(none)).toBeNull();
  });

  it.each([
    ['too short', BYTES.slice(1)],
    ['too long', [...BYTES, 1]],
    ['no array', KEY],
    ['of numbers that are no bytes', [...BYTES.slice(1), 256]],
    ['of half a number', [...BYTES.slice(1), 0.5]],
    ['no point of the curve', [2, ...new Array<number>(31).fill(0), 5]],
  ])('is invalid if it is %s', (_, value) => {
    expect(() => asked(pubkey(value))).toThrow('expected 33 bytes of a compressed secp256k1 key');
  });

  it('of another curve is refused, and so is an unknown wallet', () => {
    expect(() => asked(pubkey(BYTES, 'ed25519'))).toThrow('accounts with ed25519 keys cannot be watched');
    const other = { priv_key_policy: { type: 'Metamask' } };
    expect(() => asked({ activation_params: other }, 'specification')).toThrow('"Metamask" is unknown');
  });

  it('is never the own one if the named key cannot be read', () => {
    const whole = { ticker: 'IRIS', nodes: [], tokens_params: [] };
    for (const activation_params of [{}, 'WithPubkey', [], 7, { priv_key_policy: 'WithPubkey' }])
      for (const mode of ['specification', 'kdf'] as const)
        expect(() => ownerOf({ ...whole, activation_params }, mode)).toThrow('activation_params: expected');
  });

  it('is that of a session with a wallet, by its topic in either form', () => {
    const topic = 'ab'.repeat(32);
    const session = (params?: unknown) => ({ activation_params: { type: 'WalletConnect', params } });
    expect(asked(session({ session_topic: topic }))).toBe(topic);
    const form = { activation_params: { priv_key_policy: { type: 'WalletConnect', data: topic } } };
    expect(asked(form, 'specification')).toBe(topic);
    for (const [params, problem] of [
      [undefined, 'missing field `params`'],
      ['a topic', 'expected struct WcParams'],
      [{}, 'missing field `session_topic`'],
      [{ session_topic: 7 }, 'expected a string'],
    ] as const)
      for (const mode of ['specification', 'kdf'] as const) {
        expect(() => asked(session(params), mode)).toThrow(problem);
        const whole = { ticker: 'IRIS', nodes: [], tokens_params: [], ...session(params) };
        // What reads no request by its form is held to it as well.
        if (params !== 'a topic') expect(() => ownerOf(whole, mode)).toThrow('session_topic: expected the topic');
      }
  });

  it('is the node’s own for a policy by that name; the real node accepts no policies by name', () => {
    expect(asked({ priv_key_policy: 'ContextPrivKey' }, 'specification')).toBeNull();
    expect(() => asked({ priv_key_policy: 'Trezor' }, 'specification')).toThrow('Private key is not allowed');
    expect(asked({ priv_key_policy: 'Trezor' }, 'kdf')).toBeNull();
  });

  it('signs nothing', () => {
    const signer = watchingSigner(hexToBytes(KEY));
    for (const one of [signer.coins, signer.ofSwap('a swap')])
      expect(() => one.sign(new Uint8Array(32))).toThrow('this node cannot sign');
  });
});
