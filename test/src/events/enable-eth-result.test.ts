import { describe, expect, it } from 'vitest';
import { enableEthDetails } from '../../../src/events/enable-eth-result.ts';

const balance = { spendable: '0.1', unspendable: '0' };
const address = '0xbAB36286672fbdc7B250804bf6D14Be0dF69fa29';

const hd = {
  current_block: 18_000_000,
  ticker: 'ETH',
  wallet_balance: {
    wallet_type: 'HD',
    accounts: [
      {
        account_index: 0,
        derivation_path: "m/44'/60'/0'",
        total_balance: { ETH: balance },
        addresses: [{ address, derivation_path: "m/44'/60'/0'/0/0", chain: 'External', balance: {} }],
      },
    ],
  },
  nfts_infos: {
    '0xabc,1': { token_address: '0xabc', token_id: '1', chain: 'ETH', contract_type: 'ERC721', amount: '1' },
  },
};

const key = { derivation_method: { type: 'Iguana' }, pubkey: `04${'a'.repeat(128)}` };
const single = {
  current_block: 1,
  eth_addresses_infos: { [address]: { ...key, balances: balance } },
  erc20_addresses_infos: { [address]: { ...key, balances: { USDC: balance } } },
  nfts_infos: {},
};

describe('details of a finished activation', () => {
  it.each([
    ['accounts of an HD wallet', hd],
    ['one address in a wallet balance', { ...hd, wallet_balance: { wallet_type: 'Iguana', address, balance } }],
    ['one address', single],
    [
      'one address without balances',
      {
        ...single,
        eth_addresses_infos: { [address]: key },
        erc20_addresses_infos: { [address]: { ...key, tickers: ['USDC'] } },
      },
    ],
    ['members that are not known', { ...single, added_later: { x: 1 } }],
  ])('hold %s', (_, details) => {
    expect(enableEthDetails.parse(details)).toEqual(details);
  });

  it('keep every digit of a balance that came as a number with an exponent', () => {
    const details = {
      ...single,
      eth_addresses_infos: { [address]: { ...key, balances: { ...balance, spendable: '1e-18' } } },
    };
    expect(enableEthDetails.parse(details)).toMatchObject({
      eth_addresses_infos: { [address]: { balances: { spendable: '0.000000000000000001' } } },
    });
  });

  it.each([
    [{}],
    [{ ...hd, wallet_balance: undefined }],
    [{ ...single, nfts_infos: undefined }],
    [{ ...single, current_block: -1 }],
    [{ ...hd, wallet_balance: { wallet_type: 'HD', accounts: [{ account_index: 0 }] } }],
  ])('%# refuse what is neither form', (details) => {
    expect(enableEthDetails.safeParse(details).success).toBe(false);
  });
});
