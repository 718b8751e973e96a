import { describe, expect, it } from 'vitest';
import { addressText } from '../../../../src/chains/evm/address.ts';
import { ethOrder } from '../../../../src/node/tasks/eth-order.ts';
import type { TokenInUse } from '../../../../src/node/tasks/platform-coins.ts';
import { TaskFailure } from '../../../../src/node/tasks/task-failure.ts';
import { asked, coins, least } from '../../../support/tasks/eth-tasks.ts';

const ZERO = `0x${'0'.repeat(40)}`;
const nft_req = { provider: { type: 'Moralis', info: { url: 'https://nft.example' } } };
const custom = (ticker: string, contract_address: string) => ({
  erc20_tokens_requests: [
    { ticker, protocol: { type: 'ERC20', protocol_data: { platform: 'ETH', contract_address } } },
  ],
});

function refused(members: object) {
  try {
    ethOrder(asked(members).request, coins);
  } catch (error) {
    if (error instanceof TaskFailure) return [error.task.error_type, error.task.error, error.task['error_data']];
  }
  throw new Error('it was taken');
}

describe('the coins to activate', () => {
  it('is the coin with its chain and its tokens', () => {
    const order = ethOrder(
      asked({ erc20_tokens_requests: [{ ticker: 'TOK', required_confirmations: 4 }] }).request,
      coins,
    );
    expect(order).toMatchObject({ ticker: 'ETH', chainId: 1, entry: { coin: 'ETH' } });
    expect(order.tokens).toMatchObject([
      { ticker: 'TOK', contract: `0x${'57'.repeat(20)}`, requiredConfirmations: 4, entry: { coin: 'TOK' } },
    ]);
    const other = ethOrder(asked(custom('NEW', `0x${'58'.repeat(20)}`)).request, coins);
    expect(other.tokens).toEqual([
      { ticker: 'NEW', contract: `0x${'58'.repeat(20)}`, requiredConfirmations: null, entry: null },
    ]);
  });

  it.each([
    [{ ticker: 'NOPE' }, 'PlatformConfigIsNotFound', 'Platform NOPE config is not found', 'NOPE'],
    [
      { ticker: 'BAD' },
      'CoinProtocolParseError',
      'Platform coin BAD protocol parsing failed: missing field `protocol_data`',
      { ticker: 'BAD', error: 'missing field `protocol_data`' },
    ],
    [
      { ticker: 'DOC' },
      'UnexpectedPlatformProtocol',
      'Unexpected platform protocol {"type":"UTXO"} for DOC',
      { ticker: 'DOC', protocol: { type: 'UTXO' } },
    ],
    [
      { ticker: 'MATIC', priv_key_policy: 'Trezor' },
      'Internal',
      'Coin does not support Trezor wallet',
      expect.anything(),
    ],
    [
      { swap_contract_address: ZERO },
      'InvalidPayload',
      "swap_contract_address can't be zero address",
      expect.anything(),
    ],
    [
      { fallback_swap_contract: ZERO },
      'InvalidPayload',
      "fallback_swap_contract can't be zero address",
      expect.anything(),
    ],
    [
      { nodes: [] },
      'AtLeastOneNodeRequired',
      'Enable request for ETH coin must have at least 1 node',
      expect.anything(),
    ],
    [{ nodes: [{ url: 'http://[' }] }, 'InvalidPayload', 'http://[ could not be parsed.', expect.anything()],
    [
      { nodes: [{ url: 'ftp://u:p@node.example' }] },
      'InvalidPayload',
      "Invalid node address 'ftp://node.example'. Only http(s) and ws(s) nodes are supported",
      expect.anything(),
    ],
    [
      { erc20_tokens_requests: [{ ticker: 'NOPE' }] },
      'TokenConfigIsNotFound',
      'Token NOPE config is not found',
      'NOPE',
    ],
    [
      { erc20_tokens_requests: [{ ticker: 'BADTOK' }] },
      'TokenProtocolParseError',
      'Token BADTOK protocol parsing failed: missing field `protocol_data`',
      { ticker: 'BADTOK', error: 'missing field `protocol_data`' },
    ],
    [
      { erc20_tokens_requests: [{ ticker: 'DOC' }] },
      'UnexpectedTokenProtocol',
      'Unexpected token protocol {"type":"UTXO"} for DOC',
      { ticker: 'DOC', protocol: { type: 'UTXO' } },
    ],
    [
      custom('NEW', '0x9130B257D37A52E52F21054c4DA3450c72f595CE'),
      'UnexpectedTokenProtocol',
      'Unexpected token protocol {"type":"ERC20","protocol_data":{"platform":"ETH","contract_address":"0x9130B257D37A52E52F21054c4DA3450c72f595CE"}} for NEW',
      expect.anything(),
    ],
    [
      { ticker: 'MATIC', erc20_tokens_requests: [{ ticker: 'TOK' }] },
      'UnexpectedTokenProtocol',
      `Unexpected token protocol {"type":"ERC20","protocol_data":{"platform":"ETH","contract_address":"0x${'57'.repeat(20)}"}} for TOK`,
      expect.anything(),
    ],
    [
      custom('TOK', `0x${'58'.repeat(20)}`),
      'CustomTokenError',
      'Custom token error: Token with the same ticker already exists in coins configs, ticker in config: TOK',
      { DuplicateTickerInConfig: { ticker_in_config: 'TOK' } },
    ],
    [
      custom('NEW', `0x${'57'.repeat(20)}`),
      'CustomTokenError',
      'Custom token error: Token with the same contract address already exists in coins configs, ticker in config: TOK',
      { DuplicateContractInConfig: { ticker_in_config: 'TOK' } },
    ],
    [
      { ticker: 'ONE', nft_req },
      'Internal',
      'The provided string does not correspond to any of the supported blockchain types.',
      expect.anything(),
    ],
    [
      { nft_req, priv_key_policy: 'Trezor' },
      'UnexpectedDerivationMethod',
      "Unexpected derivation method: Expected 'SingleAddress' derivation method",
      expect.anything(),
    ],
  ])('is not known from %j', (members, type, text, data) => {
    expect(refused(members)).toEqual([type, text, data]);
  });
});

