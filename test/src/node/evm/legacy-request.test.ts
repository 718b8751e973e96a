import { describe, expect, it } from 'vitest';
import { ActivationFailure } from '../../../../src/node/activation-failure.ts';
import { loggedRequest } from '../../../../src/node/activations/logged-request.ts';
import { readLegacyEvmRequest } from '../../../../src/node/evm/legacy-request.ts';
import type { JsonObject } from '../../../../src/primitives/json.ts';

const CONTRACT = `0x${'aB'.repeat(20)}`;
const good = { urls: ['https://node.example'], swap_contract_address: CONTRACT };

const problem = (
  members: JsonObject,
  compatibility: 'specification' | 'kdf' = 'specification',
  tradingProtoV2 = false,
) => {
  try {
    readLegacyEvmRequest({ ...good, ...members }, { compatibility, tradingProtoV2 });
    return null;
  } catch (error) {
    if (!(error instanceof ActivationFailure)) throw error;
    return error.message;
  }
};

describe('a legacy request for a coin of an account', () => {
  it('has the defaults of the specification', () => {
    expect(readLegacyEvmRequest(good, { compatibility: 'specification' })).toEqual({
      urls: ['https://node.example'],
      contract: 'ab'.repeat(20),
      fallbackContract: null,
      watchers: false,
      requiredConfirmations: null,
      station: null,
    });
    const gas_station_url = 'https://station.example/';
    expect(readLegacyEvmRequest({ ...good, gas_station_url }, { compatibility: 'specification' }).station).toEqual({
      url: gas_station_url,
      decimals: 8,
      policy: 'MeanAverageFast',
    });
    expect(readLegacyEvmRequest({ ...good, gas_station_url }, { compatibility: 'kdf' }).station).toBeNull();
  });

  it.each([
    [{ urls: null }, 'urls: invalid type: null, expected a sequence'],
    [{ urls: [7] }, 'urls[0]: invalid type: integer `7`, expected a string'],
    [{ urls: [] }, 'Enable request for ETH coin must have at least 1 node URL'],
    [{ urls: ['ftp://x/'] }, "Invalid node address 'ftp://x/'. Only http(s) and ws(s) nodes are supported"],
    [{ urls: ['http://['] }, 'http://[ could not be parsed.'],
    [{ swap_contract_address: '24'.repeat(20) }, 'swap_contract_address: 0x prefix is missing'],
    [
      { swap_contract_address: '0x1234' },
      'swap_contract_address: invalid length 4, expected a 0x-prefixed hex string with length of 40',
    ],
    [{ swap_contract_address: `0x1234g${'0'.repeat(35)}` }, 'swap_contract_address: invalid hex character: g, at 4'],
    [
      { swap_contract_address: 5 },
      'swap_contract_address: invalid type: integer `5`, expected a 0x-prefixed hex string with length of 40',
    ],
    [{ swap_contract_address: `0x${'0'.repeat(40)}` }, "swap_contract_address can't be zero address"],
    [{ fallback_swap_contract: `0x${'0'.repeat(40)}` }, "fallback_swap_contract can't be zero address"],
    [{ required_confirmations: '5' }, 'required_confirmations: invalid type: string "5", expected u64'],
    [{ required_confirmations: -1 }, 'required_confirmations: invalid value: integer `-1`, expected u64'],
    [{ required_confirmations: 2.5 }, 'required_confirmations: invalid type: floating point `2.5`, expected u64'],
    [
      { contract_supports_watchers: 'yes' },
      'contract_supports_watchers: invalid type: string "yes", expected a boolean',
    ],
    [{ gas_station_decimals: 'x' }, 'gas_station_decimals: invalid type: string "x", expected u8'],
    [
      { gas_station_policy: { policy: 'Dear' } },
      'gas_station_policy.policy: unknown variant `Dear`, expected `MeanAverageFast` or `Average`',
    ],
    [{ gas_station_url: 'ftp://x' }, 'gas_station_url: expected an http or https url'],
  ])('is refused with %j', (members, text) => {
    expect(problem(members as JsonObject)).toBe(text);
    // The real node names no member. What it does not look at it does not refuse.
    const [name] = Object.keys(members);
    const isLookedAt = !/^(?:gas_station|required_confirmations)/.test(String(name));
    const there = text.replace(/^[a-z_]+(?:\[\d\]|\.[a-z_]+)*: /, '');
    expect(problem(members as JsonObject, 'kdf')).toBe(isLookedAt ? there : null);
  });

  it.each(['specification', 'kdf'] as const)(
    'names the contracts of the second protocol where that is configured (%s)',
    (mode) => {
      const contracts = {
        maker_swap_v2_contract: CONTRACT,
        taker_swap_v2_contract: CONTRACT,
        nft_maker_swap_v2_contract: CONTRACT,
      };
      const missing = 'swap_v2_contracts must be provided when using trading protocol v2';
      const zero = `0x${'0'.repeat(40)}`;
      const { taker_swap_v2_contract: _, ...two } = contracts;
      for (const [swap_v2_contracts, text, member = ''] of [
        [null, missing],
        [contracts, null],
        [two, 'missing field `taker_swap_v2_contract`', '.taker_swap_v2_contract'],
        [5, 'invalid type: integer `5`, expected struct SwapV2Contracts'],
        [{ ...contracts, maker_swap_v2_contract: zero }, 'All swap_v2_contracts addresses must be non-zero'],
        [{ ...contracts, maker_swap_v2_contract: '24' }, '0x prefix is missing', '.maker_swap_v2_contract'],
      ] as const) {
        const isNamed = mode === 'specification' && text !== null && /^(?:missing|invalid|0x)/.test(text);
        expect(problem({ swap_v2_contracts }, mode, true)).toBe(isNamed ? `swap_v2_contracts${member}: ${text}` : text);
        expect(problem({ swap_v2_contracts }, mode)).toBeNull();
      }
      expect(problem({}, mode, true)).toBe(missing);
    },
  );

  it('needs a swap contract where the real node does, and ignores a gas station there', () => {
    expect(problem({ swap_contract_address: null })).toBeNull();
    expect(problem({ swap_contract_address: null }, 'kdf')).toBe(
      'invalid type: null, expected a 0x-prefixed hex string with length of 40',
    );
    expect(problem({ gas_station_url: 5, gas_station_decimals: 'x', gas_station_policy: 5 }, 'kdf')).toBeNull();
  });

  it.each([
    [7, 7],
    ['7', null],
    [-1, null],
    [1.5, null],
  ])('waits for %j confirmations under kdf: %j', (given, read) => {
    const found = readLegacyEvmRequest({ ...good, required_confirmations: given }, { compatibility: 'kdf' });
    expect(found.requiredConfirmations).toBe(read);
  });

  it('waits for as many confirmations as it says, and says nothing with null', () => {
    const asked = (required_confirmations: number | null) =>
      readLegacyEvmRequest({ ...good, required_confirmations }, { compatibility: 'specification' });
    expect([7, 0, null].map((count) => asked(count).requiredConfirmations)).toEqual([7, 0, null]);
  });

  it('J10: is written without what could open a node', () => {
    const request = {
      ...good,
      urls: ['https://user:hunter2@node.example/v3/0123456789abcdef0123', 'https://plain.example/hunter3'],
      gas_station_url: 'https://station.example/?key=sesame',
      userpass: 'hunter2',
    };
    expect(loggedRequest(request, ['hunter3'])).toEqual({
      urls: ['https://node.example/[redacted]', expect.not.stringContaining('hunter3')],
      swap_contract_address: CONTRACT,
      gas_station_url: 'https://station.example/',
    });
  });
});
