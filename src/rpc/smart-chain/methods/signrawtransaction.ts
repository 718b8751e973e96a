import type { TransactionInput, TransactionOutput } from '../../../htlc/transaction.ts';
import type { OutPoint } from '../../../htlc/transaction-encoding.ts';
import { bytesToHex, hexToBytes } from '../../../primitives/hex.ts';
import { isJsonObject, type JsonValue, parseJson } from '../../../primitives/json.ts';
import { inputFaults } from '../../../smartchain/chain/check-scripts.ts';
import { maxMoney } from '../../../smartchain/chain/check-transaction.ts';
import { moduleVerdict } from '../../../smartchain/chain/connect-block.ts';
import { unspentOutput } from '../../../smartchain/chain/ledger.ts';
import { outPointKey, waitingTokens } from '../../../smartchain/chain/mempool.ts';
import { isStrictHex } from '../../../smartchain/encoding/lenient.ts';
import { decodeWif } from '../../../smartchain/keys/wif.ts';
import type { SmartChain } from '../../../smartchain/node.ts';
import { scriptErrorText } from '../../../smartchain/script/errors.ts';
import { STANDARD_FLAGS } from '../../../smartchain/script/flags.ts';
import { tokenMoveOf } from '../../../smartchain/tokens/move.ts';
import { encodeChainTransaction } from '../../../smartchain/transaction.ts';
import { inTurns } from '../../../smartchain/turns.ts';
import { addKey, type Keyring, keyring } from '../../../smartchain/wallet/keyring.ts';
import { signingSteps } from '../../../smartchain/wallet/sign.ts';
import { satoshisOf } from '../amount-params.ts';
import type { Params, RpcMethod } from '../method.ts';
import { listAt, requireType, textAt } from '../params.ts';
import { RPC_CODE, RpcError } from '../rpc-error.ts';
import { coinAt, transactionAt } from '../transaction-param.ts';

/** Signs what the keys of the wallet, or the given ones, open; and says which inputs do not hold yet. Nothing is sent. */
export const signrawtransaction: RpcMethod = {
  name: 'signrawtransaction',
  usage: '"hexstring" ( [{"txid":"id","vout":n,"scriptPubKey":"hex","amount":value},...] ["privatekey",...] "ALL" )',
  summary: 'Signs the inputs of a transaction; returns it in hex, whether it is complete, and what is missing.',
  arity: [1, 4],
  async run(given, { chain, wallet }) {
    const params = withLists(given);
    const { txid, transaction } = transactionAt(params, 0);
    const known = isGiven(params, 1) ? givenCoins(chain, params) : new Map<string, TransactionOutput>();
    const ring = isGiven(params, 2) ? givenKeys(chain, params) : wallet.ring;
    if (isGiven(params, 3) && textAt(params, 3) !== 'ALL') {
      throw new RpcError(RPC_CODE.parameter, 'Invalid sighash param');
    }
    const found = transaction.inputs.map((input) => coinOf(chain, input) ?? known.get(outPointKey(input)));
    const spent = found.map((output) => output ?? NOTHING);
    const { passiveEvals, cryptoConditions } = chain.params;
    const signed = (await inTurns(signingSteps(transaction, { spent, ring, boundEvals: passiveEvals }))).transaction;
    const lookup = waitingTokens(chain.mempool(), chain.tree.ledger);
    const move = () => tokenMoveOf({ txid, transaction: signed }, lookup);
    const evaluate = moduleVerdict(signed, { params: chain.params, lookup, move });
    const faults = await inTurns(inputFaults(signed, { spent, evaluate, cryptoConditions, flags: STANDARD_FLAGS }));
    const errors = signed.inputs.flatMap((input, index) => {
      const fault = faults[index];
      if (found[index] === undefined) return [inputError(input, 'Input not found or already spent')];
      return fault === undefined ? [] : [inputError(input, scriptErrorText(fault))];
    });
    const complete = errors.length === 0;
    return { hex: bytesToHex(encodeChainTransaction(signed)), complete, ...(complete ? {} : { errors }) };
  },
};

const NOTHING: TransactionOutput = { value: 0n, script: new Uint8Array(0) };

function isGiven(params: Params, index: number): boolean {
  return params[index] !== undefined && params[index] !== null;
}

/** Clients that do not know the method send its lists as texts. */
function withLists(params: Params): Params {
  return params.map((value, index) => {
    if ((index !== 1 && index !== 2) || typeof value !== 'string') return value;
    try {
      const list = parseJson(value);
      return Array.isArray(list) ? list : value;
    } catch {
      return value;
    }
  });
}

/** The coin that an input spends, even if the mempool spends it as well. */
function coinOf(chain: SmartChain, outPoint: OutPoint): TransactionOutput | undefined {
  const waiting = chain.mempool().entries.get(outPoint.txid)?.transaction.outputs[outPoint.vout];
  return waiting ?? unspentOutput(chain.tree.ledger, outPoint)?.output;
}

/** Coins that only the caller knows. @throws RpcError -22 for one that the chain knows otherwise */
function givenCoins(chain: SmartChain, params: Params): Map<string, TransactionOutput> {
  requireType(params, 1, 'array');
  return new Map(
    listAt(params, 1).map((value) => {
      const outPoint = coinAt(value, RPC_CODE.deserialization);
      const members = isJsonObject(value) ? value : {};
      const script = scriptOf(members['scriptPubKey']);
      const known = coinOf(chain, outPoint);
      if (known !== undefined && bytesToHex(known.script) !== bytesToHex(script)) {
        throw new RpcError(RPC_CODE.deserialization, 'Previous output scriptPubKey mismatch');
      }
      const { amount } = members;
      const paid = amount === undefined ? 0n : satoshisOf(amount, maxMoney(chain.params));
      return [outPointKey(outPoint), { value: paid, script }];
    }),
  );
}

function scriptOf(value: JsonValue | undefined): Uint8Array {
  requireType([value ?? null], 0, 'string');
  const hex = textAt([value ?? null], 0);
  if (isStrictHex(hex)) return hexToBytes(hex);
  throw new RpcError(RPC_CODE.parameter, `scriptPubKey must be hexadecimal string (not '${hex.slice(0, 80)}')`);
}

function givenKeys(chain: SmartChain, params: Params): Keyring {
  requireType(params, 2, 'array');
  const list = listAt(params, 2);
  const ring = keyring(chain.params.prefixes);
  for (const index of list.keys()) {
    const key = decodeWif(textAt(list, index), chain.params.prefixes);
    if (key === undefined) throw new RpcError(RPC_CODE.addressOrKey, 'Invalid private key');
    addKey(ring, key);
  }
  return ring;
}

function inputError({ txid, vout, scriptSig, sequence }: TransactionInput, error: string) {
  return { txid, vout, scriptSig: bytesToHex(scriptSig), sequence, error };
}
