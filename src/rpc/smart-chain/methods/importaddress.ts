import { hash160 } from '../../../primitives/hash.ts';
import { hexToBytes } from '../../../primitives/hex.ts';
import { ownerKey, type ScriptOwner, scriptOwner } from '../../../smartchain/chain/script-owner.ts';
import { decodeAddress } from '../../../smartchain/encoding/address.ts';
import { isStrictHex } from '../../../smartchain/encoding/lenient.ts';
import type { Prefixes } from '../../../smartchain/params.ts';
import { keyOfHash } from '../../../smartchain/wallet/keyring.ts';
import type { RpcMethod } from '../method.ts';
import { optionalBooleanAt, optionalTextAt, textAt } from '../params.ts';
import { RPC_CODE, RpcError } from '../rpc-error.ts';

/** Watches an address or a script. The chain is indexed by owner, so nothing has to be scanned again. */
export const importaddress: RpcMethod = {
  name: 'importaddress',
  usage: '"address or script" ( "label" rescan p2sh )',
  summary: 'Watches what an address or a script in hex receives, without its key.',
  arity: [1, 4],
  async run(params, { chain, wallet }) {
    const text = textAt(params, 0);
    optionalTextAt(params, 1);
    optionalBooleanAt(params, 2);
    const redeem = optionalBooleanAt(params, 3) === true;
    const owner = ownerOf(text, { redeem, prefixes: chain.params.prefixes });
    if (owner.kind === 'key' && keyOfHash(wallet.ring, owner.hash) !== undefined) {
      const held = 'The wallet already contains the private key for this address or script';
      throw new RpcError(RPC_CODE.wallet, held);
    }
    await wallet.watch(ownerKey(owner));
    return null;
  },
};

function ownerOf(text: string, { redeem, prefixes }: { redeem: boolean; prefixes: Prefixes }): ScriptOwner {
  const address = decodeAddress(text, prefixes);
  if (address !== undefined && !redeem) return address;
  if (address !== undefined) {
    const advice = 'Cannot use the p2sh flag with an address - use a script instead';
    throw new RpcError(RPC_CODE.addressOrKey, advice);
  }
  const script = isStrictHex(text) ? hexToBytes(text) : undefined;
  const paid = script === undefined || redeem ? undefined : scriptOwner(script);
  const owner = script !== undefined && redeem ? { kind: 'script' as const, hash: hash160(script) } : paid;
  if (owner === undefined) throw new RpcError(RPC_CODE.addressOrKey, 'Invalid Komodo address or script');
  return owner;
}
