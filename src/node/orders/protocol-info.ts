import { bytesToHex, isHex } from '../../primitives/hex.ts';

/** `["standard"]` and `["segwit"]` in MessagePack (as in the real node). */
const INFOS = { p2pkh: '91a87374616e64617264', p2wpkh: '91a6736567776974' } as const;

/** `["cashaddress", network, n, n]` begins so. */
const CASH_ADDRESS = '94ab6361736861646472657373';

/** How a wallet of outputs writes its addresses. */
export type AddressStyle = {
  readonly address: keyof typeof INFOS;
  /** Null where it writes no cash addresses. */
  readonly cash: { readonly network: string; readonly keyPrefix: number; readonly scriptPrefix: number } | null;
};

/** What others learn about a UTXO wallet, in hex. */
export function protocolInfoOf({ address, cash }: AddressStyle): string {
  if (cash === null || address !== 'p2pkh') return INFOS[address];
  const { network, keyPrefix, scriptPrefix } = cash;
  const name = new TextEncoder().encode(network);
  const [key, script] = [keyPrefix, scriptPrefix].map(packedByte) as [string, string];
  return `${CASH_ADDRESS}${bytesToHex(Uint8Array.of(FIXED_TEXT | name.length))}${bytesToHex(name)}${key}${script}`;
}

/** Texts of up to 31 bytes begin so (MessagePack). */
const FIXED_TEXT = 0xa0;

function packedByte(value: number): string {
  return bytesToHex(value < 0x80 ? Uint8Array.of(value) : Uint8Array.of(0xcc, value));
}

/**
 * Whether a wallet of outputs can swap with one that says this of itself: payments are under keys, so it can with every known form. Who says
 * nothing is an old node, which knows no segwit addresses.
 */
export function supportsProtocol(own: string, info: string | null): boolean {
  if (info === null) return own !== INFOS.p2wpkh;
  return info === INFOS.p2pkh || info === INFOS.p2wpkh || (isHex(info) && info.startsWith(CASH_ADDRESS));
}
