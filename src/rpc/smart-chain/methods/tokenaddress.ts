import { hash160 } from '../../../primitives/hash.ts';
import { ownedOutputs } from '../../../smartchain/chain/address-index.ts';
import { freeBalance } from '../../../smartchain/chain/free-balance.ts';
import { ownerKey, type ScriptOwner } from '../../../smartchain/chain/script-owner.ts';
import { encodeAddress } from '../../../smartchain/encoding/address.ts';
import { lenientHex } from '../../../smartchain/encoding/lenient.ts';
import { conditionAddressHash } from '../../../smartchain/script/condition-scripts.ts';
import { TOKENS_KEY, tokenScript } from '../../../smartchain/tokens/scripts.ts';
import { promisedOf } from '../../../smartchain/wallet/coins.ts';
import { coins } from '../amount.ts';
import type { NodeContext } from '../context.ts';
import type { RpcMethod } from '../method.ts';
import { optionalTextAt } from '../params.ts';
import { publicKeyOrModule, tokenMaker } from '../token-params.ts';

const KEY_BYTES = 33;

/** Addresses of the token module, of a given key, and of the node's own key, with the coins on them. */
export const tokenaddress: RpcMethod = {
  name: 'tokenaddress',
  usage: '[pubkey]',
  summary: 'Returns the token addresses of the module, of a public key and of the key of this node.',
  arity: [0, 1],
  run(params, context) {
    const { publicKey } = tokenMaker(context);
    const text = optionalTextAt(params, 0);
    const asked = text === undefined || lenientHex(text).length !== KEY_BYTES ? undefined : publicKeyOrModule(text);
    const view = balances(context);
    return {
      result: 'success',
      TokensCCAddress: view.address(tokens(TOKENS_KEY)),
      TokensCCBalance: view.balance(tokens(TOKENS_KEY)),
      TokensNormalAddress: view.address(plain(TOKENS_KEY)),
      TokensNormalBalance: view.balance(plain(TOKENS_KEY)),
      ...(asked === undefined ? {} : askedMembers(asked, context)),
      'myCCAddress(Tokens)': view.address(tokens(publicKey)),
      'myCCbalance(Tokens)': view.balance(tokens(publicKey)),
      myaddress: view.address(plain(publicKey)),
      mybalance: view.balance(plain(publicKey)),
    };
  },
};

/** The node looks the given key's token coins up among normal ones and so finds none; only its own mode repeats that. */
function askedMembers(key: Uint8Array, context: NodeContext): Readonly<Record<string, unknown>> {
  const view = balances(context);
  const owner = tokens(key);
  const looked: ScriptOwner = context.compatibility === 'node' ? { ...owner, kind: 'key' } : owner;
  return { 'PubkeyCCaddress(Tokens)': view.address(owner), 'PubkeyCCbalance(Tokens)': view.balance(looked) };
}

function tokens(key: Uint8Array): ScriptOwner {
  return { kind: 'condition', hash: conditionAddressHash(tokenScript([key])) };
}

function plain(key: Uint8Array): ScriptOwner {
  return { kind: 'key', hash: hash160(key) };
}

function balances({ chain }: NodeContext) {
  const { addresses } = chain.tree.ledger;
  const taken = { ...chain.mempool(), promised: promisedOf(chain) };
  return {
    address: ({ hash }: ScriptOwner) => encodeAddress({ kind: 'key', hash }, chain.params.prefixes),
    balance: (owner: ScriptOwner) =>
      coins(freeBalance(ownedOutputs(addresses, ownerKey(owner)), taken, ({ output }) => output.value)),
  };
}
