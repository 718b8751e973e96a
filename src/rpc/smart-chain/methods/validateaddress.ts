import { bytesToHex } from '../../../primitives/hex.ts';
import { stringifyJson, WrittenJson } from '../../../primitives/json.ts';
import { remembering } from '../../../primitives/remember.ts';
import { ownerKey } from '../../../smartchain/chain/script-owner.ts';
import {
  type Address,
  addressScript,
  decodeAddress,
  encodeAddress,
  segid,
} from '../../../smartchain/encoding/address.ts';
import type { Prefixes } from '../../../smartchain/params.ts';
import { keyOfHash } from '../../../smartchain/wallet/keyring.ts';
import type { RpcMethod } from '../method.ts';
import { textAt } from '../params.ts';

/** What an address means, and what the wallet knows about it. */
export const validateaddress: RpcMethod = {
  name: 'validateaddress',
  usage: '"address"',
  summary: 'Returns whether an address is valid, and what is known about it.',
  arity: [1, 1],
  run(params, { chain, wallet }) {
    const read = addressOf(textAt(params, 0), chain.params.prefixes);
    if (read === undefined) return { isvalid: false };
    const { address } = read;
    const key = address.kind === 'key' ? keyOfHash(wallet.ring, address.hash) : undefined;
    const watched = key === undefined && wallet.ring.watched.has(ownerKey(address));
    const publicKey = key?.publicKey;
    const { told } = read;
    // Programs ask about the same few addresses again and again, and what the wallet knows of one seldom changes.
    if (told !== undefined && told.publicKey === publicKey && told.watched === watched) return told.answer;
    const answer = new WrittenJson(
      stringifyJson({
        isvalid: true,
        address: read.text,
        scriptPubKey: read.script,
        segid: read.segid,
        ismine: key !== undefined,
        iswatchonly: watched,
        isscript: address.kind === 'script',
        ...(key === undefined ? {} : { pubkey: bytesToHex(key.publicKey), iscompressed: key.compressed }),
        // Everything that the wallet holds or watches is in the default account.
        ...(key === undefined && !watched ? {} : { account: '' }),
      }),
    );
    read.told = { publicKey, watched, answer };
    return answer;
  },
};

type ReadAddress = {
  readonly address: Address;
  readonly text: string;
  readonly script: string;
  readonly segid: number;
  /** The last answer, and what the wallet knew then. */
  told?: Told;
};

type Told = { readonly publicKey: Uint8Array | undefined; readonly watched: boolean; readonly answer: WrittenJson };

/** What an address says by itself, without the wallet. */
function addressOf(text: string, prefixes: Prefixes): ReadAddress | undefined {
  if (text.length > LONGEST) return readAddress(text, prefixes);
  let known = READ.get(prefixes);
  if (known === undefined) {
    known = remembering((each: string) => readAddress(each, prefixes));
    READ.set(prefixes, known);
  }
  return known(text);
}

const READ = new WeakMap<Prefixes, (text: string) => ReadAddress | undefined>();
/** Characters of an address without white space around it, at the most. */
const LONGEST = 35;

function readAddress(given: string, prefixes: Prefixes): ReadAddress | undefined {
  const address = decodeAddress(given, prefixes);
  if (address === undefined) return undefined;
  const script = bytesToHex(addressScript(address));
  return { address, text: encodeAddress(address, prefixes), script, segid: segid(given) };
}
