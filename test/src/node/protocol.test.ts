import { describe, expect, it } from 'vitest';
import { readProtocol } from '../../../src/node/protocol.ts';
import type { JsonValue } from '../../../src/primitives/json.ts';

const VARIANTS =
  'expected one of `UTXO`, `QTUM`, `QRC20`, `ETH`, `ERC20`, `TRX`, `SLPTOKEN`, `BCH`, `TENDERMINT`, `TENDERMINTTOKEN`, `LIGHTNING`, `ZHTLC`, `NFT`';

describe('the protocol of a coins-file entry', () => {
  // Texts of the real node.
  it.each([
    [null, 'invalid type: null, expected adjacently tagged enum CoinProtocol'],
    ['UTXO', 'invalid type: string "UTXO", expected adjacently tagged enum CoinProtocol'],
    [{}, 'missing field `type`'],
    [{ type: 'WOOF' }, `unknown variant \`WOOF\`, ${VARIANTS}`],
    [{ type: 'ETH' }, 'missing field `protocol_data`'],
    [{ type: 'ETH', protocol_data: {} }, 'missing field `chain_id`'],
    [{ type: 'ETH', protocol_data: { chain_id: '1' } }, 'invalid type: string "1", expected u64'],
    [{ type: 'ETH', protocol_data: { chain_id: -1 } }, 'invalid value: integer `-1`, expected u64'],
    [{ type: 'QRC20', protocol_data: { platform: 'QTUM' } }, 'missing field `contract_address`'],
    [
      { type: 'TENDERMINT', protocol_data: { decimals: 256, denom: 'u', account_prefix: 'i', chain_id: 'c' } },
      'invalid value: integer `256`, expected u8',
    ],
  ])('is refused in the real node’s words: %o', (value, problem) => {
    expect(readProtocol(value as JsonValue)).toEqual({ ok: false, problem });
  });

  it.each([
    [{ type: 'UTXO' }, 'UTXO', {}],
    [{ type: 'QTUM', protocol_data: null }, 'QTUM', {}],
    [{ type: 'ETH', protocol_data: { chain_id: 137, other: 1 } }, 'ETH', { chain_id: 137, other: 1 }],
    [{ type: 'UTXO', chain_variant: 'x' }, 'UTXO', {}],
  ])('is read with whatever else is there: %o', (value, type, data) => {
    expect(readProtocol(value as JsonValue)).toEqual({ ok: true, value: { type, data } });
  });
});
