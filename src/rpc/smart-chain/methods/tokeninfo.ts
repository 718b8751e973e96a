import type { DecodedTransaction } from '../../../htlc/transaction.ts';
import { bytesToHex, sameBytes } from '../../../primitives/hex.ts';
import { lenientTokenId } from '../../../smartchain/encoding/lenient.ts';
import { conditionOf } from '../../../smartchain/script/condition-scripts.ts';
import { payloadOf } from '../../../smartchain/tokens/move.ts';
import { type CreatePayload, nonFungibleData } from '../../../smartchain/tokens/payload.ts';
import { MARKER_SCRIPT } from '../../../smartchain/tokens/scripts.ts';
import { coins, whole } from '../amount.ts';
import { findTransaction } from '../chain-view.ts';
import { importSource, isImport } from '../import-source.ts';
import type { RpcMethod } from '../method.ts';
import { textAt } from '../params.ts';
import { tokenFailure, tokenMaker, tokenText } from '../token-params.ts';

/** What the creation of a token says, and how many tokens it made. */
export const tokeninfo: RpcMethod = {
  name: 'tokeninfo',
  usage: 'tokenid',
  summary: 'Returns owner, name, supply and description of a token.',
  arity: [1, 1],
  run(params, context) {
    const { chain } = tokenMaker(context);
    const tokenid = lenientTokenId(textAt(params, 0));
    const known = findTransaction(chain, tokenid);
    if (known === undefined) return tokenFailure('cant find tokenid');
    if (known.record === undefined) return tokenFailure('the transaction is still in mempool');
    const { transaction, token } = known.record;
    const payload = payloadOf(transaction);
    if (payload?.kind !== 'create') return tokenFailure('tokenid isnt token creation txid');
    const supply = isImport(transaction) ? importedSupply(transaction) : (token?.amount ?? 0n);
    return {
      result: 'success',
      tokenid,
      owner: bytesToHex(payload.owner),
      name: tokenText(payload.name),
      // The specification and the older node say coins in a text, the newer node says tokens in a number.
      supply: context.compatibility === 'node' ? whole(supply) : coins(supply).value,
      description: tokenText(payload.description),
      ...optionalMembers(payload, transaction),
    };
  },
};

function optionalMembers(payload: CreatePayload, transaction: DecodedTransaction): Readonly<Record<string, string>> {
  const data = nonFungibleData(payload);
  return {
    ...(data === undefined ? {} : { data: bytesToHex(data) }),
    ...(isImport(transaction) ? { IsImported: 'yes', ...importSource(payload) } : {}),
  };
}

/** An import needs no coins of its owner behind its tokens, so all that it pays to conditions counts. */
function importedSupply({ outputs }: DecodedTransaction): bigint {
  return outputs
    .slice(0, -1)
    .filter(({ script }) => conditionOf(script) !== undefined && !sameBytes(script, MARKER_SCRIPT))
    .reduce((total, { value }) => total + value, 0n);
}
