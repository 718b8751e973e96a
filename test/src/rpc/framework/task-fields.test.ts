import { describe, expect, it } from 'vitest';
import type { EnableEthRequest } from '../../../../src/events/enable-eth-request.ts';
import { CONTRACT, least } from '../../../support/tasks/eth-tasks.ts';
import { EvmDouble } from '../../../support/tasks/evm-double.ts';
import { serveTasks } from '../../../support/tasks/task-rpc.ts';

const MODES = ['specification', 'kdf'] as const;
type Mode = (typeof MODES)[number];

/** What the maker of the coin is given of a request, or the text of its refusal. */
async function given(mode: Mode, members: object, tradingProtoV2 = false): Promise<EnableEthRequest | string> {
  const { call, seen, evm } = await serveTasks([[]], { compatibility: mode, tradingProtoV2 });
  const { http, body } = await call('init', { ...least, ...members });
  if (http !== 200) return String(body['error']).replace(/^Error parsing request: /, '');
  const outcome = (await seen(0)) as { readonly status: string; readonly details: unknown };
  return evm.orders[0]?.request ?? JSON.stringify(outcome.details);
}

const OTHER = `0x${'58'.repeat(20)}`;
const V2 = { maker_swap_v2_contract: OTHER, taker_swap_v2_contract: CONTRACT, nft_maker_swap_v2_contract: OTHER };
const NFT = { provider: { type: 'Moralis', info: { url: 'https://nft.example' } } };

type Field = {
  /** What stands there where it is absent; `undefined` for nothing. */
  readonly usual: unknown;
  /** Values as sent, and as the maker of the coin has them. */
  readonly taken: readonly (readonly [unknown, unknown])[];
  /** Values that both modes refuse, and a part of what they say. */
  readonly refused: readonly (readonly [unknown, string])[];
  /** The real node does not know the member. */
  readonly isUnknownThere?: boolean;
};

const same = (...values: readonly unknown[]): Field['taken'] => values.map((value) => [value, value]);

