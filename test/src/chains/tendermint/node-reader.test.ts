import { describe, expect, it } from 'vitest';
import { NodeRefusal } from '../../../../src/chains/accounts/node.ts';
import type { TendermintNode } from '../../../../src/chains/tendermint/node.ts';
import { createTendermintNodeReader } from '../../../../src/chains/tendermint/node-reader.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';
import type { NodeConduct } from '../../../../src/testing/cometbft/node.ts';
import type { Json } from '../../../../src/testing/cometbft/render.ts';
import { IRIS, TendermintTestChain, UNIT } from '../../../support/tendermint/adapter-chain.ts';

const test = new TendermintTestChain(IRIS);
test.give('somebody', 7n * UNIT);
test.chain.mine(30);

const look = (conduct: NodeConduct) => test.reader(conduct).look();
const somebody = { address: test.addressOf('somebody'), denom: IRIS.denom };

/** A node that changes one member of what it answers to one method. */
function altering(method: string, change: (answer: Json) => Json): NodeConduct {
  return { alter: (answer, asked) => (asked === method ? change(answer) : answer) };
}

describe('a reader over one node', () => {
  it('asks nothing of a node of another chain, and sends nothing to it', async () => {
    const reader = test.reader({ chainId: 'irishub-1' });
    await expect(reader.look()).rejects.toThrow('is on chain irishub-1, not nyancat-9');
    await expect(reader.send('00')).rejects.toThrow('is on chain irishub-1, not nyancat-9');
  });

  it('sends no question to a node that is still syncing', async () => {
    await expect(look({ isCatchingUp: true })).rejects.toThrow('is still syncing');
  });

  it('answers as of one block, even if more came since', async () => {
    const before = await test.reader().look();
    test.give('somebody', UNIT);
    expect(await before.balance(somebody)).toBe(7n * UNIT);
    expect(await (await test.reader().look()).balance(somebody)).toBe(8n * UNIT);
    expect((await before.block(before.head.height + 1))?.height).toBe(before.head.height + 1);
    expect(await before.block(before.head.height + 1000)).toBe(null);
  });

  it('does not accept the answer of another block for one', async () => {
    const wrong = altering('abci_query', ({ response }) => ({ response: { ...(response as Json), height: '3001' } }));
    await expect((await look(wrong)).balance(somebody)).rejects.toThrow(BackendSilent);
  });

  it('accepts no more from a node than it asks for', async () => {
    const id = (place: number) => place.toString(16).padStart(64, '0').toUpperCase();
    const found = Array.from({ length: 500 }, (_, place) => ({ hash: id(place) }));
    const many = await look(altering('tx_search', () => ({ txs: found, total_count: '500' })));
    expect(await many.search({ kind: 'claim', id: 'AB' })).toHaveLength(20);
    const waiting = Array.from({ length: 500 }, (_, place) => Buffer.from(id(place)).toString('base64'));
    const full = await look(altering('unconfirmed_txs', () => ({ n_txs: '500', txs: waiting })));
    expect(await full.waiting()).toHaveLength(100);
  });

  it('says that it does not know what a node has pruned, and never that there is nothing', async () => {
    const pruned = await look({ keeps: 3 });
    await expect(pruned.account(test.addressOf('somebody'), test.height - 5)).rejects.toThrow(BackendSilent);
    await expect(pruned.contents(test.height - 5)).rejects.toThrow(BackendSilent);
    await expect(pruned.block(test.height - 5)).rejects.toThrow(BackendSilent);
    await expect((await look({ hasNoIndex: true })).included('ab'.repeat(32))).rejects.toThrow(BackendSilent);
    await expect((await look({ hasNoIndex: true })).search({ kind: 'create', id: 'AB' })).rejects.toThrow(
      BackendSilent,
    );
  });

  describe('says that there is nothing if a node says so, and not if it cannot tell', () => {
    const ID = 'ab'.repeat(32);
    /** A reader over a node that answers to one method with this error alone. */
    function refusing(method: string, code: number, message: string) {
      const node = test.node();
      const request: TendermintNode['request'] = async (asked, params) => {
        if (asked === method) throw new NodeRefusal(code, message);
        return node.request(asked, params);
      };
      const { chainId, module } = test.network;
      return createTendermintNodeReader({ ...node, request }, { chainId, module }).look();
    }

    it.each([
      [-32_603, `Internal error: tx (${ID.toUpperCase()}) not found`],
      [-32_603, `tx (${ID}) not found`],
    ])('%i %s: no transaction', async (code, message) => {
      expect(await (await refusing('tx', code, message)).included(ID)).toBe(null);
    });

    it.each([
      [-32_603, 'Internal error: height 9000 must be less than or equal to the current blockchain height 3031'],
      [-32_603, 'Internal error: Height must be less than or equal to the current blockchain height'],
    ])('%i %s: no block', async (code, message) => {
      expect(await (await refusing('block', code, message)).block(9000)).toBe(null);
    });

    it.each([
      [-32_601, 'Method not found: '],
      [-32_601, `Internal error: tx (${ID}) not found`],
      [-32_603, 'Method not found: the method tx does not exist'],
      [-32_603, 'Internal error: transaction indexing is disabled'],
      [-32_603, 'Internal error: backend not found'],
      [-32_603, `Internal error: tx (${ID}) not found in the cache of this gateway, ask another one`],
      [-32_603, 'Internal error: height 9000 is not available, lowest height is 3500'],
      [404, 'not found: '],
    ])('%i %s: nobody knows', async (code, message) => {
      await expect((await refusing('tx', code, message)).included(ID)).rejects.toThrow(BackendSilent);
      await expect((await refusing('block', code, message)).block(9000)).rejects.toThrow(BackendSilent);
    });
  });

  it.each([
    [
      'a height that is none',
      altering('status', (told) => ({
        ...told,
        sync_info: { ...(told['sync_info'] as Json), latest_block_height: '-1' },
      })),
    ],
    [
      'a time that is none',
      altering('status', (told) => ({
        ...told,
        sync_info: { ...(told['sync_info'] as Json), latest_block_time: 'now' },
      })),
    ],
    [
      'a hash that is none',
      altering('status', (told) => ({
        ...told,
        sync_info: { ...(told['sync_info'] as Json), latest_block_hash: 'AB' },
      })),
    ],
    ['nothing', altering('status', () => ({}))],
  ])('does not accept %s as an answer', async (_, conduct) => {
    await expect(look(conduct)).rejects.toThrow(BackendSilent);
  });

  it.each([['!'], ['AAAA'], ['CgQKAWESAA==']])('does not accept %s as a balance or an account', async (value) => {
    const nonsense = await look(
      altering('abci_query', ({ response }) => ({ response: { ...(response as Json), value } })),
    );
    await expect(nonsense.balance(somebody)).rejects.toThrow(BackendSilent);
    await expect(nonsense.account(test.addressOf('somebody'))).rejects.toThrow(BackendSilent);
  });

  it('a failed query says nothing about its subject', async () => {
    const failing = altering('abci_query', ({ response }) => ({ response: { ...(response as Json), code: 6 } }));
    await expect((await look(failing)).payment('AB'.repeat(32))).rejects.toThrow(BackendSilent);
  });
});
