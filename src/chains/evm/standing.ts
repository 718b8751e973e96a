import type { Answer, TransactionView } from '../../ports/chain.ts';
import { BackendSilent } from '../../ports/silence.ts';
import { isHex } from '../../primitives/hex.ts';
import { ok } from '../accounts/answers.ts';
import { depthOf } from './depth.ts';
import { useOf } from './nonce-use.ts';
import type { Parts } from './parts.ts';
import type { EvmLook } from './reader.ts';

const UNKNOWN: TransactionView = { status: 'unknown', confirmations: 0 };

/** The state of a transaction. One that was signed here, or reported, is conflicted once another uses its nonce. */
export async function standingOf(
  { account, coin }: Pick<Parts, 'account' | 'coin'>,
  { id, look }: { readonly id: string; readonly look: EvmLook },
): Promise<Answer<TransactionView>> {
  if (id.length !== 64 || !isHex(id)) return ok(UNKNOWN);
  const [known, receipt] = await Promise.all([look.transaction(id), look.receipt(id)]);
  const bytes = known?.hex ?? account.prepared.get(id)?.hex;
  const shown = bytes === undefined ? {} : { tx_hex: bytes };
  if (receipt !== null) {
    const status = receipt.succeeded ? 'confirmed' : 'reverted';
    return ok({ status, confirmations: await depthOf(look, receipt.block, { coin, account }), ...shown });
  }
  if (known !== null) return ok({ status: 'mempool', confirmations: 0, ...shown });
  const made = account.prepared.get(id);
  const use = made === undefined ? null : await useOf(look, { made, others: account.prepared.withNonceOf(made) });
  if (use?.id === id) throw new BackendSilent(`a block contains ${id}, but the node does not report its outcome`);
  if (use === null) return ok(UNKNOWN);
  return ok({ status: 'conflicted', confirmations: await depthOf(look, use.block, { coin, account }) });
}
