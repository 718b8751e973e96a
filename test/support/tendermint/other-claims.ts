import { createMultisigThresholdPubkey, makeSignDoc, pubkeyToAddress, serializeSignDoc } from '@cosmjs/amino';
import { encodePubkey } from '@cosmjs/proto-signing';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { MsgExec } from 'cosmjs-types/cosmos/authz/v1beta1/tx';
import { CompactBitArray, MultiSignature } from 'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig';
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing';
import { AuthInfo, SignerInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { Any } from 'cosmjs-types/google/protobuf/any';
import { encodeTendermintMessage } from '../../../src/htlc/tendermint-messages.ts';
import type { PaymentTerms } from '../../../src/ports/chain.ts';
import { sha256 } from '../../../src/primitives/hash.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';
import { signerOf } from '../litecoin/chain.ts';
import type { TendermintTestChain } from './adapter-chain.ts';

// Claims in forms that no wallet of this project makes, by another implementation.

type Claiming = { readonly id: string; readonly secret: string };

const FEE = 100_000n;
const GAS = 400_000n;

/** The id of the only payment of a chain under the hash of these terms. */
export function idOf(test: TendermintTestChain, { secretHash }: PaymentTerms): string {
  const found = [...test.chain.tip().state.payments.values()].filter(({ hashLock }) => hashLock === secretHash);
  if (found[0] === undefined || found.length > 1) throw new Error(`${found.length} payments have this hash`);
  return found[0].id;
}

type OfKeys = Claiming & {
  /** @defaultValue 2, which are enough */
  readonly signing?: 1 | 2;
};

/** A claim that two of three keys sign, in hex. Their account gets the coins for its fee. */
export function claimOfThreeKeys(test: TendermintTestChain, { id, secret, signing = 2 }: OfKeys): string {
  const { module, denom } = test.kind;
  const { prefix, chainId } = test.chain.rules;
  const signers = ['first', 'second', 'third'].map(signerOf);
  const keys = signers.map(({ key }) => ({
    type: 'tendermint/PubKeySecp256k1',
    value: Buffer.from(key).toString('base64'),
  }));
  const several = createMultisigThresholdPubkey(keys, 2, true);
  const sender = pubkeyToAddress(several, prefix);
  test.chain.fund(sender, [{ denom, amount: FEE }]);
  const account = test.chain.tip().state.accounts.get(sender);
  const fee = { amount: [{ denom, amount: String(FEE) }], gas: String(GAS) };
  const said = { type: `${module}/htlc/MsgClaimHTLC`, value: { sender, id, secret } };
  const sequence = Number(account?.sequence ?? 0n);
  const document = makeSignDoc([said], fee, chainId, 'of three', Number(account?.number ?? 0n), sequence);
  const hash = sha256(serializeSignDoc(document));
  const messages = [Any.decode(encodeTendermintMessage({ kind: 'claim', module, sender, id, secret }))];
  const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages, memo: 'of three' })).finish();
  const one = { single: { mode: SignMode.SIGN_MODE_LEGACY_AMINO_JSON } };
  // The third of three, and the second before it.
  const elems = Uint8Array.of(signing === 2 ? 0b0110_0000 : 0b0010_0000);
  const bitarray = CompactBitArray.fromPartial({ extraBitsStored: 3, elems });
  const modeInfo = { multi: { bitarray, modeInfos: Array.from({ length: signing }, () => one) } };
  const info = SignerInfo.fromPartial({ publicKey: encodePubkey(several), modeInfo, sequence: BigInt(sequence) });
  const authInfoBytes = AuthInfo.encode(
    AuthInfo.fromPartial({ signerInfos: [info], fee: { amount: fee.amount, gasLimit: GAS } }),
  ).finish();
  const signatures = signers
    .slice(-signing)
    .map(({ secretKey }) => secp256k1.sign(hash, secretKey, { prehash: false, lowS: true }));
  const together = MultiSignature.encode(MultiSignature.fromPartial({ signatures })).finish();
  return bytesToHex(TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [together] }).finish());
}

type CarriedOut = Claiming & {
  /** Of the wallet that signs. */
  readonly name: string;
  /** The address in whose name it is. @defaultValue that of the wallet */
  readonly as?: string;
};

/** A claim within a message that carries out others, in hex, by one of the chain's wallets. */
export async function claimCarriedOut(test: TendermintTestChain, { name, id, secret, as }: CarriedOut) {
  const account = test.account(name);
  const { module } = test.kind;
  const { address: grantee } = account;
  const sender = as ?? grantee;
  const msgs = [Any.decode(encodeTendermintMessage({ kind: 'claim', module, sender, id, secret }))];
  const value = MsgExec.encode(MsgExec.fromPartial({ grantee, msgs })).finish();
  const look = await test.reader().look();
  const sequence = await account.freeSequence(look);
  const messages = [{ kind: 'other', typeUrl: '/cosmos.authz.v1beta1.MsgExec', value }] as const;
  return (await account.sign({ messages, memo: '', sequence, timeout: 0, gas: GAS, fee: FEE }, look)).hex;
}