/** Of section 4.6, but those without which nothing can begin. */
const FIELDS: readonly (readonly [string, Field])[] = [
  [
    'fallback_swap_contract',
    {
      usual: undefined,
      taken: [...same(OTHER), [null, undefined]],
      refused: [
        ['0x12', 'length of 40'],
        [7, 'invalid type: integer `7`'],
      ],
    },
  ],
  [
    'gap_limit',
    {
      usual: undefined,
      taken: [...same(0, 5, 4_294_967_295), [null, undefined]],
      refused: [
        [4_294_967_296, 'expected u32'],
        [-1, 'expected u32'],
        ['5', 'expected u32'],
        [1.5, 'expected u32'],
      ],
    },
  ],
  [
    'gas_station_decimals',
    {
      usual: 8,
      taken: [...same(0, 9), [null, 8]],
      refused: [['x', 'gas_station_decimals: expected a whole number']],
      isUnknownThere: true,
    },
  ],
  [
    'gas_station_policy',
    {
      usual: { policy: 'MeanAverageFast' },
      taken: [...same({ policy: 'Average' }), [null, { policy: 'MeanAverageFast' }]],
      refused: [[{ policy: 'Fastest' }, 'gas_station_policy.policy: expected one of MeanAverageFast, Average']],
      isUnknownThere: true,
    },
  ],
  [
    'gas_station_url',
    {
      usual: undefined,
      taken: same('https://gas.example/price'),
      refused: [[5, 'gas_station_url: expected']],
      isUnknownThere: true,
    },
  ],
  [
    'get_balances',
    {
      usual: true,
      taken: same(false),
      refused: [
        ['x', 'expected a boolean'],
        [null, 'expected a boolean'],
      ],
    },
  ],
  [
    'min_addresses_number',
    {
      usual: undefined,
      taken: [...same(3), [null, undefined]],
      refused: [[4_294_967_296, 'expected u32']],
    },
  ],
  [
    'mm2',
    {
      usual: undefined,
      taken: [[null, undefined]],
      refused: [
        [256, 'expected u8'],
        [-1, 'expected u8'],
      ],
    },
  ],
  [
    'nft_req',
    {
      usual: undefined,
      taken: [[NFT, { provider: { type: 'Moralis', info: { url: 'https://nft.example', komodo_proxy: false } } }]],
      refused: [
        [{ provider: { type: 'Opensea', info: NFT.provider.info } }, 'unknown variant `Opensea`, expected `Moralis`'],
        [{ provider: { type: 'Moralis', info: { url: 'nft.example' } } }, 'not an http URL'],
        [{ provider: { type: 'Moralis', info: { url: 'ftp://nft.example' } } }, 'not an http URL'],
        [{ provider: { type: 'Moralis' } }, 'info'],
        [{ provider: {} }, 'missing field'],
        [{}, 'provider'],
      ],
    },
  ],
  [
    'path_to_address',
    {
      usual: { account_id: 0, chain: 'External', address_id: 0 },
      taken: same({ account_id: 1, chain: 'Internal', address_id: 7 }),
      refused: [
        [{ account_id: 0, chain: 'Foo', address_id: 0 }, 'unknown variant `Foo`'],
        [{ account_id: 4_294_967_296, chain: 'External', address_id: 0 }, 'expected u32'],
        [null, 'invalid type: null'],
      ],
    },
  ],
  [
    'priv_key_policy',
    {
      usual: { type: 'ContextPrivKey', session: null },
      taken: [
        [{ type: 'ContextPrivKey' }, { type: 'ContextPrivKey', session: null }],
        [{ type: 'Trezor' }, { type: 'Trezor', session: null }],
      ],
      refused: [
        [{ type: 'Metamask' }, 'unknown variant `Metamask`'],
        [{ type: 'WalletConnect' }, 'missing field `params`'],
        [{ type: 'WalletConnect', params: {} }, 'missing field `session_topic`'],
        [null, 'invalid type: null'],
        [{}, 'missing field `type`'],
      ],
    },
  ],
  [
    'required_confirmations',
    {
      usual: undefined,
      taken: [...same(0, 12), [null, undefined]],
      refused: [[-1, 'expected u64']],
    },
  ],
  [
    'requires_notarization',
    {
      usual: undefined,
      taken: same(true, false),
      refused: [['x', 'requires_notarization: expected true or false']],
      isUnknownThere: true,
    },
  ],
  ['rpc_mode', { usual: 'Default', taken: same('Default'), refused: [['Metamask', 'unknown variant `Metamask`']] }],
  [
    'scan_policy',
    {
      usual: 'scan_if_new_wallet',
      taken: same('do_not_scan', 'scan_if_new_wallet', 'scan'),
      refused: [['never', 'unknown variant `never`']],
    },
  ],
  [
    'swap_v2_contracts',
    {
      usual: undefined,
      taken: [...same(V2), [null, undefined]],
      refused: [[{ maker_swap_v2_contract: OTHER }, 'missing field']],
    },
  ],
  [
    'tx_history',
    {
      usual: false,
      taken: [...same(true), [null, false]],
      refused: [[5, 'tx_history: expected true or false']],
      isUnknownThere: true,
    },
  ],
];

