import { describe, expect, it } from 'vitest';
import { CoinEntryError } from '../../../../src/chains/entry-reader.ts';
import { readUtxoEntry } from '../../../../src/chains/utxo/coin-entry.ts';
import type { JsonObject } from '../../../../src/primitives/json.ts';

const TERMS = { finality: 4, scheme: 'p2sh' } as const;
const read = (entry: JsonObject) => readUtxoEntry({ coin: 'TST', ...entry }, TERMS);

describe('an entry of the coins file', () => {
  it('has the real node’s defaults for absent members', () => {
    const { coin, form } = read({});
    expect(coin).toMatchObject({
      coin: 'TST',
      decimals: 8,
      form: { format: 'legacy', version: 1 },
      hashType: 1,
      address: 'p2pkh',
      dust: 1000n,
      finality: 4,
      blockTime: 60,
      maturity: 100,
      medianBlocks: 11,
    });
    expect(coin.fees.rate).toBe(1000n);
    expect(form).toEqual({ keyPrefix: Uint8Array.of(60), scriptPrefix: Uint8Array.of(85), bech32: null });
  });

  it('of Bitcoin has other prefixes by its ticker', () => {
    expect(readUtxoEntry({ coin: 'BTC' }, TERMS).form).toMatchObject({
      keyPrefix: Uint8Array.of(0),
      scriptPrefix: Uint8Array.of(5),
    });
  });

  it('applies every member', () => {
    const { coin, form } = read({
      pubtype: 184,
      p2shtype: 189,
      taddr: 28,
      txversion: 4,
      overwintered: 1,
      version_group_id: '0x892f2085',
      consensus_branch_id: '0xc2d6d0b4',
      txfee: 10_000,
      dust: 546,
      decimals: 6,
      mature_confirmations: 501,
      mtp_block_count: 7,
      avg_blocktime: 75,
    });
    expect(coin).toMatchObject({
      form: { format: 'sapling', version: 4, versionGroupId: 0x892f_2085 },
      branchId: 0xc2d6_d0b4,
      dust: 546n,
      decimals: 6,
      maturity: 501,
      medianBlocks: 7,
      blockTime: 75,
    });
    expect(coin.fees).toEqual({
      rate: 10_000n,
      floor: 1000n,
      ceiling: 1_000_000n,
      estimate: { blocks: 1, mode: null },
    });
    expect(form).toMatchObject({ keyPrefix: Uint8Array.of(28, 184), scriptPrefix: Uint8Array.of(28, 189) });
  });

  it('asks the node for its fees if txfee is 0', () => {
    const { fees } = read({ txfee: 0 }).coin;
    expect(fees.rate).toBeNull();
    expect(fees.ceiling).toBe(500_000n);
  });

  it('signs with the fork id if the chain demands it', () => {
    expect(read({ fork_id: '0x40' }).coin.hashType).toBe(0x41);
    expect(readUtxoEntry({ coin: 'BCH' }, TERMS).coin.hashType).toBe(0x41);
    expect(read({ fork_id: '0x40', signature_version: 'base' }).coin.hashType).toBe(1);
  });

  it('of the third version has another group and branch', () => {
    const { coin } = read({ txversion: 3, overwintered: 1 });
    expect(coin).toMatchObject({ form: { format: 'overwinter', versionGroupId: 0x03c4_8270 }, branchId: 0x5ba8_1b19 });
  });

  it('has addresses with a witness if configured', () => {
    const { coin, form } = read({ segwit: true, bech32_hrp: 'tst', address_format: { format: 'segwit' } });
    expect([coin.address, form.bech32]).toEqual(['p2wpkh', 'tst']);
    expect(read({ segwit: true, bech32_hrp: 'tst' }).coin.address).toBe('p2pkh');
  });

  it('has cash addresses if configured', () => {
    const { coin, form } = read({ address_format: { format: 'cashaddress', network: 'bchtest' } });
    expect([coin.address, form.cash]).toEqual(['p2pkh', 'bchtest']);
  });

  it('spends no tokens of a coin that has them', () => {
    expect(read({ protocol: { type: 'BCH', protocol_data: { slp_prefix: 'slptest' } } }).coin.tokens).toBe('slp');
    expect(read({ protocol: { type: 'UTXO' } }).coin.tokens).toBeUndefined();
  });

  it('of Qtum has stakes, the maturity of its network, and fees that its nodes relay', () => {
    const entry = { pubtype: 58, p2shtype: 50, bech32_hrp: 'qc', dust: 72_800, protocol: { type: 'QTUM' } };
    const { coin, form } = read(entry);
    expect(coin).toMatchObject({ stakes: true, maturity: 2000, dust: 72_800n, decimals: 8 });
    expect(coin.form).toEqual({ format: 'legacy', version: 1 });
    expect(coin.fees).toMatchObject({ rate: 400_000n, floor: 400_000n, ceiling: 40_000_000n });
    expect(form.keyPrefix).toEqual(Uint8Array.of(58));
    expect(read({ ...entry, mature_confirmations: 500, txfee: 500_000 }).coin).toMatchObject({
      maturity: 500,
      fees: { rate: 500_000n, floor: 400_000n },
    });
    const { stakes, maturity, fees } = read({ protocol: { type: 'UTXO' } }).coin;
    expect([stakes, maturity, fees.floor]).toEqual([undefined, 100, 1000n]);
  });

  const codeOf = (entry: JsonObject): readonly string[] => {
    try {
      readUtxoEntry({ coin: 'TST', ...entry }, TERMS);
      return ['read'];
    } catch (error) {
      if (!(error instanceof CoinEntryError)) throw error;
      return [error.code, String(error.facts['member'])];
    }
  };

  it.each([
    [{ decimals: 19 }, 'decimals'],
    [{ decimals: -1 }, 'decimals'],
    [{ dust: 1.5 }, 'dust'],
    [{ pubtype: 256 }, 'pubtype'],
    [{ txfee: '1000' }, 'txfee'],
    [{ bech32_hrp: 7 }, 'bech32_hrp'],
    [{ fork_id: '0x' }, 'fork_id'],
    [{ version_group_id: 'zz', txversion: 4, overwintered: 1 }, 'version_group_id'],
    [{ txversion: 2, overwintered: 1 }, 'txversion'],
    [{ address_format: { format: 'segwit' } }, 'address_format'],
    [{ address_format: { format: 'cashaddress' } }, 'address_format'],
    [{ address_format: { format: 'cashaddress', network: 'a b' } }, 'address_format'],
  ])('that is wrong is refused by name: %o', (entry, member) => {
    expect(codeOf(entry as JsonObject)).toEqual(['COIN_ENTRY_INVALID', member]);
  });

  it.each([
    [{ isPoS: 1 }, 'isPoS'],
    [{ isPoSV: true }, 'isPoSV'],
    [{ spv_conf: {} }, 'spv_conf'],
    [{ coin: 'GRS' }, 'coin'],
    [{ coin: 'SMART' }, 'coin'],
    [{ signature_version: 'witness_v0' }, 'signature_version'],
    [{ address_format: { format: 'contract' } }, 'address_format'],
  ])('of an unsupported coin is refused by name: %o', (entry, member) => {
    expect(codeOf(entry as JsonObject)).toEqual(['COIN_UNSUPPORTED', member]);
  });

  it('says in its error what to do', () => {
    expect(() => read({ decimals: 19 })).toThrowErrorMatchingInlineSnapshot(`
      [CoinEntryError: [COIN_ENTRY_INVALID] A member of the coins file cannot be used.

        member    decimals
        expected  a whole number up to 18
        found     19

      Correct the entry in the coins file.

      Docs: docs/reference/errors.md#coin_entry_invalid]
    `);
  });
});
