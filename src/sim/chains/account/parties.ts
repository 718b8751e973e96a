import { checkWalletOptions } from '../check-options.ts';
import { simulatedKey } from '../mix.ts';
import type { SimWalletOptions } from '../types.ts';
import { type AccountState, accountOf, type Party } from './state.ts';

/** The owner of that name, with the funds that the options give it. */
export function partyOf(state: AccountState, options: SimWalletOptions): Party {
  checkWalletOptions(options);
  const { party: name, funds } = options;
  let party = state.parties.get(name);
  if (party === undefined) {
    const key = simulatedKey(`${state.settings.coin}/${name}`);
    const address = state.codec.addressOf(key);
    party = { name, signer: { key, address }, account: accountOf(state, address), funded: 0n };
    state.parties.set(name, party);
    state.owners.set(address, party);
  }
  if (funds !== undefined) {
    const units = state.settings.amounts.parse(funds);
    party.funded += units;
    party.account.balance += units;
  }
  return party;
}
