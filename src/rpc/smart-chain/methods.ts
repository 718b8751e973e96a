import type { RpcMethod } from './method.ts';
import { createmultisig } from './methods/createmultisig.ts';
import { createrawtransaction } from './methods/createrawtransaction.ts';
import { decodeccopret } from './methods/decodeccopret.ts';
import { decoderawtransaction } from './methods/decoderawtransaction.ts';
import { dumpprivkey } from './methods/dumpprivkey.ts';
import { estimatefee } from './methods/estimatefee.ts';
import { estimatepriority } from './methods/estimatepriority.ts';
import { generate } from './methods/generate.ts';
import { generatetoaddress } from './methods/generatetoaddress.ts';
import { getaddressbalance } from './methods/getaddressbalance.ts';
import { getaddressutxos } from './methods/getaddressutxos.ts';
import { getbalance } from './methods/getbalance.ts';
import { getbalances } from './methods/getbalances.ts';
import { getbestblockhash } from './methods/getbestblockhash.ts';
import { getblock } from './methods/getblock.ts';
import { getblockchaininfo } from './methods/getblockchaininfo.ts';
import { getblockcount } from './methods/getblockcount.ts';
import { getblockhash } from './methods/getblockhash.ts';
import { getblockheader } from './methods/getblockheader.ts';
import { getconnectioncount } from './methods/getconnectioncount.ts';
import { getdifficulty } from './methods/getdifficulty.ts';
import { getinfo } from './methods/getinfo.ts';
import { getmempoolinfo } from './methods/getmempoolinfo.ts';
import { getnetworkinfo } from './methods/getnetworkinfo.ts';
import { getnewaddress } from './methods/getnewaddress.ts';
import { getpeerinfo } from './methods/getpeerinfo.ts';
import { getrawmempool } from './methods/getrawmempool.ts';
import { getrawtransaction } from './methods/getrawtransaction.ts';
import { gettransaction } from './methods/gettransaction.ts';
import { gettxout } from './methods/gettxout.ts';
import { getwalletinfo } from './methods/getwalletinfo.ts';
import { helpMethod } from './methods/help.ts';
import { importaddress } from './methods/importaddress.ts';
import { importprivkey } from './methods/importprivkey.ts';
import { invalidateblock } from './methods/invalidateblock.ts';
import { listtransactions } from './methods/listtransactions.ts';
import { listunspent } from './methods/listunspent.ts';
import { reconsiderblock } from './methods/reconsiderblock.ts';
import { sendmany } from './methods/sendmany.ts';
import { sendrawtransaction } from './methods/sendrawtransaction.ts';
import { sendtoaddress } from './methods/sendtoaddress.ts';
import { signmessage } from './methods/signmessage.ts';
import { signrawtransaction } from './methods/signrawtransaction.ts';
import { stop } from './methods/stop.ts';
import { tokenaddress } from './methods/tokenaddress.ts';
import { tokenbalance } from './methods/tokenbalance.ts';
import { tokencreate } from './methods/tokencreate.ts';
import { tokeninfo } from './methods/tokeninfo.ts';
import { tokenlist } from './methods/tokenlist.ts';
import { tokentransfer } from './methods/tokentransfer.ts';
import { txnotarizedconfirmed } from './methods/txnotarizedconfirmed.ts';
import { validateaddress } from './methods/validateaddress.ts';
import { verifymessage } from './methods/verifymessage.ts';
import { zValidateaddress } from './methods/z-validateaddress.ts';

const DESCRIBED: readonly RpcMethod[] = [
  createmultisig,
  createrawtransaction,
  decodeccopret,
  decoderawtransaction,
  dumpprivkey,
  estimatefee,
  estimatepriority,
  generate,
  generatetoaddress,
  getaddressbalance,
  getaddressutxos,
  getbalance,
  getbalances,
  getbestblockhash,
  getblock,
  getblockchaininfo,
  getblockcount,
  getblockhash,
  getblockheader,
  getconnectioncount,
  getdifficulty,
  getinfo,
  getmempoolinfo,
  getnetworkinfo,
  getnewaddress,
  getpeerinfo,
  getrawmempool,
  getrawtransaction,
  gettransaction,
  gettxout,
  getwalletinfo,
  importaddress,
  importprivkey,
  invalidateblock,
  listtransactions,
  listunspent,
  reconsiderblock,
  sendmany,
  sendrawtransaction,
  sendtoaddress,
  signmessage,
  signrawtransaction,
  stop,
  tokenaddress,
  tokenbalance,
  tokencreate,
  tokeninfo,
  tokenlist,
  tokentransfer,
  txnotarizedconfirmed,
  validateaddress,
  verifymessage,
  zValidateaddress,
];

/** Every call of the node. */
export const METHODS: readonly RpcMethod[] = [...DESCRIBED, helpMethod(DESCRIBED)];
