import { describe, expect, it } from 'vitest';
import { placesOf, resolveName } from '../../../../src/peers/libp2p/names.ts';

const port = 42_845;

describe('where a node is reached', () => {
  it('is its address as it is, whatever it resolves to', async () => {
    const refuse = async (name: string): Promise<never> => {
      throw new Error(`asked for ${name}`);
    };
    for (const host of ['198.51.100.7', '2001:db8::5']) {
      expect(await placesOf({ host, port }, refuse)).toEqual([{ host, port }]);
    }
    await expect(placesOf({ host: 'seed.example.org', port }, refuse)).rejects.toThrow('asked for seed.example.org');
  });

  it('is what its name resolves to, IPv4 first, at most eight, and no link-local address', async () => {
    const found = ['2001:db8::5', 'fe80::1%eth0', 'not an address', '198.51.100.8', '2001:db8::6', '198.51.100.7'];
    const hosts = async (addresses: readonly string[]) =>
      (await placesOf({ host: 'seed.example.org', port }, async () => addresses)).map(({ host }) => host);
    expect(await hosts(found)).toEqual(['198.51.100.8', '198.51.100.7', '2001:db8::5', '2001:db8::6']);
    const many = Array.from({ length: 20 }, (_, index) => `198.51.100.${index}`);
    expect(await hosts(many)).toEqual(many.slice(0, 8));
  });

  it('is this host for the name that every system has', async () => {
    expect((await resolveName('localhost')).every((address) => address === '::1' || address.startsWith('127.'))).toBe(
      true,
    );
  });
});
