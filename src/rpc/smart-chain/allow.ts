import { BlockList, isIP } from 'node:net';
import { remembering } from '../../primitives/remember.ts';
import { SmartChainError } from '../../smartchain/error.ts';

/**
 * Tells whether an address may call. Loopback always may; others when one of the entries, each an address or a subnet such as
 * `192.168.0.0/16`, holds them.
 *
 * @throws SmartChainError SMARTCHAIN_OPTION_INVALID for an entry that is neither.
 */
export function allowedAddresses(entries: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  list.addSubnet('127.0.0.0', 8, 'ipv4');
  list.addAddress('::1', 'ipv6');
  for (const entry of entries) addEntry(list, entry);
  // Checked at every request; most come from a few addresses.
  const mayCall = remembering((address: string) => {
    const plain = address.replace(MAPPED, '');
    const kind = isIP(plain);
    return kind !== 0 && list.check(plain, familyOf(kind));
  });
  return (address = '') => mayCall(address);
}

/** How an IPv6 socket shows an IPv4 caller. */
const MAPPED = /^::ffff:(?=\d+\.)/i;

function addEntry(list: BlockList, entry: string): void {
  const [address = '', width, ...rest] = entry.split('/');
  const kind = isIP(address);
  const most = kind === 4 ? 32 : 128;
  const bits = width === undefined ? most : /^\d{1,3}$/.test(width) ? Number(width) : Number.NaN;
  if (kind === 0 || rest.length > 0 || !(bits <= most)) {
    throw new SmartChainError(
      'SMARTCHAIN_OPTION_INVALID',
      'An allowed address is neither an IP address nor a subnet.',
      {
        facts: { rpcallowip: entry.slice(0, 60) },
        next: 'Write it as 192.168.0.10 or 192.168.0.0/16.',
        retry: 'operator',
      },
    );
  }
  list.addSubnet(address, bits, familyOf(kind));
}

function familyOf(kind: number): 'ipv4' | 'ipv6' {
  return kind === 4 ? 'ipv4' : 'ipv6';
}
