import {
  type QtumAddressForm,
  qtumContractAddress,
  qtumWalletAddress,
  readQtumAddress,
} from '../../htlc/qtum-address.ts';
import type { AddressConversion } from '../../ports/coin-wallet.ts';
import { isJsonObject } from '../../primitives/json.ts';

/** Addresses of Qtum in the form of wallets or in that of contracts, from either; problems are in the words of the real node. */
export function qtumConversion(form: QtumAddressForm): AddressConversion {
  return (from, to) => {
    const format = isJsonObject(to) ? to['format'] : to;
    if (format !== 'wallet' && format !== 'contract') {
      return {
        ok: false,
        problem: `unknown variant \`${String(format).slice(0, 40)}\`, expected \`wallet\` or \`contract\``,
      };
    }
    const read = readQtumAddress(from, form);
    if (!read.ok) {
      const { base58, witness, contract } = read;
      const problem = `error on parse wallet address: "${base58}", "${witness}", error on parse contract address: "${contract}"`;
      return { ok: false, problem };
    }
    const { account } = read;
    return { ok: true, address: format === 'wallet' ? qtumWalletAddress(account, form) : qtumContractAddress(account) };
  };
}
