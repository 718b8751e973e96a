import { isHex } from '../../primitives/hex.ts';

/** `["standard"]` and `["segwit"]` in MessagePack (`kdf-wire` §6). */
const INFOS = { p2pkh: '91a87374616e64617264', p2wpkh: '91a6736567776974' } as const;

/** `["cashaddress", network, n, n]` begins so. */
const CASH_ADDRESS = '94ab6361736861646472657373';

/** What others are told of a wallet of outputs, in hex. */
export function protocolInfoOf(address: keyof typeof INFOS): string {
  return INFOS[address];
}

/**
 * Whether a wallet of outputs can swap with one that says this of itself: payments are under keys, so it can with every known form. Who says
 * nothing is an old node, which knows no segwit addresses.
 */
export function supportsProtocol(own: string, info: string | null): boolean {
  if (info === null) return own !== INFOS.p2wpkh;
  return info === INFOS.p2pkh || info === INFOS.p2wpkh || (isHex(info) && info.startsWith(CASH_ADDRESS));
}
