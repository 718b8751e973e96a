import { describe, expect, it } from 'vitest';
import type { Compatibility } from '../../../../src/node/compatibility.ts';
import type { JsonObject } from '../../../../src/primitives/json.ts';
import { least } from '../../../support/tasks/eth-tasks.ts';
import { serveTasks } from '../../../support/tasks/task-rpc.ts';

const TENDERMINT = 'enable_tendermint_with_assets';
const asset = { ticker: 'ATOM', nodes: [], tokens_params: [] };

describe('a fault in a request is reported after the whole name of its member', () => {
  it.each<[step: string, params: JsonObject, text: string]>([
    ['init', { nodes: [{ url: 'http://a' }, {}] }, 'params.nodes[1].url: missing field `url`'],
    ['init', { nodes: [{ url: 5 }] }, 'params.nodes[0].url: invalid type: integer `5`, expected a string'],
    ['init', { ticker: undefined }, 'missing field `ticker`'],
    ['init', { ticker: 7 }, 'params.ticker: invalid type: integer `7`, expected a string'],
    ['init', { erc20_tokens_requests: [{}] }, 'params.erc20_tokens_requests[0].ticker: missing field `ticker`'],
    [
      'init',
      { swap_v2_contracts: {} },
      'params.swap_v2_contracts.maker_swap_v2_contract: missing field `maker_swap_v2_contract`',
    ],
    [
      'init',
      { path_to_address: { account_id: -1 } },
      'params.path_to_address.account_id: invalid value: integer `-1`, expected u32',
    ],
    [
      'init',
      { priv_key_policy: { type: 'WalletConnect', params: {} } },
      'params.priv_key_policy.params.session_topic: missing field `session_topic`',
    ],
    ['init', { gas_station_url: 'ftp://a' }, 'params.gas_station_url: expected an http or https url'],
    [
      'init',
      { gas_station_policy: { policy: 'Fast' } },
      'params.gas_station_policy.policy: expected one of MeanAverageFast, Average, found',
    ],
    [
      'init',
      { nft_req: { provider: { type: 'Moralis', info: {} } } },
      'params.nft_req.provider.info.url: missing field `url`',
    ],
    ['status', { task_id: 'x' }, 'params.task_id: invalid type: string "x", expected u64'],
    [
      'user_action',
      { task_id: 1, user_action: { action_type: 'TrezorPin' } },
      'params.user_action: missing field `pin`',
    ],
  ])('%s %j', async (step, params, text) => {
    const { call } = await serveTasks();
    const { http, body } = await call(step as 'init', step === 'init' ? { ...least, ...params } : params);
    expect([http, body['error_type']]).toEqual([400, 'InvalidRequest']);
    expect(body['error']).toContain(`Error parsing request: ${text}`);
    expect(body['error']).toBe(`Error parsing request: ${String(body['error_data'])}`);
  });

  it.each<[params: JsonObject, text: string]>([
    [{ nodes: [{}] }, 'params.nodes[0].url: missing field `url`'],
    [{ tokens_params: [{ ticker: 'A' }, { ticker: 5 }] }, 'params.tokens_params[1].ticker: invalid type: integer `5`'],
    [{ activation_params: {} }, 'params.activation_params: missing field `type`'],
  ])('of a Tendermint chain %j', async (params, text) => {
    const { send } = await serveTasks();
    const { body } = await send({
      userpass: 'a password of the suite',
      mmrpc: '2.0',
      method: TENDERMINT,
      params: { ...asset, ...params },
    });
    expect(body).toMatchObject({ error: expect.stringContaining(`Error parsing request: ${text}`) });
  });

  it.each<[request: JsonObject, text: string]>([
    [{ method: 'electrum', coin: 'DOC', mm2: 1, servers: [{ url: 'a:1' }, {}] }, 'servers[1].url: missing field `url`'],
    [
      { method: 'electrum', coin: 'DOC', mm2: 1, servers: [{ url: 'a:1', protocol: 'UDP' }] },
      'servers[0].protocol: unknown variant `UDP`',
    ],
    [
      { method: 'enable', coin: 'DOC', mm2: 1, required_confirmations: '3' },
      'required_confirmations: invalid type: string "3"',
    ],
    [
      { method: 'enable', coin: 'DOC', mm2: 1, utxo_merge_params: {} },
      'utxo_merge_params.merge_at: missing field `merge_at`',
    ],
    [
      { method: 'enable', coin: 'DOC', mm2: 1, path_to_address: { chain: 'Foo' } },
      'path_to_address.chain: unknown variant `Foo`',
    ],
    [
      { method: 'enable', coin: 'ETH', mm2: 1, urls: ['http://a', 7] },
      'urls[1]: invalid type: integer `7`, expected a string',
    ],
    [
      { method: 'electrum', coin: 'ETH', mm2: 1, servers: [] },
      'urls: invalid type: null, expected a sequence; ETH is of an EVM chain, and is activated not over servers of Electrum, but over its nodes',
    ],
    [
      { method: 'enable', coin: 'ETH', mm2: 1 },
      'urls: invalid type: null, expected a sequence; ETH is of an EVM chain, and is activated over its nodes: by enable with urls, or by task::enable_eth::init with nodes',
    ],
  ])('of a legacy activation %j', async (request, text) => {
    const { legacy } = await serveTasks();
    expect((await legacy(request)).body['error']).toContain(text);
  });
});

