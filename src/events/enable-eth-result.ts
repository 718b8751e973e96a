import { z } from 'zod';
import { decimal, kindOf, listOf, notAnObject, orOmitted, record, text, whole } from './fields.ts';

// What a successful activation answers (specification §4.7). Unknown members pass through.

function mapOf<T extends z.ZodType>(value: T) {
  return z.record(text, value, notAnObject);
}

const balance = record({ spendable: decimal, unspendable: decimal });
const balancesByTicker = mapOf(balance);

const hdAddress = record({
  address: text,
  derivation_path: text,
  chain: text,
  balance: orOmitted(balancesByTicker),
});

const hdAccount = record({
  account_index: whole,
  derivation_path: text,
  total_balance: orOmitted(balancesByTicker),
  addresses: listOf(hdAddress),
});

/** Accounts with their addresses, or one address; balances are absent where the request asked for none. */
const walletBalance = z.union(
  [
    record({ wallet_type: text, accounts: listOf(hdAccount) }),
    record({ wallet_type: text, address: text, balance: orOmitted(balance.or(balancesByTicker)) }),
  ],
  { error: (issue) => `expected a wallet balance with accounts or an address, found ${kindOf(issue.input)}` },
);

const nftInfo = record({ token_address: text, token_id: text, chain: text, contract_type: text, amount: decimal });

const derivation = { derivation_method: record({ type: text }), pubkey: text };

/** The form of the specification, which the real node answers for HD wallets and hardware wallets. */
export const walletDetails = record({
  current_block: whole,
  ticker: text,
  wallet_balance: walletBalance,
  nfts_infos: mapOf(nftInfo),
});

/** The real node's form for wallets with a single address. */
export const singleAddressDetails = record({
  current_block: whole,
  eth_addresses_infos: mapOf(record({ ...derivation, balances: orOmitted(balance) })),
  erc20_addresses_infos: mapOf(
    record({ ...derivation, balances: orOmitted(balancesByTicker), tickers: orOmitted(listOf(text)) }),
  ),
  nfts_infos: mapOf(nftInfo),
});

export const enableEthDetails = z.union([walletDetails, singleAddressDetails], {
  error: (issue) => `expected details with wallet_balance or with eth_addresses_infos, found ${kindOf(issue.input)}`,
});

export type EnableEthDetails = Readonly<z.output<typeof enableEthDetails>>;
