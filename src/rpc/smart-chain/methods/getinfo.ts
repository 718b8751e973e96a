import { bytesToHex } from '../../../primitives/hex.ts';
import { WALLET_FEE_RATE } from '../../../smartchain/wallet/send.ts';
import { coins, whole } from '../amount.ts';
import { difficultyOf, networkName, tipNode } from '../chain-view.ts';
import type { RpcMethod } from '../method.ts';
import { NODE_VERSION } from '../node-version.ts';
import { walletBalance } from '../wallet-balance.ts';

const NO_HASH = '0'.repeat(64);

/** Node, chain and wallet in one answer. What only a network of nodes has is left out: ports, magic, eras. */
export const getinfo: RpcMethod = {
  name: 'getinfo',
  usage: '',
  summary: 'Returns the state of the node, its chain and its wallet.',
  arity: [0, 0],
  run(_params, context) {
    const { chain, wallet } = context;
    const { params, policy } = chain;
    const { height, block } = tipNode(chain);
    const notarized = chain.notarizedHeight();
    const own = wallet.ownKey();
    return {
      version: NODE_VERSION.number,
      protocolversion: NODE_VERSION.protocol,
      KMDversion: NODE_VERSION.text,
      synced: true,
      notarized,
      prevMoMheight: 0,
      notarizedhash: notarized === 0 ? NO_HASH : (chain.tree.ledger.blocks[notarized]?.hash ?? NO_HASH),
      notarizedtxid: NO_HASH,
      walletversion: NODE_VERSION.wallet,
      balance: coins(walletBalance(context).trusted),
      blocks: height,
      longestchain: height,
      tiptime: block.header.time,
      difficulty: difficultyOf(block.header.bits),
      keypoolsize: 0,
      paytxfee: coins(WALLET_FEE_RATE),
      sapling: params.saplingHeight ?? -1,
      timeoffset: 0,
      connections: 0,
      proxy: '',
      testnet: networkName(chain) !== 'main',
      relayfee: coins(policy.minRelayFee),
      errors: '',
      ...(own === undefined ? {} : { pubkey: bytesToHex(own.publicKey) }),
      ...(params.cryptoConditions ? { CCid: 1 } : {}),
      name: params.name,
      premine: whole(params.supply),
      reward: String(params.reward),
    };
  },
};
