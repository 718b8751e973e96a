import { sameBytes } from '../../primitives/hex.ts';
import { FAILURE, MESSAGE } from '../trezor/message-types.ts';
import { boolOf, bytesOf, messageWriter, readFields, textOf, u32sOf } from '../trezor/protobuf.ts';
import type { WireMessage } from '../trezor/reports.ts';
import { addressOf, shownTransaction, signatureOf, transactionOf } from './ethereum.ts';
import { EMPTY, type Front, type WalletSession } from './front.ts';
import { type DeviceSettings, Refusal } from './settings.ts';
import type { Talk } from './talk.ts';
import { keyAt, type Vault } from './vault.ts';

type Handler = (message: WireMessage) => WireMessage | Promise<WireMessage>;

export type HandlerParts = {
  readonly settings: DeviceSettings;
  readonly id: string;
  readonly vault: Vault;
  readonly front: Front;
  readonly session: WalletSession;
  readonly talk: Talk;
};

const BUTTON = { protect: 7, signTx: 8, address: 10, publicKey: 11 } as const;

/** What the device does for each message that it knows. */
export function handlersOf(parts: HandlerParts): Readonly<Record<number, Handler>> {
  const { vault, session, front } = parts;
  return {
    [MESSAGE.initialize]({ payload }) {
      if (!sameBytes(bytesOf(readFields(payload), 1) ?? EMPTY, session.id())) session.renew();
      return features(parts);
    },
    [MESSAGE.getFeatures]: () => features(parts),
    async [MESSAGE.ping]({ payload }) {
      const fields = readFields(payload);
      if (boolOf(fields, 2) === true) await front.confirm(BUTTON.protect, ['Answer the ping?']);
      return success(textOf(fields, 1) ?? '');
    },
    [MESSAGE.endSession]() {
      session.renew();
      return success('Session ended');
    },
    [MESSAGE.lockDevice]() {
      vault.lock();
      session.renew();
      return success('Session cleared');
    },
    [MESSAGE.cancel]() {
      throw new Refusal(FAILURE.actionCancelled, 'Cancelled');
    },
    [MESSAGE.getPublicKey]: (message) => publicKey(message, { parts, showField: 3 }),
    [MESSAGE.ethereumGetPublicKey]: (message) => publicKey(message, { parts, showField: 2 }),
    [MESSAGE.ethereumGetAddress]: (message) => address(message, parts),
    [MESSAGE.ethereumSignTx]: (message) => sign(message, parts),
    [MESSAGE.ethereumSignTxEip1559]: (message) => sign(message, parts),
  };
}

function features({ settings, id, vault, session }: HandlerParts): WireMessage {
  const writer = messageWriter().text(1, 'trezor.io').number(2, 1).number(3, 12).number(4, 1).text(6, id);
  writer.bool(7, settings.pin !== undefined).bool(8, settings.passphrase === true);
  writer
    .text(10, settings.label ?? 'simulated device')
    .bool(12, vault.initialized())
    .bool(16, !vault.locked());
  return {
    type: MESSAGE.features,
    payload: writer
      .text(21, settings.model ?? '1')
      .bytes(35, session.id())
      .done(),
  };
}

function success(text: string): WireMessage {
  return { type: MESSAGE.success, payload: messageWriter().text(1, text).done() };
}

type PublicKeyParts = { readonly parts: HandlerParts; readonly showField: number };

async function publicKey({ type, payload }: WireMessage, { parts, showField }: PublicKeyParts): Promise<WireMessage> {
  const fields = readFields(payload);
  const ofCoin = type === MESSAGE.getPublicKey;
  const curve = ofCoin ? textOf(fields, 2) : undefined;
  if (curve !== undefined && curve !== 'secp256k1') throw new Refusal(FAILURE.dataError, 'Unknown curve');
  const key = keyAt(await parts.session.wallet(), u32sOf(fields, 1));
  const { depth, parentFingerprint, index, chainCode, publicExtendedKey } = key;
  if (boolOf(fields, showField) === true) await parts.front.confirm(BUTTON.publicKey, [publicExtendedKey]);
  const node = messageWriter().number(1, depth).number(2, parentFingerprint).number(3, index);
  node.bytes(4, chainCode ?? EMPTY).bytes(6, key.publicKey ?? EMPTY);
  const answer = messageWriter().bytes(1, node.done()).text(2, publicExtendedKey).done();
  return { type: ofCoin ? MESSAGE.publicKey : MESSAGE.ethereumPublicKey, payload: answer };
}

async function address({ payload }: WireMessage, { session, front }: HandlerParts): Promise<WireMessage> {
  const fields = readFields(payload);
  const text = addressOf(keyAt(await session.wallet(), u32sOf(fields, 1)));
  if (boolOf(fields, 2) === true) await front.confirm(BUTTON.address, [text]);
  return { type: MESSAGE.ethereumAddress, payload: messageWriter().text(2, text).done() };
}

async function sign(message: WireMessage, { session, front, talk }: HandlerParts): Promise<WireMessage> {
  const key = keyAt(await session.wallet(), u32sOf(readFields(message.payload), 1));
  const transaction = await transactionOf(message, talk);
  await front.confirm(BUTTON.signTx, shownTransaction(transaction));
  return signatureOf(transaction, key);
}