describe('a member of task::enable_eth::init', () => {
  it.each(FIELDS)('%s', async (name, { usual, taken, refused, isUnknownThere = false }) => {
    for (const mode of MODES) {
      const ignored = isUnknownThere && mode === 'kdf';
      expect(await given(mode, {}), mode).toMatchObject(usual === undefined ? {} : { [name]: usual });
      for (const [sent, held] of taken) {
        const request = await given(mode, { [name]: sent });
        const value = (request as Record<string, unknown>)[name];
        expect(value, `${mode}: ${JSON.stringify(sent)}`).toEqual(ignored ? usual : held);
      }
      for (const [sent, text] of refused) {
        const answer = await given(mode, { [name]: sent });
        if (ignored) expect(answer).toMatchObject(usual === undefined ? {} : { [name]: usual });
        else expect(answer, `${mode}: ${JSON.stringify(sent)}`).toContain(text);
      }
    }
  });

  it('is ignored if it is unknown', async () => {
    for (const mode of MODES) expect(await given(mode, { anything: 5, ws_url: {} })).toMatchObject({ ticker: 'ETH' });
  });

  it('fallback_swap_contract may be absent, as in the real node', async () => {
    for (const mode of MODES) expect(await given(mode, {})).toHaveProperty('fallback_swap_contract', undefined);
  });

  it('priv_key_policy may be a name, and path_to_address a part, where the specification says so', async () => {
    expect(await given('specification', { priv_key_policy: 'Trezor' })).toMatchObject({
      priv_key_policy: { type: 'Trezor' },
    });
    expect(await given('specification', { path_to_address: { address_id: 4 } })).toMatchObject({
      path_to_address: { account_id: 0, chain: 'External', address_id: 4 },
    });
    expect(await given('kdf', { priv_key_policy: 'Trezor' })).toContain('expected adjacently tagged enum');
    expect(await given('kdf', { path_to_address: { address_id: 4 } })).toBe('missing field `account_id`');
  });

  it('priv_key_policy has its session as the specification has it, and as the real node does', async () => {
    const session = async (mode: Mode, held: object) => {
      const request = await given(mode, { priv_key_policy: { type: 'WalletConnect', ...held } });
      if (typeof request === 'string') throw new Error(`refused: ${request}`);
      return request.priv_key_policy.session?.reveal();
    };
    for (const mode of MODES) expect(await session(mode, { params: { session_topic: 'abc' } })).toBe('abc');
    for (const held of [{ data: 'abc' }, { session: 'abc' }]) {
      expect(await session('specification', held)).toBe('abc');
      expect(await given('kdf', { priv_key_policy: { type: 'WalletConnect', ...held } })).toBe(
        'missing field `params`',
      );
    }
  });

  it('ticker is any coin of the coins file whose protocol is ETH, including the seven that are named', async () => {
    const named = ['ETH', 'AVAX', 'BNB', 'FTM', 'MATIC', 'ONE', 'ETH-ARB20'];
    for (const mode of MODES) {
      for (const ticker of [...named, 'OTHER']) expect(await given(mode, { ticker })).toMatchObject({ ticker });
      for (const ticker of ['TOK', 'DOC']) {
        expect(await given(mode, { ticker })).toContain('UnexpectedPlatformProtocol');
      }
      expect(await given(mode, { ticker: 'eth' })).toContain('PlatformConfigIsNotFound');
    }
  });

  it('nodes have URLs of four kinds, of which the node uses one, as in the real node', async () => {
    const urls = { url: 'https://a.example', ws_url: 'wss://b.example', api_url: 'https://c.example', grpc_url: 'd' };
    expect(await given('specification', { nodes: [urls] })).toMatchObject({ nodes: [urls] });
    expect(await given('kdf', { nodes: [urls] })).toMatchObject({ nodes: [{ url: urls.url }] });
    for (const mode of MODES) {
      const { url: _, ...without } = urls;
      expect(await given(mode, { nodes: [without] })).toContain('missing field `url`');
    }
  });

  it('erc20_tokens_requests have a ticker, and the confirmations of their token', async () => {
    for (const mode of MODES) {
      const tokens = [{ ticker: 'TOK', required_confirmations: 7 }];
      expect(await given(mode, { erc20_tokens_requests: tokens })).toMatchObject({ erc20_tokens_requests: tokens });
      const none = { ticker: 'TOK', required_confirmations: null };
      expect(await given(mode, { erc20_tokens_requests: [none] })).toMatchObject({
        erc20_tokens_requests: [{ ticker: 'TOK' }],
      });
      const wrong = [{ ticker: 'TOK', required_confirmations: -1 }];
      expect(await given(mode, { erc20_tokens_requests: wrong })).toContain('expected u64');
      for (const [ticker, error] of [
        ['NOPE', 'TokenConfigIsNotFound'],
        ['MATIC', 'UnexpectedTokenProtocol'],
      ])
        expect(await given(mode, { erc20_tokens_requests: [{ ticker }] })).toContain(error);
    }
  });

  it('swap_v2_contracts are required if the configuration has use_trading_proto_v2', async () => {
    for (const mode of MODES) {
      const missing = 'swap_v2_contracts must be provided when using trading protocol v2';
      expect(await given(mode, {}, true)).toContain(missing);
      expect(await given(mode, { swap_v2_contracts: null }, true)).toContain(missing);
      const zero = { ...V2, taker_swap_v2_contract: `0x${'0'.repeat(40)}` };
      expect(await given(mode, { swap_v2_contracts: zero }, true)).toContain('must be non-zero');
      expect(await given(mode, { swap_v2_contracts: V2 }, true)).toMatchObject({ swap_v2_contracts: V2 });
    }
  });

  it('nft_req is for wallets with one address, and for chains with a provider of collectibles', async () => {
    for (const mode of MODES) {
      const device = { nft_req: NFT, priv_key_policy: { type: 'Trezor' } };
      expect(await given(mode, device)).toContain('UnexpectedDerivationMethod');
      expect(await given(mode, { nft_req: NFT, ticker: 'ONE' })).toContain('supported blockchain types');
    }
  });

  it('mm2 is a byte that the real node ignores', async () => {
    for (const mm2 of [0, 1]) expect(await given('specification', { mm2 })).toMatchObject({ mm2 });
    expect(await given('specification', { mm2: 2 })).toContain('mm2: expected 0 or 1');
    expect(await given('kdf', { mm2: 255 })).toMatchObject({ ticker: 'ETH' });
  });
});

