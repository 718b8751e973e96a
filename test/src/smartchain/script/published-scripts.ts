import { hexToBytes } from '../../../../src/primitives/hex.ts';
import { nodeVectors } from '../../../support/node-vectors.ts';

type PrintedScript = {
  readonly asm: string;
  readonly hex: string;
  readonly type?: string;
  readonly reqSigs?: number;
  readonly addresses?: readonly string[];
};

type PrintedTransaction = {
  readonly vin: readonly { readonly scriptSig?: PrintedScript }[];
  readonly vout: readonly { readonly scriptPubKey: PrintedScript }[];
};

type Vector = {
  readonly layout?: 'current' | 'legacy';
  readonly expected?: PrintedTransaction;
  readonly decoded?: PrintedTransaction;
};

export type PublishedScript = PrintedScript & {
  readonly kind: 'input' | 'output';
  readonly script: Uint8Array;
};

/**
 * Every script of the published transactions that the present node prints. Samples of older builds are left out: they show no
 * hash types, call conditions by another type, and some belong to other bytes than those beside them.
 */
export function currentScripts(): readonly PublishedScript[] {
  const vectors = [...nodeVectors<Vector>('decoderawtransaction'), ...nodeVectors<Vector>('token-transactions')];
  const printed = vectors.flatMap(({ layout = 'current', expected, decoded }) =>
    layout === 'current' ? [expected ?? decoded] : [],
  );
  return printed.flatMap((transaction) => {
    if (transaction === undefined) throw new Error('a vector without the text of its transaction');
    const inputs = transaction.vin.flatMap(({ scriptSig }) => (scriptSig === undefined ? [] : [scriptSig]));
    const outputs = transaction.vout.map(({ scriptPubKey }) => scriptPubKey);
    return [
      ...inputs.map((text) => ({ ...text, kind: 'input' as const, script: hexToBytes(text.hex) })),
      ...outputs.map((text) => ({ ...text, kind: 'output' as const, script: hexToBytes(text.hex) })),
    ];
  });
}