describe('a token that is not in the coins file', () => {
  const contract = addressText('5a'.repeat(20));
  const inUse = (platform: string) => [{ ticker: 'OLD', platform, contract: contract.toUpperCase().replace('X', 'x') }];
  const tickersOf = (members: object, used: readonly TokenInUse[]) =>
    ethOrder(asked(members).request, coins, { inUse: used }).tokens.map(({ ticker }) => ticker);

  it('is refused if its contract is in use, in any letter case', () => {
    let found: unknown;
    try {
      tickersOf(custom('NEW', contract), inUse('ETH'));
    } catch (error) {
      found = error instanceof TaskFailure ? error.task : error;
    }
    expect(found).toMatchObject({
      error_type: 'CustomTokenError',
      error: `Custom token error: Token is already activated, ticker: OLD, contract address: ${inUse('ETH')[0]?.contract}`,
      error_data: {
        TokenWithSameContractAlreadyActivated: { ticker: 'OLD', contract_address: inUse('ETH')[0]?.contract },
      },
    });
  });

  it('is accepted if another chain uses its contract', () => {
    expect(tickersOf(custom('NEW', contract), inUse('MATIC'))).toEqual(['NEW']);
  });

  it('is refused if the same request already has its contract', () => {
    const [one] = custom('AAA', contract).erc20_tokens_requests;
    const [two] = custom('BBB', contract).erc20_tokens_requests;
    expect(() => tickersOf({ erc20_tokens_requests: [one, two] }, [])).toThrow(
      `Token is already activated, ticker: AAA, contract address: ${contract}`,
    );
  });
});

describe('a token that is named twice', () => {
  it('is activated once, and shares its ticker with no other', () => {
    const twice = { erc20_tokens_requests: [{ ticker: 'TOK', required_confirmations: 5 }, { ticker: 'TOK' }] };
    const { tokens } = ethOrder(asked(twice).request, coins);
    expect(tokens.map(({ ticker, requiredConfirmations }) => [ticker, requiredConfirmations])).toEqual([['TOK', 5]]);
    const [one] = custom('AAA', addressText('5a'.repeat(20))).erc20_tokens_requests;
    const [two] = custom('AAA', addressText('5b'.repeat(20))).erc20_tokens_requests;
    expect(refused({ erc20_tokens_requests: [one, two] }).slice(0, 2)).toEqual([
      'CustomTokenError',
      'Custom token error: Token with the same ticker already exists in coins configs, ticker in config: AAA',
    ]);
  });
});

describe('the contracts of the second trading protocol', () => {
  const contracts = {
    maker_swap_v2_contract: least.swap_contract_address,
    taker_swap_v2_contract: least.swap_contract_address,
    nft_maker_swap_v2_contract: least.swap_contract_address,
  };
  const refusal = (members: object, tradingProtoV2: boolean) => {
    try {
      ethOrder(asked(members).request, coins, { tradingProtoV2 });
      return null;
    } catch (error) {
      return error instanceof TaskFailure ? `${error.task.error_type}: ${error.task.error}` : String(error);
    }
  };

  it('must be named if it is configured, none of them zero', () => {
    const missing = 'InvalidPayload: swap_v2_contracts must be provided when using trading protocol v2';
    const zero = { ...contracts, taker_swap_v2_contract: `0x${'0'.repeat(40)}` };
    expect(refusal({}, true)).toBe(missing);
    expect(refusal({ swap_v2_contracts: null }, true)).toBe(missing);
    expect(refusal({ swap_v2_contracts: contracts }, true)).toBeNull();
    expect(refusal({ swap_v2_contracts: zero }, false)).toBeNull();
    expect(refusal({ swap_v2_contracts: zero }, true)).toContain('All swap_v2_contracts addresses must be non-zero');
    expect(refusal({}, false)).toBeNull();
  });
});
