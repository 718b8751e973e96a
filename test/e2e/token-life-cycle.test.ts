import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openNode } from '../src/rpc/smart-chain/method-context.ts';
import { nodeOverHttp } from '../support/node-over-http.ts';

type Built = { readonly result: string; readonly hex: string };
type Output = {
  readonly valueZat: number;
  readonly scriptPubKey: { readonly type: string; readonly hex: string; readonly addresses?: readonly string[] };
};
type Decoded = { readonly txid: string; readonly vout: readonly Output[] };

const DEAD = `02${'dead'.repeat(16)}`;

describe('the life of a token, over HTTP alone', () => {
  let node: Awaited<ReturnType<typeof nodeOverHttp>>;
  let other: string;

  beforeAll(async () => {
    node = await nodeOverHttp(await openNode({ seed: 'owner of the token', params: { reward: 1_000_000n } }));
    await result('generate', 5);
    const { pubkey } = (await result('validateaddress', await result('getnewaddress'))) as { pubkey: string };
    other = pubkey;
  });
  afterAll(() => node.close());

  async function result(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const answer = await node.call(method, ...params);
    expect(answer, `${method} ${JSON.stringify(params)}`).toMatchObject({ status: 200, error: null, id: 'curltest' });
    return answer.result;
  }

  /** Sends what a token method built, mines it, and gives its decoded form. */
  async function sent(method: string, ...params: readonly unknown[]): Promise<Decoded> {
    const built = (await result(method, ...params)) as Built;
    expect(built.result).toBe('success');
    const decoded = (await result('decoderawtransaction', built.hex)) as Decoded;
    expect(await result('sendrawtransaction', built.hex)).toBe(decoded.txid);
    await result('generate', 1);
    return decoded;
  }

  const balance = async (id: string, key?: string) => {
    const answer = await result('tokenbalance', id, ...(key === undefined ? [] : [key]));
    return (answer as { balance: number }).balance;
  };
  const types = ({ vout }: Decoded) => vout.map(({ scriptPubKey, valueZat }) => [scriptPubKey.type, valueZat]);

  it('is created, listed, sent with change, and burned', async () => {
    const { txid: id } = await sent('tokencreate', 'KITE', 0.00001, 'a thousand of them');
    expect(await result('tokenlist')).toEqual([id]);
    expect(await result('tokeninfo', id)).toMatchObject({
      result: 'success',
      tokenid: id,
      name: 'KITE',
      supply: '0.00001000',
      description: 'a thousand of them',
    });
    const { myaddress } = (await result('tokenaddress')) as { myaddress: string };
    const transfer = await sent('tokentransfer', id, other, 300);
    const [recipient, change, coins, payload] = transfer.vout;
    expect(types(transfer).slice(0, 2)).toEqual([
      ['cryptocondition', 300],
      ['cryptocondition', 700],
    ]);
    expect([coins?.scriptPubKey.type, coins?.scriptPubKey.addresses]).toEqual(['pubkey', [myaddress]]);
    expect([payload?.scriptPubKey.type, payload?.valueZat]).toEqual(['nulldata', 0]);
    expect(payload?.scriptPubKey.hex).toContain(id);
    const ofOther = (await result('tokenaddress', other)) as Record<string, unknown>;
    expect(recipient?.scriptPubKey.addresses).toEqual([ofOther['PubkeyCCaddress(Tokens)']]);
    expect(change?.scriptPubKey.addresses).toEqual([ofOther['myCCAddress(Tokens)']]);
    await sent('tokentransfer', id, DEAD, '200');
    expect([await balance(id), await balance(id, other), await balance(id, DEAD)]).toEqual([500, 300, 200]);
  });

  it('is non-fungible if it carries data, under the module that the data names', async () => {
    const create = await sent('tokencreate', 'ONE', '0.00000001', 'one', 'f2aabbcc');
    expect(await result('tokeninfo', create.txid)).toMatchObject({ supply: '0.00000001', data: 'f2aabbcc' });
    const transfer = await sent('tokentransfer', create.txid, other, '1');
    expect(types(transfer).map(([type]) => type)).toEqual(['cryptocondition', 'pubkey', 'nulldata']);
    expect([await balance(create.txid), await balance(create.txid, other)]).toEqual([0, 1]);
  });

  it('leaves with a block that is invalidated, and returns with it', async () => {
    const { txid: id } = await sent('tokencreate', 'BACK', '0.00000100', '');
    await sent('tokentransfer', id, other, '40');
    const tip = (await result('getbestblockhash')) as string;
    await result('invalidateblock', tip);
    // The transfer waits again, and all tokens went into it.
    expect([await balance(id), await balance(id, other)]).toEqual([0, 0]);
    expect(await result('getrawmempool')).toHaveLength(1);
    await result('reconsiderblock', tip);
    expect([await balance(id), await balance(id, other)]).toEqual([60, 40]);
    expect(await result('getrawmempool')).toEqual([]);
  });
});
