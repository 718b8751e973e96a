import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../src/primitives/json.ts';
import type { NodeContext } from '../../../../../src/rpc/smart-chain/context.ts';
import { ask, errorOf, openNode } from '../method-context.ts';

const foreign = 'RDNC9mLrN48pVGDQ5jSoPb2nRsUPJ5t2R7';
const second = 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92';
const NOBODY = '12'.repeat(32);

type Coin = { readonly txid: string; readonly vout: number; readonly amount: number; readonly scriptPubKey: string };

let node: NodeContext;
let coin: Coin;

beforeAll(async () => {
  node = await openNode({ seed: 'raw', params: { supply: 1_000_000_000n } });
  await ask(node, 'generate', 3);
  const coins: readonly Coin[] = await ask(node, 'listunspent');
  coin = [...coins].sort((left, right) => right.amount - left.amount)[0] as Coin;
});

const outPoint = () => ({ txid: coin.txid, vout: coin.vout });

describe('createrawtransaction', () => {
  it('writes what it is asked for, in the form of the next block, without signatures', async () => {
    const hex = await ask(node, 'createrawtransaction', [outPoint()], {
      [foreign]: 1.5,
      [second]: '0.25',
      data: 'cafe',
    });
    const shown = await ask(node, 'decoderawtransaction', hex);
    expect(shown).toMatchObject({ overwintered: true, version: 4, locktime: 0, expiryheight: 204 });
    expect(shown.vin).toEqual([{ ...outPoint(), scriptSig: { asm: '', hex: '' }, sequence: 0xffff_ffff }]);
    const outputs = shown.vout.map(({ value, scriptPubKey }: { value: number; scriptPubKey: { hex: string } }) => {
      return [value, scriptPubKey.hex.startsWith('6a') ? scriptPubKey.hex : ''];
    });
    expect(outputs).toEqual([
      [1.5, ''],
      [0.25, ''],
      [0, '6a02cafe'],
    ]);
    const late = await ask(node, 'createrawtransaction', [{ ...outPoint(), sequence: 7 }, outPoint()], {}, 99, 1234);
    const { locktime, expiryheight, vin } = await ask(node, 'decoderawtransaction', late);
    expect([locktime, expiryheight, vin[0].sequence, vin[1].sequence]).toEqual([99, 1234, 7, 0xffff_fffe]);
  });

  it('says what is wrong, in the words of the node', async () => {
    const failing = (inputs: unknown, outputs: unknown, ...rest: readonly number[]) =>
      errorOf(node, 'createrawtransaction', inputs as string, outputs as string, ...rest);
    expect(await failing('x', {})).toBe('-3 Expected type array, got string');
    expect(await failing([], [])).toBe('-3 Expected type object, got array');
    expect(await failing([{ txid: 'zz', vout: 0 }], {})).toBe("-8 txid must be hexadecimal string (not 'zz')");
    expect(await failing([{ txid: NOBODY }], {})).toBe('-8 Invalid parameter, missing vout key');
    expect(await failing([{ txid: NOBODY, vout: -1 }], {})).toBe('-8 Invalid parameter, vout must be positive');
    expect(await failing([], { nobody: 1 })).toBe('-5 Invalid Komodo address or script: nobody');
    expect(await failing([], { [foreign]: 1, [` ${foreign}`]: 1 })).toBe(
      `-8 Invalid parameter, duplicated destination:  ${foreign}`,
    );
    expect(await failing([], { [foreign]: -1 })).toBe('-3 Amount out of range');
    expect(await failing([], { data: 'zz' })).toBe("-8 Data must be hexadecimal string (not 'zz')");
    expect(await failing([], {}, -1)).toBe('-8 Invalid parameter, locktime out of range');
    expect(await failing([], {}, 0, 500_000_000)).toMatch(/^-8 Invalid parameter, expiryheight must be nonnegative/);
  });
});

describe('signrawtransaction', () => {
  const unsigned = (...inputs: readonly JsonObject[]) =>
    ask(node, 'createrawtransaction', [outPoint(), ...inputs], { [foreign]: coin.amount - 0.0001 });

  it('signs what the wallet can spend, and the network accepts it', async () => {
    const { hex, complete, errors } = await ask(node, 'signrawtransaction', await unsigned());
    expect([complete, errors]).toEqual([true, undefined]);
    const txid = await ask(node, 'sendrawtransaction', hex);
    expect(await ask(node, 'getrawmempool')).toContain(txid);
    await ask(node, 'generate', 1);
    expect((await ask(node, 'gettransaction', txid)).confirmations).toBe(1);
    const coins: readonly Coin[] = await ask(node, 'listunspent');
    coin = [...coins].sort((left, right) => right.amount - left.amount)[0] as Coin;
  });

  it('names the missing inputs, and leaves them as they were', async () => {
    const { hex, complete, errors } = await ask(node, 'signrawtransaction', await unsigned({ txid: NOBODY, vout: 3 }));
    expect(complete).toBe(false);
    const missing = { txid: NOBODY, vout: 3, scriptSig: '', sequence: 0xffff_ffff };
    expect(errors).toEqual([{ ...missing, error: 'Input not found or already spent' }]);
    const { vin } = await ask(node, 'decoderawtransaction', hex);
    expect([vin[0].scriptSig.hex.length > 100, vin[1].scriptSig.hex]).toEqual([true, '']);
  });

  it('accepts keys and coins from the caller, also in texts, and uses only those keys', async () => {
    const stranger = await openNode({ seed: 'stranger' });
    const raw = await unsigned();
    const { complete, errors } = await ask(stranger, 'signrawtransaction', raw);
    expect([complete, errors[0].error]).toEqual([false, 'Input not found or already spent']);
    const own = await ask(node, 'dumpprivkey', (await ask(node, 'tokenaddress')).myaddress);
    const given = [{ ...outPoint(), scriptPubKey: coin.scriptPubKey, amount: coin.amount }];
    const signed = await ask(stranger, 'signrawtransaction', raw, given, [own]);
    expect(signed).toEqual(await ask(node, 'signrawtransaction', raw));
    expect(await ask(stranger, 'signrawtransaction', raw, JSON.stringify(given), JSON.stringify([own]))).toEqual(
      signed,
    );
    const another = await ask(stranger, 'dumpprivkey', (await ask(stranger, 'tokenaddress')).myaddress);
    const unopened = await ask(node, 'signrawtransaction', raw, null, [another]);
    expect([unopened.complete, unopened.hex]).toEqual([false, raw]);
    // The amount is signed: with another one the signature is good for nothing.
    const wrong = await ask(
      stranger,
      'signrawtransaction',
      raw,
      given.map((each) => ({ ...each, amount: 1 })),
      [own],
    );
    expect(wrong.hex).not.toBe(signed.hex);
  });

  it('refuses what it cannot read', async () => {
    const raw = await unsigned();
    const failing = (...rest: readonly unknown[]) => errorOf(node, 'signrawtransaction', raw, ...(rest as string[]));
    expect(await errorOf(node, 'signrawtransaction', 'zz')).toBe('-22 TX decode failed');
    expect(await failing(null, ['no key'])).toBe('-5 Invalid private key');
    expect(await failing(null, null, 'NONE')).toBe('-8 Invalid sighash param');
    expect(await failing([{ ...outPoint(), scriptPubKey: '51' }])).toBe('-22 Previous output scriptPubKey mismatch');
    expect(await failing([{ txid: NOBODY, vout: -1, scriptPubKey: '51' }])).toBe('-22 vout must be positive');
    expect(await failing('x')).toBe('-3 Expected type array, got string');
  });
});
