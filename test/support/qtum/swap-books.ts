import { type Hex, toFunctionSelector } from 'viem';
import { contractCallsOf } from '../../../src/htlc/contract-output.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';
import type { Block } from '../../../src/smartchain/chain/block.ts';
import type { QtumTestChain } from './chain.ts';

// What a swap did on its chains, read from their blocks alone.

/** HASH160 of the key `03bc2c7b…cc06`, to which trading fees of KDF's network go. */
const FEE_ACCOUNT = 'ca1e04745e8ca0c60d8c5881531d51bec470743f';
const FEE_SCRIPT = `76a914${FEE_ACCOUNT}88ac`;
const SCRIPT_HASH = /^a914[0-9a-f]{40}87$/;

const CALLS: Readonly<Record<Hex, string>> = {
  [toFunctionSelector('transfer(address,uint256)')]: 'transfer',
  [toFunctionSelector('approve(address,uint256)')]: 'approve',
  [toFunctionSelector('erc20Payment(bytes32,uint256,address,address,bytes20,uint64)')]: 'pay',
  [toFunctionSelector('receiverSpend(bytes32,uint256,bytes32,address,address)')]: 'claim',
  [toFunctionSelector('senderRefund(bytes32,uint256,bytes20,address,address)')]: 'refund',
};

/**
 * The calls of contracts that blocks hold, by the account that made them, in their order; a call that was undone is told as one that failed. Allowances move
 * nothing and are left out.
 */
export function callsIn(chain: QtumTestChain, account: string): readonly string[] {
  const receipts = chain.machine.receiptsIn(0, chain.height);
  return chain.blocks
    .flatMap(({ transactions }) => transactions)
    .flatMap(({ txid, transaction }) =>
      contractCallsOf(transaction.outputs).flatMap(({ vout, data }) => {
        const told = receipts.find((one) => one.transactionHash === txid && one.outputIndex === vout);
        if (told?.from !== account) return [];
        const input = bytesToHex(data);
        const name = CALLS[`0x${input.slice(0, 8)}`] ?? `call ${input.slice(0, 8)}`;
        if (name === 'approve') return [];
        const kind = name === 'transfer' && input.slice(32, 72) === FEE_ACCOUNT ? 'fee' : name;
        return [told.excepted === 'None' ? kind : `${kind} failed`];
      }),
    );
}

/** Trading fees, payments under scripts, and ends of such payments, that blocks hold. */
export function scriptSwapsIn(blocks: readonly Block[]): readonly ('fee' | 'pay' | 'end')[] {
  const paid = new Set<string>();
  return blocks
    .flatMap(({ transactions }) => transactions)
    .flatMap(({ txid, transaction }) => {
      const ends = transaction.inputs.filter((input) => paid.has(`${input.txid}:${input.vout}`));
      const made = transaction.outputs.flatMap(({ script }, vout) => {
        const hex = bytesToHex(script);
        if (SCRIPT_HASH.test(hex)) paid.add(`${txid}:${vout}`);
        return SCRIPT_HASH.test(hex) ? (['pay'] as const) : hex === FEE_SCRIPT ? (['fee'] as const) : [];
      });
      return [...ends.map(() => 'end' as const), ...made];
    });
}
