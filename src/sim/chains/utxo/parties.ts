import { checkWalletOptions } from '../check-options.ts';
import { simulatedKey } from '../mix.ts';
import type { SimWalletOptions } from '../types.ts';
import type { Signer } from './codec.ts';
import { addEntry, type Party, type UtxoState } from './state.ts';

/** The owner of that name, with the funds that the options give it. */
export function partyOf(state: UtxoState, options: SimWalletOptions): Party {
  checkWalletOptions(options);
  const { party: name, funds, coins = 4 } = options;
  let party = state.parties.get(name);
  if (party === undefined) {
    const key = simulatedKey(`${state.settings.coin}/${name}`);
    const signer = { key, address: state.codec.addressOf(key) };
    party = { name, signer, signers: new Map(), coins: [], funded: 0n };
    state.parties.set(name, party);
    own(state, party, signer);
  }
  if (funds !== undefined) fund(state, party, { units: state.settings.amounts.parse(funds), coins });
  return party;
}

export function signerOf(state: UtxoState, party: Party, swap: string): Signer {
  const key = simulatedKey(`${state.settings.coin}/${party.name}/${swap}`);
  const address = state.codec.addressOf(key);
  const signer = party.signers.get(address) ?? { key, address };
  own(state, party, signer);
  return signer;
}

function own(state: UtxoState, party: Party, signer: Signer): void {
  party.signers.set(signer.address, signer);
  state.owners.set(signer.address, { party, signer });
}

/** Gives a party outputs without a source, in the first block. */
function fund(
  state: UtxoState,
  party: Party,
  { units, coins }: { readonly units: bigint; readonly coins: number },
): void {
  if (units <= 0n) return;
  if (!Number.isSafeInteger(coins) || coins < 1 || coins > 250) throw new RangeError(`not a count of coins: ${coins}`);
  const share = units / BigInt(coins);
  const outputs = [];
  for (let index = 0; index < coins; index++) {
    const value = index === 0 ? units - share * BigInt(coins - 1) : share;
    if (value > 0n) outputs.push({ kind: 'key', value, lock: party.signer.address } as const);
  }
  // The lock time alone tells two fundings of one party apart.
  const tx = state.codec.encode({ lockTime: state.entries.size, inputs: [], outputs });
  const entry = addEntry(state, tx, { sources: [], fee: 0n, submittedBy: null });
  entry.height = state.settings.startHeight;
  entry.everMined = true;
  party.funded += units;
}