describe('a mistake that the real node reports in too few words', () => {
  const custom = (contract_address: string) => [
    { ticker: 'NEW', protocol: { type: 'ERC20', protocol_data: { platform: 'ETH', contract_address } } },
  ];

  it.each<[params: JsonObject, why: string]>([
    [{ erc20_tokens_requests: [{ ticker: 'DOC' }] }, 'its protocol is UTXO, but a token of ETH has ERC20'],
    [{ ticker: 'MATIC', erc20_tokens_requests: [{ ticker: 'TOK' }] }, 'it is a token of ETH, not of MATIC'],
    [
      { erc20_tokens_requests: custom('0x9130B257D37A52E52F21054c4DA3450c72f595CE') },
      'contract_address 0x9130B257D37A52E52F21054c4DA3450c72f595CE: Invalid address checksum (EIP-55)',
    ],
    [
      { ticker: 'MATIC', priv_key_policy: { type: 'Trezor' } },
      "its entry in the coins file has no trezor_coin, the device's name for it",
    ],
  ])('says why an activation fails: %j', async (params, why) => {
    const errorIn = async (compatibility: Compatibility): Promise<string> => {
      const { call, seen } = await serveTasks([[]], { compatibility });
      const { body } = await call('init', { ...least, ...params });
      const { task_id } = body['result'] as { readonly task_id: number };
      return /"error":"((?:[^"\\]|\\.)*)"/.exec(JSON.stringify(await seen(task_id)))?.[1] ?? '';
    };
    const there = await errorIn('kdf');
    expect(there).not.toBe('');
    expect(await errorIn('specification')).toBe(`${there}: ${why}`);
  });

  it.each<[request: JsonObject, there: string, here: string]>([
    [{ price: 'a' }, 'Could not deserialize any variant of MmNumber from "a"', 'price: $'],
    [{ base: 'DOC' }, 'Base coin is not found or inactive', '$; DOC: it is in the coins file but not active'],
    [{ base: 'doc' }, 'Base coin is not found or inactive', '$; doc: did you mean DOC?'],
    [{ price: undefined }, 'missing field `price`', '$'],
  ])('says what is wrong with an order: %j', async (members, there, here) => {
    const order = { method: 'buy', base: 'ETH', rel: 'MATIC', price: '1', volume: '1', ...members };
    const errorIn = async (compatibility: Compatibility): Promise<string> => {
      const { legacy } = await serveTasks([[]], { compatibility });
      return String((await legacy(order)).body['error']).replace(/^.*?\] .*?\] /, '');
    };
    expect(await errorIn('kdf')).toBe(there);
    expect(await errorIn('specification')).toBe(here.replace('$', there));
  });
});
