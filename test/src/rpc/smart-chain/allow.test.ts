import { describe, expect, it } from 'vitest';
import { allowedAddresses } from '../../../../src/rpc/smart-chain/allow.ts';

describe('who may call', () => {
  it.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])('%s always may', (address) => {
    expect(allowedAddresses([])(address)).toBe(true);
  });

  it.each(['192.168.0.1', '::ffff:192.168.0.1', '::2', '0.0.0.0', '', 'localhost', undefined])(
    '%s may not without an entry',
    (address) => {
      expect(allowedAddresses([])(address)).toBe(false);
    },
  );

  it('an entry admits an address or a subnet, and nobody else', () => {
    const mayCall = allowedAddresses(['192.168.0.10', '10.1.0.0/16', 'fd00::/8']);
    const asked = [
      '192.168.0.10',
      '::ffff:192.168.0.10',
      '192.168.0.11',
      '10.1.255.9',
      '10.2.0.1',
      'fd12::1',
      'fe00::1',
    ];
    expect(asked.filter(mayCall)).toEqual(['192.168.0.10', '::ffff:192.168.0.10', '10.1.255.9', 'fd12::1']);
  });

  it.each(['*', 'home', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/a', '10.0.0.0/8/8', '::/129', ''])(
    'the entry %j is refused',
    (entry) => {
      const make = () => allowedAddresses([entry]);
      expect(make).toThrow(expect.objectContaining({ code: 'SMARTCHAIN_OPTION_INVALID' }));
    },
  );
});
