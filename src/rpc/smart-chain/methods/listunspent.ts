import type { OutPoint } from '../../../htlc/transaction-encoding.ts';
import { bytesToHex } from '../../../primitives/hex.ts';
import type { UnspentEntry } from '../../../smartchain/chain/address-index.ts';
import { outPointKey } from '../../../smartchain/chain/mempool.ts';
import { ownerKey, scriptOwner } from '../../../smartchain/chain/script-owner.ts';
import { decodeAddress, segid } from '../../../smartchain/encoding/address.ts';
import type { SmartChain } from '../../../smartchain/node.ts';
import { inTurns, type Steps } from '../../../smartchain/turns.ts';
import { isMature, keyOwners, promisedOf, waitingCoins } from '../../../smartchain/wallet/coins.ts';
import { coins } from '../amount.ts';
import { confirmationsOf, depthOf } from '../chain-view.ts';
import type { Params, RpcMethod } from '../method.ts';
import { integerAt, listAt, requireType, textAt } from '../params.ts';
import { RPC_CODE, RpcError } from '../rpc-error.ts';
import { scriptAddresses } from '../script-json.ts';
import { isFree, unspentOf } from '../wallet-view.ts';

const MOST = 9_999_999;
const TYPES = ['number', 'number', 'array'] as const;

function isGiven(params: Params, index: number): boolean {
  return params[index] !== undefined && params[index] !== null;
}

/** Unspent outputs of the wallet's keys and of what it watches. */
export const listunspent: RpcMethod = {
  name: 'listunspent',
  usage: '( minconf maxconf ["address",...] )',
  summary: 'Returns unspent outputs of the wallet with so many confirmations, by default at least one.',
  arity: [0, 3],
  run(params, { chain, wallet }) {
    for (const [index, type] of TYPES.entries()) if (isGiven(params, index)) requireType(params, index, type);
    const least = isGiven(params, 0) ? integerAt(params, 0) : 1;
    const most = isGiven(params, 1) ? integerAt(params, 1) : MOST;
    const asked = isGiven(params, 2) ? ownersAt(chain, params) : undefined;
    const own = keyOwners(wallet.ring);
    const owners = [...own, ...wallet.ring.watched].filter((owner) => asked === undefined || asked.has(owner));
    const promised = promisedOf(chain);
    const isUsable = (entry: OutPoint) => isFree(chain, entry) && !promised.has(outPointKey(entry));
    const waiting = least > 0 ? [] : waitingCoins(chain, new Set(owners)).filter(isUsable);
    const confirmed = unspentOf(chain, owners).filter((entry) => {
      const depth = depthOf(chain, entry.record.height);
      return depth >= least && depth <= most && isUsable(entry) && isMature(chain, entry);
    });
    return inTurns(shownSteps(chain, { entries: [...confirmed, ...waiting], own }));
  },
};

type Shown = Pick<UnspentEntry, 'txid' | 'vout' | 'output'> & Partial<Pick<UnspentEntry, 'record'>>;

function* shownSteps(
  chain: SmartChain,
  { entries, own }: { readonly entries: readonly Shown[]; readonly own: ReadonlySet<string> },
): Steps<unknown> {
  const rows = [];
  for (const entry of entries) {
    rows.push(entryJson(chain, entry, own));
    yield;
  }
  return rows;
}

/** As in Komodo: both counts of confirmations, the plain one first. */
function entryJson(chain: SmartChain, { txid, vout, output, record }: Shown, own: ReadonlySet<string>) {
  const owner = scriptOwner(output.script);
  const [address] = scriptAddresses(output.script, chain.params.prefixes);
  const { confirmations, rawconfirmations } =
    record === undefined ? { confirmations: 0, rawconfirmations: 0 } : confirmationsOf(chain, record.height);
  return {
    txid,
    vout,
    generated: record?.coinbase ?? false,
    ...(address === undefined ? {} : { address, segid: segid(address), account: '' }),
    amount: coins(output.value),
    scriptPubKey: bytesToHex(output.script),
    rawconfirmations,
    confirmations,
    spendable: owner !== undefined && own.has(ownerKey(owner)),
  };
}

function ownersAt({ params: { prefixes } }: SmartChain, params: Params): Set<string> {
  const list = listAt(params, 2);
  const owners = new Set<string>();
  for (const index of list.keys()) {
    const text = textAt(list, index);
    const address = decodeAddress(text, prefixes);
    const quoted = text.slice(0, 100);
    if (address === undefined) throw new RpcError(RPC_CODE.addressOrKey, `Invalid Komodo address: ${quoted}`);
    const owner = ownerKey(address);
    if (owners.has(owner)) {
      throw new RpcError(RPC_CODE.parameter, `Invalid parameter, duplicated address: ${quoted}`);
    }
    owners.add(owner);
  }
  return owners;
}