describe('a member that task::enable_eth needs', () => {
  const needed: readonly (readonly [string, readonly unknown[]])[] = [
    ['erc20_tokens_requests', [null, [{}], [{ ticker: 5 }], 'x']],
    ['swap_contract_address', [null, '0x', 5]],
    ['ticker', [null, 5]],
    ['nodes', [null, [{}], 'x', [{ url: 5 }]]],
  ];
  it.each(needed)('%s', async (name, wrong) => {
    for (const mode of MODES) {
      const absent = await given(mode, { [name]: undefined });
      // The real node reads a request without nodes, and its task fails.
      if (name === 'nodes') expect(absent).toContain('must have at least 1 node');
      else expect(absent).toBe(`missing field \`${name}\``);
      for (const value of wrong)
        expect(await given(mode, { [name]: value }), JSON.stringify(value)).toEqual(expect.any(String));
    }
  });

  it.each([
    ['task_id of status', 'status'],
    ['task_id of user_action', 'user_action'],
    ['task_id of cancel', 'cancel'],
  ] as const)('%s', async (_, step) => {
    for (const compatibility of MODES) {
      const { call } = await serveTasks([[]], { compatibility });
      const rest = { user_action: { action_type: 'TrezorPin', pin: '1' } };
      expect(await call(step, rest)).toMatchObject({
        http: 400,
        body: { error: expect.stringContaining('missing field `task_id`') },
      });
      for (const task_id of [null, '0', -1, 1.5]) expect((await call(step, { ...rest, task_id })).http).toBe(400);
    }
  });

  it('user_action with its type and the one value that the type requires', async () => {
    for (const compatibility of MODES) {
      const { call, seen, evm } = await serveTasks([[{ ask: 'TrezorPin' }, { ask: 'TrezorPassphrase' }]], {
        compatibility,
      });
      const act = async (user_action: object) => (await call('user_action', { task_id: 0, user_action })).http;
      await call('init', least);
      await seen(0);
      for (const wrong of [
        {},
        { action_type: 'TrezorPin' },
        { action_type: 'TrezorPin', pin: 5 },
        { action_type: 'Foo', pin: '1' },
      ]) {
        expect(await act(wrong), JSON.stringify(wrong)).toBe(400);
      }
      expect(await act({ action_type: 'TrezorPin', pin: '789', passphrase: 'not this' })).toBe(200);
      await seen(0);
      expect(await act({ action_type: 'TrezorPassphrase', passphrase: '', pin: null })).toBe(200);
      expect(await seen(0)).toMatchObject({ status: 'Ok' });
      expect(evm.answers).toEqual(['789', '']);
    }
  });
});

describe('a progress status', () => {
  const statuses = [
    'ActivatingCoin',
    'RequestingWalletBalance',
    'Finishing',
    'WaitingForDeviceToConnect',
    'FollowHwDeviceInstructions',
  ] as const;
  it.each(statuses)('%s', async (status) => {
    const script = status === 'ActivatingCoin' ? (['wait'] as const) : ([{ tell: status }, 'wait'] as const);
    const { call, seen } = await serveTasks([script]);
    await call('init', least);
    expect(await seen(0, true)).toEqual({ status: 'InProgress', details: status });
    // Reading it forgets nothing.
    expect(await seen(0)).toEqual({ status: 'InProgress', details: status });
  });
});

it('a task is canceled while its device waits for a PIN, and nothing of it remains', async () => {
  const evm = new EvmDouble([[{ ask: 'TrezorPin' }], []]);
  const { call, seen, node, clock, legacy } = await serveTasks(evm);
  await call('init', least);
  expect(await seen(0)).toMatchObject({ status: 'UserActionRequired' });
  expect((await call('cancel', { task_id: 0 })).body).toMatchObject({ result: 'success' });
  await clock.advance(0);
  const user_action = { action_type: 'TrezorPin', pin: '1' };
  expect(await call('user_action', { task_id: 0, user_action })).toMatchObject({
    http: 400,
    body: { error_type: 'NoSuchTask' },
  });
  expect((await call('status', { task_id: 0 })).http).toBe(400);
  expect([evm.underWay, evm.open, evm.answers]).toEqual([0, 0, []]);
  expect(await node.log.read('enable-eth/0')).toMatchObject([
    {},
    { type: 'EnterTrezorPin' },
    { type: 'CancelRequested' },
    { type: 'Cancelled' },
  ]);
  expect((await legacy({ method: 'get_enabled_coins' })).body).toEqual({ result: [] });
  await call('init', least);
  expect(await seen(1)).toMatchObject({ status: 'Ok' });
});
