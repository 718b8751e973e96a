import { z } from 'zod';
import type { JsonValue } from '../../primitives/json.ts';
import { anyJson, coinsField, countField, hashField, hexField, wholeField } from './fields.ts';

export type DecodedScript = {
  readonly asm: string;
  readonly hex: string;
  /** Such as `pubkey`, `nulldata` or `cryptocondition`. */
  readonly type: string;
  readonly requiredSignatures: number | undefined;
  readonly addresses: readonly string[];
};

export type DecodedInput = {
  /** Undefined for the input of a coinbase. */
  readonly spends: { readonly txid: string; readonly vout: number } | undefined;
  /** Script of the input, or of the coinbase, hex. */
  readonly script: string;
  readonly sequence: number;
};

export type DecodedOutput = {
  /** Satoshis. */
  readonly value: bigint;
  readonly index: number;
  readonly script: DecodedScript;
};

export type DecodedTransactionAnswer = {
  readonly txid: string;
  readonly version: number;
  readonly overwintered: boolean;
  readonly lockTime: number;
  readonly expiryHeight: number | undefined;
  readonly inputs: readonly DecodedInput[];
  readonly outputs: readonly DecodedOutput[];
  /** The complete answer of the node, unchanged. */
  readonly raw: JsonValue;
};

const input = z
  .object({
    txid: hashField.optional(),
    vout: countField.optional(),
    scriptSig: z.object({ hex: hexField }).optional(),
    coinbase: hexField.optional(),
    sequence: countField,
  })
  .transform(({ txid, vout, scriptSig, coinbase, sequence }): DecodedInput => {
    const spends = txid === undefined || vout === undefined ? undefined : { txid, vout };
    return { spends, script: coinbase ?? scriptSig?.hex ?? '', sequence };
  });

const script = z
  .object({
    asm: z.string(),
    hex: hexField,
    reqSigs: countField.optional(),
    type: z.string(),
    addresses: z.array(z.string()).optional(),
  })
  .transform(({ asm, hex, reqSigs, type, addresses = [] }): DecodedScript => {
    return { asm, hex, type, requiredSignatures: reqSigs, addresses };
  });

/** Two releases name the satoshis differently; `value` alone, in coins, is enough. */
const output = z
  .object({
    value: coinsField,
    valueSat: wholeField.optional(),
    valueZat: wholeField.optional(),
    n: countField,
    scriptPubKey: script,
  })
  .transform(({ value, valueSat, valueZat, n, scriptPubKey }, context): DecodedOutput => {
    if ([valueSat, valueZat].some((given) => given !== undefined && given !== value)) {
      context.addIssue({ code: 'custom', message: 'two values of one output differ' });
    }
    return { value, index: n, script: scriptPubKey };
  });

export const decodedTransactionAnswer = z
  .object({
    txid: hashField,
    overwintered: z.boolean().optional(),
    version: countField,
    locktime: countField,
    expiryheight: countField.optional(),
    vin: z.array(input),
    vout: z.array(output),
  })
  .transform(({ txid, overwintered = false, version, locktime, expiryheight, vin, vout }) => {
    return { txid, version, overwintered, lockTime: locktime, expiryHeight: expiryheight, inputs: vin, outputs: vout };
  });

export type Multisig = { readonly address: string; readonly redeemScript: string };

export const multisigAnswer = z.object({ address: z.string(), redeemScript: hexField }).readonly();

/** What the output of a contract says: the module by its name or code, and the function by its letter. */
export type ContractCallAnswer = { readonly evalCode: string; readonly function: string };

export const contractCallsAnswer = z
  .object({ OpRets: z.array(z.object({ eval_code: z.string(), function: z.string() })) })
  .transform(({ OpRets }): readonly ContractCallAnswer[] =>
    OpRets.map(({ eval_code, function: letter }) => ({ evalCode: eval_code, function: letter })),
  );

/** Coins per kilobyte, in satoshis; undefined if the node has not seen enough. */
export const feeAnswer = coinsField.transform((fee) => (fee < 0n ? undefined : fee));

/** A plain boolean, or the object in which the node wraps it. */
export const confirmedAnswer = z
  .union([z.boolean(), z.object({ result: z.boolean() })])
  .transform((given) => (typeof given === 'boolean' ? given : given.result));

export type ValidAddress = {
  readonly address: string;
  /** Hex. */
  readonly scriptPubKey: string;
  readonly segid: number | undefined;
  readonly isMine: boolean;
  readonly isWatchOnly: boolean;
  readonly isScript: boolean;
  /** Hex; set if the wallet has it. */
  readonly publicKey: string | undefined;
  readonly isCompressed: boolean | undefined;
};

/** Undefined if it is not an address. */
export const addressAnswer = z
  .object({
    isvalid: z.boolean(),
    address: z.string().optional(),
    scriptPubKey: hexField.optional(),
    segid: countField.optional(),
    ismine: z.boolean().optional(),
    iswatchonly: z.boolean().optional(),
    isscript: z.boolean().optional(),
    pubkey: hexField.optional(),
    iscompressed: z.boolean().optional(),
  })
  .transform(({ isvalid, ...given }, context): ValidAddress | undefined => {
    if (!isvalid) return undefined;
    if (given.address === undefined || given.scriptPubKey === undefined) {
      context.addIssue({ code: 'custom', message: 'a valid address without its script' });
      return z.NEVER;
    }
    return {
      address: given.address,
      scriptPubKey: given.scriptPubKey,
      segid: given.segid,
      isMine: given.ismine ?? false,
      isWatchOnly: given.iswatchonly ?? false,
      isScript: given.isscript ?? false,
      publicKey: given.pubkey,
      isCompressed: given.iscompressed,
    };
  });

/** A shielded address; which keys it has depends on its kind. */
export type ValidShieldedAddress = {
  readonly address: string;
  /** Undefined if the node does not report it. */
  readonly type: string | undefined;
  readonly isMine: boolean;
  /** Hex, of a Sprout address. */
  readonly payingKey: string | undefined;
  readonly transmissionKey: string | undefined;
  /** Hex, of a Sapling address. */
  readonly diversifier: string | undefined;
  readonly diversifiedTransmissionKey: string | undefined;
};

/** Undefined if it is not a shielded address. */
export const shieldedAddressAnswer = z
  .object({
    isvalid: z.boolean(),
    address: z.string().optional(),
    type: z.string().optional(),
    ismine: z.boolean().optional(),
    payingkey: hexField.optional(),
    transmissionkey: hexField.optional(),
    diversifier: hexField.optional(),
    diversifiedtransmissionkey: hexField.optional(),
  })
  .transform(({ isvalid, address, ...given }): ValidShieldedAddress | undefined => {
    if (!isvalid || address === undefined) return undefined;
    return {
      address,
      type: given.type,
      isMine: given.ismine ?? false,
      payingKey: given.payingkey,
      transmissionKey: given.transmissionkey,
      diversifier: given.diversifier,
      diversifiedTransmissionKey: given.diversifiedtransmissionkey,
    };
  });

export const textAnswer = z.string();
export const truthAnswer = z.boolean();
export const nothingAnswer = anyJson.transform((): undefined => undefined);
