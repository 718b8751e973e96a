import type { DeviceInfo } from '../../ports/hardware-wallet.ts';
import { addressText } from '../../primitives/eip55.ts';
import { publicKeyAt } from './keys.ts';
import { MESSAGE } from './message-types.ts';
import { type Fields, messageWriter, textOf } from './protobuf.ts';
import type { WireMessage } from './reports.ts';
import type { Wanted } from './requests.ts';
import { WireFault } from './wire-fault.ts';

/** What a request sends and which answer it expects. */
export type Call<T> = { readonly message: WireMessage; readonly wanted: Wanted<T> };

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const CURVE = 'secp256k1';

export const initialize: Call<Omit<DeviceInfo, 'key'>> = {
  message: { type: MESSAGE.initialize, payload: new Uint8Array(0) },
  wanted: {
    type: MESSAGE.features,
    read: (fields) => ({
      id: textOf(fields, 6) ?? null,
      label: textOf(fields, 10) ?? null,
      model: textOf(fields, 21) ?? null,
    }),
  },
};

/** The echo must repeat the text: another echo would answer something else. */
export function ping(text: string): Call<void> {
  return {
    message: { type: MESSAGE.ping, payload: messageWriter().text(1, text).done() },
    wanted: {
      type: MESSAGE.success,
      read(fields) {
        if (textOf(fields, 1) !== text) throw new WireFault('the echo of a different ping');
      },
    },
  };
}

export type PublicKeyAt = { readonly xpub: string; readonly key: Uint8Array };

/** For a UTXO coin, with the version bytes of Bitcoin whatever the coin. */
export function getPublicKey(path: readonly number[], { coin }: { readonly coin: string }): Call<PublicKeyAt> {
  const writer = messageWriter().repeated(1, path).text(2, CURVE).bool(3, false).text(4, coin).bool(6, true);
  return {
    message: { type: MESSAGE.getPublicKey, payload: writer.done() },
    wanted: { type: MESSAGE.publicKey, read: (fields) => readXpub(fields, path) },
  };
}

export function ethereumGetPublicKey(path: readonly number[]): Call<PublicKeyAt> {
  return {
    message: { type: MESSAGE.ethereumGetPublicKey, payload: messageWriter().packed(1, path).bool(2, false).done() },
    wanted: { type: MESSAGE.ethereumPublicKey, read: (fields) => readXpub(fields, path) },
  };
}

function readXpub(fields: Fields, path: readonly number[]): PublicKeyAt {
  const xpub = textOf(fields, 2);
  if (xpub === undefined) throw new WireFault('no public key where one is required');
  return { xpub, key: publicKeyAt(xpub, path) };
}

export function ethereumGetAddress(path: readonly number[], { show }: { readonly show: boolean }): Call<string> {
  return {
    message: { type: MESSAGE.ethereumGetAddress, payload: messageWriter().packed(1, path).bool(2, show).done() },
    wanted: {
      type: MESSAGE.ethereumAddress,
      read(fields) {
        const address = textOf(fields, 2) ?? '';
        if (!ADDRESS.test(address)) throw new WireFault('no address where one is required');
        return addressText(address.slice(2));
      },
    },
  };
}
