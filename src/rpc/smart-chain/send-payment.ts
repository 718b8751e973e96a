import type { Refusal } from '../../smartchain/chain/refusal.ts';
import { buildPayment, type Payment, type SendFault } from '../../smartchain/wallet/send.ts';
import type { NodeContext } from './context.ts';
import { RPC_CODE, RpcError } from './rpc-error.ts';

const FAULTS: Readonly<Record<SendFault, readonly [code: number, message: string]>> = {
  'insufficient-funds': [RPC_CODE.walletFunds, 'Insufficient funds'],
  dust: [RPC_CODE.wallet, 'Transaction amount too small'],
  'too-large': [RPC_CODE.wallet, 'Transaction too large'],
  'no-key': [RPC_CODE.wallet, 'Signing transaction failed'],
};

/** Builds a payment, adds it to the mempool and the log, and returns its id. @throws RpcError -6 or -4 */
export async function sendPayment(context: NodeContext, payment: Payment): Promise<string> {
  const make = () => {
    const sending = buildPayment(context, payment);
    if ('fault' in sending) throw new RpcError(...FAULTS[sending.fault]);
    return sending.identified;
  };
  const answer = await context.chain.send(make, { allowHighFees: true });
  if ('refused' in answer) throw rejected(answer.refused);
  return answer.txid;
}

function rejected(refusal: Refusal): RpcError {
  const reason = refusal.kind === 'missing-inputs' ? 'Missing inputs' : refusal.reason;
  return new RpcError(RPC_CODE.wallet, `Error: The transaction was rejected! ${reason}`);
}
