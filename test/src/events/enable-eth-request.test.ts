import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  enableEthRequest,
  loggedEnableEthRequest,
  loggedRequest,
  withheldFrom,
  withoutCredentials,
} from '../../../src/events/enable-eth-request.ts';

const least = {
  ticker: 'ETH',
  swap_contract_address: '0x24ABE4c71FC658C91313b6552cd40cD808b3Ea80',
  erc20_tokens_requests: [],
};

describe('parameters of task::enable_eth::init', () => {
  it('have the defaults of the specification, and leave the rest to the coins file', () => {
    expect(enableEthRequest.parse(least)).toEqual({
      ...least,
      nodes: [],
      contract_supports_watchers: false,
      rpc_mode: 'Default',
      path_to_address: { account_id: 0, chain: 'External', address_id: 0 },
      scan_policy: 'scan_if_new_wallet',
      get_balances: true,
      gas_station_decimals: 8,
      gas_station_policy: { policy: 'MeanAverageFast' },
      tx_history: false,
      priv_key_policy: { type: 'ContextPrivKey', session: null },
    });
  });

  it.each(['ticker', 'swap_contract_address', 'erc20_tokens_requests'])('need %s', (name) => {
    const issue = enableEthRequest.safeParse({ ...least, [name]: undefined }).error?.issues[0];
    expect(issue?.path).toEqual([name]);
    expect(issue?.message).toMatch(/found nothing$/);
  });

  it.each([
    ['Trezor', 'Trezor', undefined],
    [{ type: 'Trezor' }, 'Trezor', undefined],
    [{ type: 'WalletConnect', params: { session_topic: 'abc' } }, 'WalletConnect', 'abc'],
    [{ type: 'WalletConnect', data: 'abc' }, 'WalletConnect', 'abc'],
  ])('accept the key policy %j', (priv_key_policy, type, session) => {
    const policy = enableEthRequest.parse({ ...least, priv_key_policy }).priv_key_policy;
    expect(policy.type).toBe(type);
    expect(policy.session?.reveal()).toBe(session);
    expect(inspect(policy)).not.toContain('abc');
  });

  it.each([
    [{ priv_key_policy: 'Seed' }],
    [{ priv_key_policy: null }],
    [{ swap_contract_address: '24abe4' }],
    [{ path_to_address: { chain: 'Sideways' } }],
    [{ scan_policy: 'Scan' }],
    [{ gap_limit: -1 }],
    [{ nodes: [{ ws_url: 'wss://x' }] }],
    [{ priv_key_policy: 'Metamask' }],
    [{ priv_key_policy: { type: 'Metamask' } }],
    [{ rpc_mode: 'Metamask' }],
    [{ priv_key_policy: 'WalletConnect' }],
    [{ priv_key_policy: { type: 'WalletConnect' } }],
    [{ gap_limit: 2 ** 32 }],
    [{ min_addresses_number: 2 ** 32 }],
    [{ path_to_address: { account_id: 2 ** 32 } }],
    [{ nft_req: { provider: { type: 'Opensea', info: { url: 'https://nft.example' } } } }],
    [{ nft_req: { provider: { type: 'Moralis', info: { url: 'not a url' } } } }],
    [{ nft_req: { provider: { type: 'Moralis', info: { url: 'ftp://nft.example' } } } }],
  ])('refuse %j', (change) => {
    expect(enableEthRequest.safeParse({ ...least, ...change }).success).toBe(false);
  });

  it('treat a null as absent if the real node does not know the member', () => {
    const nulls = { gas_station_decimals: null, gas_station_policy: null, gas_station_url: null, tx_history: null };
    expect(enableEthRequest.parse({ ...least, ...nulls })).toEqual(enableEthRequest.parse(least));
    expect(enableEthRequest.parse({ ...least, gap_limit: 2 ** 32 - 1 }).gap_limit).toBe(4_294_967_295);
  });

  it('say which of their members the log holds without a part', () => {
    const url = 'https://u:p@node.example';
    const request = enableEthRequest.parse({
      ...least,
      nodes: [{ url: 'https://node.example' }, { url: 'https://node.example', ws_url: 'wss://u@node.example' }],
      nft_req: { provider: { type: 'Moralis', info: { url } } },
      gas_station_url: url,
      priv_key_policy: { type: 'WalletConnect', params: { session_topic: 'abc' } },
    });
    expect(withheldFrom(request)).toEqual([
      '/nodes/1/ws_url',
      '/nft_req/provider/info/url',
      '/gas_station_url',
      '/priv_key_policy/session',
    ]);
    expect(withheldFrom(enableEthRequest.parse(least))).toEqual([]);
  });

  it('read the logged form back as it was written', () => {
    const request = enableEthRequest.parse({
      ...least,
      nodes: [{ url: 'https://u:p@node.example/x', grpc_url: 'https://grpc.example', komodo_proxy: true }],
      erc20_tokens_requests: [{ ticker: 'T', protocol: { type: 'ERC20', protocol_data: { platform: 'ETH' } } }],
      gas_station_url: 'https://u:p@gas.example',
      priv_key_policy: { type: 'WalletConnect', params: { session_topic: 'abc' } },
    });
    const logged = loggedRequest(request);
    expect(JSON.stringify(logged)).not.toMatch(/u:p|abc/);
    expect(loggedEnableEthRequest.parse(JSON.parse(JSON.stringify(logged)))).toEqual(logged);
  });
});

describe('a url without credentials', () => {
  it('has none however it is spelled', () => {
    for (const url of [
      '  https://user:P4ss@host',
      'https:/user:P4ss@host',
      '//u:P4ss@h',
      'https://user:pa/P4ss@host',
      'https://user:pa#P4ss@host/',
      'https://user:pa?P4ss@host/',
      'https://user:pa/x?P4ss@host/',
    ]) {
      expect(withoutCredentials(url)).not.toContain('P4ss');
    }
  });

  it('has no key of a provider, in the path or behind it', () => {
    const bare = {
      'https://mainnet.example/v3/0a1b2c3d4e5f60718293a4b5c6d7e8f9': 'https://mainnet.example/v3/',
      'wss://eth.example/ws/Kq7-zXw_pLmNvRtY/rest': 'wss://eth.example/ws/',
      'https://node.example/?apikey=P4ss': 'https://node.example/',
      'https://node.example#P4ss': 'https://node.example',
      'https://node.example:8545/rpc/polygon-mainnet/v2': 'https://node.example:8545/rpc/polygon-mainnet/v2',
      'https://gas.example/json/ethgasAPI.json': 'https://gas.example/json/ethgasAPI.json',
    };
    for (const [url, shown] of Object.entries(bare)) expect(withoutCredentials(url)).toBe(shown);
  });

  it('has neither user nor password, and is otherwise the same', () => {
    const part = fc.stringMatching(/^[a-z0-9:.-]{1,12}$/);
    fc.assert(
      fc.property(part, fc.stringMatching(/^[a-z/]{0,12}$/), (credentials, rest) => {
        const plain = `https://node.example/${rest}`;
        expect(withoutCredentials(plain)).toBe(plain);
        expect(withoutCredentials(`https://${credentials}@node.example/${rest}`)).toBe(plain);
      }),
    );
  });
});
