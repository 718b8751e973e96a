import { describe, expect, it } from 'vitest';
import { CoinEntryError } from '../../../../src/chains/entry-reader.ts';
import { readEvmEntry } from '../../../../src/chains/evm/coin-entry.ts';
import { EVM_ENTRY_FIELDS, type EvmEntryFieldName } from '../../../../src/chains/evm/entry-fields.ts';
import { enableEthRequest } from '../../../../src/events/enable-eth-request.ts';
import { keyPathOf } from '../../../../src/node/coin-keys.ts';
import { coinsOf } from '../../../../src/node/coins-file.ts';
import { ethOrder } from '../../../../src/node/tasks/eth-order.ts';
import type { JsonObject } from '../../../../src/primitives/json.ts';
import { describeShared, readShared } from '../../../support/shared.ts';

const GWEI = 10n ** 9n;

/** What reading an entry comes to: what is read, or the code and the member of its refusal. */
function outcome(entry: JsonObject): unknown {
  try {
    return readEvmEntry(entry);
  } catch (error) {
    if (!(error instanceof CoinEntryError)) throw error;
    return [error.code, error.facts['member']];
  }
}

const wrong = (entry: JsonObject, member = Object.keys(entry)[0]) =>
  expect(outcome(entry)).toEqual(['COIN_ENTRY_INVALID', member]);

/** The order of a task for a coin with this entry. */
function orderOf(entry: JsonObject, members: object = {}) {
  const coins = coinsOf([{ coin: 'TST', ...entry }], 'a test');
  const request = enableEthRequest.parse({
    ...{ ticker: 'TST', swap_contract_address: `0x${'24'.repeat(20)}`, erc20_tokens_requests: [] },
    ...{ nodes: [{ url: 'http://node.example' }], ...members },
  });
  return ethOrder(request, coins);
}

const ETH = { protocol: { type: 'ETH', protocol_data: { chain_id: 61 } } };

/** Shows that a member has the effect that the table says. */
const EFFECTS: Readonly<Record<string, () => void>> = {
  coin: () => expect(orderOf(ETH).ticker).toBe('TST'),
  // `enable` is shown by the acceptance cases `enable-mm2-…`, which look at no family; tasks do not look.
  mm2: () => expect(orderOf({ ...ETH, mm2: 0 }).ticker).toBe('TST'),
  protocol: () => {
    expect(orderOf({ ...ETH, chain_id: 1 }).chainId).toBe(61);
    expect(() => orderOf({ protocol: { type: 'UTXO' } })).toThrow('Unexpected platform protocol');
  },
  required_confirmations: () => {
    expect([{}, { required_confirmations: 0 }].map((entry) => readEvmEntry(entry).requiredConfirmations)).toEqual([
      null,
      0,
    ]);
    wrong({ required_confirmations: '5' });
  },
  wallet_only: () => {
    expect([{}, { wallet_only: true }].map((entry) => readEvmEntry(entry).walletOnly)).toEqual([false, true]);
    wrong({ wallet_only: 'yes' });
  },
  decimals: () => {
    expect([{}, { decimals: 0 }, { decimals: 6 }].map((entry) => readEvmEntry(entry).decimals)).toEqual([
      null,
      null,
      6,
    ]);
    wrong({ decimals: 19 });
  },
  max_eth_tx_type: () => {
    const kinds = [{}, { max_eth_tx_type: 1 }, { max_eth_tx_type: 2 }, { max_eth_tx_type: 127 }].map(
      (entry) => readEvmEntry(entry).prices.kind,
    );
    expect(kinds).toEqual(['legacy', 'legacy', 'eip1559', 'eip1559']);
    wrong({ max_eth_tx_type: 128 });
  },
  finalized_tag: () => {
    const tags = [{}, { finalized_tag: true }, { finalized_tag: false }].map(
      (entry) => readEvmEntry(entry).finalizedTag,
    );
    expect(tags).toEqual([null, true, false]);
    wrong({ finalized_tag: 1 });
  },
  max_gas_price: () => {
    const ceilings = [{}, { max_gas_price: 1 }, { max_gas_price: 500 }].map(
      (entry) => readEvmEntry(entry).prices.ceiling,
    );
    expect(ceilings).toEqual([100_000n * GWEI, GWEI, 500n * GWEI]);
    wrong({ max_gas_price: 0 });
    wrong({ max_gas_price: '500' });
  },
  gas_limit: () => {
    const limits = { eth_send_coins: 22_000, eth_payment: 70_000, erc20_payment: 170_000, eth_max_trade_gas: 61_000 };
    expect(readEvmEntry({ gas_limit: limits }).gas).toEqual({
      coin: { transfer: 22_000n, payment: 70_000n },
      token: { payment: 170_000n, approval: 61_000n },
    });
    wrong({ gas_limit: 7 });
    wrong({ gas_limit: { eth_payment: 20_999 } }, 'gas_limit.eth_payment');
  },
  avg_blocktime: () => {
    expect([{}, { avg_blocktime: 0.25 }, { avg_blocktime: 12 }].map((entry) => readEvmEntry(entry).blockTime)).toEqual([
      15, 1, 12,
    ]);
    wrong({ avg_blocktime: -1 });
  },
  logs_block_range: () => {
    expect([{}, { logs_block_range: 50 }].map((entry) => readEvmEntry(entry).logsBlockRange)).toEqual([null, 50]);
    wrong({ logs_block_range: 0 });
  },
  derivation_path: () => {
    expect(keyPathOf({ derivation_path: "m/44'/60'" }, { path_to_address: { address_id: 3 } })).toBe(
      "m/44'/60'/0'/0/3",
    );
    expect(() => keyPathOf({}, {})).toThrow("'derivation_path' field is not found in config");
  },
  trezor_coin: () => {
    const asked = { priv_key_policy: { type: 'Trezor' } };
    expect(() => orderOf(ETH, asked)).toThrow('Coin does not support Trezor wallet');
    expect(orderOf({ ...ETH, trezor_coin: 'Ethereum' }, asked).ticker).toBe('TST');
  },
};

