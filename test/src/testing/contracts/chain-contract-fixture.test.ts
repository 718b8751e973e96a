import { describe, expect, it } from 'vitest';
import { unixSecondsOf } from '../../../../src/primitives/time.ts';
import { createSimChain } from '../../../../src/sim/chains/create.ts';
import { xorshift32 } from '../../../../src/sim/xorshift.ts';
import { type ChainFixture, chainContract } from '../../../../src/testing/contracts/chain-contract.ts';
import { oneIn } from '../../../support/draws.ts';
import { fixtureOf } from '../../sim/chains/support.ts';

// What the tester got wrong, told as the tester's and not as a case that passes or as an adapter that fails.

const sound = (): ChainFixture => fixtureOf('utxo', 'compact');
const first = (create: () => unknown): Promise<void> =>
  chainContract(create as () => ChainFixture)[0]?.run() ?? Promise.reject(new Error('no case'));

describe('the chain contract', () => {
  it('refuses an option or a fixture that does not exist', async () => {
    expect(() => chainContract(sound, { share: true } as never)).toThrow(
      'options has no member share; did you mean shared?',
    );
    expect(() => chainContract({} as never)).toThrow('createFixture is {}; allowed: a function.');
    await expect(first(() => ({}))).rejects.toThrow('fixture.sender is undefined; allowed: an object.');
    const { confirm: _, ...rest } = sound();
    await expect(first(() => rest)).rejects.toThrow('fixture.confirm is undefined; allowed: a function.');
  });

  it('refuses a power under a name that nobody reads, which would pass for one that is absent', async () => {
    await expect(first(() => ({ ...sound(), nextnews: () => {} }))).rejects.toThrow('did you mean nextNews?');
    await expect(first(() => ({ ...sound(), silence: true }))).rejects.toThrow(
      'fixture.silence is true; allowed: a function.',
    );
  });

  it('refuses an adapter that lacks a member of the port', async () => {
    const { sender } = sound();
    const { release: _, ...lacking } = sender;
    await expect(first(() => ({ ...sound(), sender: lacking }))).rejects.toThrow('fixture.sender.release is undefined');
  });

  it.each(['quote', 'payment', 'transaction', 'checkFee', 'prepare', 'broadcast'] as const)(
    'reports a %s() that answers with something that is no answer',
    async (name) => {
      const answers = [undefined, { ok: true }, { ok: false }, 12n].flatMap((one) => [one, Promise.resolve(one)]);
      for (const given of oneIn(3, answers)) {
        const create = () => {
          const fixture = sound();
          return { ...fixture, sender: { ...fixture.sender, [name]: () => given as never } };
        };
        const cases = chainContract(create).map(({ run }) => run());
        const broken = (await Promise.allSettled(cases)).flatMap((end) =>
          end.status === 'rejected' ? [`${end.reason}`] : [],
        );
        expect(broken.filter((text) => text.includes(`${name}() answers { ok: true, value } or`))).not.toEqual([]);
        expect(broken.filter((text) => text.includes('TypeError'))).toEqual([]);
      }
    },
  );
});

describe('a simulated chain', () => {
  const options = { coin: 'DOC', now: () => unixSecondsOf(1_700_000_000), rng: xorshift32(1) };

  it('refuses a kind or an option that does not exist', () => {
    const made = (changes: object, kind = 'utxo') => createSimChain(kind as never, { ...options, ...changes });
    expect(() => made({}, 'utx')).toThrow('kind is "utx"; did you mean utxo?');
    expect(() => made({ fidelity: 'rea' })).toThrow('options.fidelity is "rea"; did you mean real?');
    expect(() => made({ fidelty: 'real' })).toThrow('options has no member fidelty; did you mean fidelity or');
    expect(() => made({ rng: undefined })).toThrow('options.rng is undefined; allowed: an object.');
  });

  it.each(['utxo', 'account', 'autoRefund'] as const)('refuses a wallet whose funds are misspelt: %s', (kind) => {
    const chain = createSimChain(kind, options);
    expect(() => chain.wallet({ party: 'a', fund: '10' } as never)).toThrow('has no member fund; did you mean funds?');
    expect(() => chain.wallet({} as never)).toThrow('wallet options.party is undefined; allowed: a name.');
  });
});