const WITHOUT_EFFECT: Readonly<Record<string, JsonObject>> = {
  gas_limit_v2: { gas_limit_v2: { maker: {} } },
  gas_fee_estimator: { gas_fee_estimator: 'whatever' },
  sign_message_prefix: { sign_message_prefix: 'Ethereum Signed Message:\n' },
};

const named = (kind: 'effect' | 'none') =>
  (Object.keys(EVM_ENTRY_FIELDS) as EvmEntryFieldName[]).filter((name) => EVM_ENTRY_FIELDS[name].becomes === kind);

describe('a member of the coins file for a coin of an EVM chain', () => {
  it.each(named('effect'))('%s', (name) => {
    EFFECTS[name]?.();
  });

  it.each(named('none'))('%s has no effect', (name) => {
    expect(outcome(WITHOUT_EFFECT[name] ?? {})).toEqual(outcome({}));
  });

  it('is shown, whichever it is', () => {
    expect(Object.keys(EFFECTS).sort()).toEqual(named('effect').toSorted());
    expect(Object.keys(WITHOUT_EFFECT).sort()).toEqual(named('none').toSorted());
  });

  it('bounds what gas may cost', () => {
    expect(readEvmEntry({}).prices).toMatchObject({ tip: null, floor: 1n, ceiling: 100_000n * GWEI });
  });
});

describeShared('the reference of the coins file', () => {
  it('names no member of an account-based coin that is not in the table', () => {
    const [, section = ''] = readShared('reference/activation.md').split('### 3.1 Fields read at activation');
    const family = section.split(/^\* /m).find((part) => part.startsWith('ETH family')) ?? '';
    const members = [...family.matchAll(/`([a-z0-9_]+)`/g)].map(([, name]) => name as string);
    expect(members.length).toBeGreaterThan(6);
    expect(members.filter((name) => name !== 'chain_id' && !Object.hasOwn(EVM_ENTRY_FIELDS, name))).toEqual([]);
  });
});
