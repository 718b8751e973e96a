import { describe, expect, it } from 'vitest';
import type { Answer, Quote } from '../../../../src/ports/chain.ts';
import type { Awaitable } from '../../../../src/ports/event-log.ts';
import { type DecimalText, toBaseUnits } from '../../../../src/primitives/decimal.ts';
import { hash160 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { addSeconds, millisOf, type UnixSeconds } from '../../../../src/primitives/time.ts';
import { completeFeed } from '../../../../src/sim/chains/complete-feed.ts';
import { shallowChain } from '../../../../src/sim/chains/shallow.ts';
import type { Fidelity } from '../../../../src/sim/chains/types.ts';
import { createVirtualClock } from '../../../../src/sim/virtual-clock.ts';
import { type ChainFixture, chainContract } from '../../../../src/testing/contracts/chain-contract.ts';
import { oneIn } from '../../../support/draws.ts';
import { FIDELITIES, fixtureOf, KINDS } from '../../sim/chains/support.ts';

for (const kind of KINDS) {
  for (const fidelity of oneIn(FIDELITIES.length, FIDELITIES)) {
    describe(`the contract of the chain port holds for a simulated chain: ${kind}, ${fidelity}`, () => {
      for (const { title, run } of chainContract(() => fixtureOf(kind, fidelity))) it(title, run);
    });
  }
}

describe.each(KINDS)('the contract of the chain port holds for a simulated chain that all cases share: %s', (kind) => {
  const made: ChainFixture[] = [];
  const create = () => {
    made.push(fixtureOf(kind, 'compact'));
    return made.at(-1) as ChainFixture;
  };
  for (const { title, run } of chainContract(create, { shared: true })) it(title, run);
  it('one fixture served them all', () => expect(made).toHaveLength(1));
});

describe('the contract of the chain port holds for a simulated chain that replaces nothing', () => {
  const create = () => {
    const fixture = fixtureOf('utxo', 'real');
    const ever = { from: 0 as UnixSeconds, until: Number.MAX_SAFE_INTEGER as UnixSeconds };
    fixture.chain.setFaults([{ kind: 'noReplacement', ...ever }]);
    return { ...fixture, replaces: false };
  };
  for (const { title, run } of chainContract(create)) it(title, run);
});

describe('the contract of the chain port holds for a simulated chain: utxo, real, with witnesses', () => {
  const options = { coin: 'LTC', scheme: 'p2wsh' } as const;
  for (const { title, run } of chainContract(() => fixtureOf('utxo', 'real', options))) it(title, run);
});

describe.each(oneIn(FIDELITIES.length, FIDELITIES))(
  'the contract of the chain port holds for a simulated chain that pays watchers: %s',
  (fidelity) => {
    const create = () => {
      const fixture = fixtureOf('account', fidelity, { rewards: true });
      // A watcher pays for its calls.
      return { ...fixture, watcher: fixture.chain.wallet({ party: 'watcher', funds: '1' as DecimalText }) };
    };
    for (const { title, run } of chainContract(create)) it(title, run);

    it('keeps the reward that nobody gets, and all else adds up', async () => {
      const fixture = create();
      const { sender, receiver, chain, confirm, now } = fixture;
      const [secret, swap] = ['5e'.repeat(32), { swap: FEE_OF }];
      const terms = {
        ...{ lock: addSeconds(now(), 7800), secretHash: bytesToHex(hash160(hexToBytes(secret))) },
        ...{ sender: sender.htlcKey(FEE_OF), receiver: receiver.htlcKey(FEE_OF), amount: '0.5' as DecimalText },
        ...{ contract: sender.traits.contract, reward: { leg: 'taker', otherPays: true } as const },
      };
      const first = { urgency: 0, replaces: null } as const;
      const good = async <T>(answer: Awaitable<Answer<T>>): Promise<T> => {
        const given = await answer;
        if (given.ok) return given.value;
        throw new Error(given.fault.message);
      };
      const funding = await good(sender.prepare({ purpose: 'payment', terms, reward: null, ...first }, swap));
      await good(sender.broadcast(funding));
      await confirm(1);
      const claim = await good(receiver.prepare({ purpose: 'claim', terms, funding, secret, ...first }, swap));
      await good(receiver.broadcast(claim));
      await confirm(1);
      const { ledger } = chain;
      expect(ledger.imbalance()).toBeNull();
      const lost = ['sender', 'receiver'].map(
        (who) => ledger.funded(who) - ledger.balance(who).confirmed - ledger.feesPaid(who),
      );
      // The receiver is owed the amount, and the sender has paid that and the reward.
      const units = toBaseUnits(terms.amount, sender.traits.decimals);
      const { reward = '0' } = await good(sender.quote());
      expect(lost).toEqual([units + toBaseUnits(reward as DecimalText, sender.traits.decimals), -units]);
    });
  },
);

/** A fixture whose wallets have keys of their own for each swap. */
function keyed(fidelity: Fidelity): ChainFixture {
  const fixture = fixtureOf('utxo', fidelity);
  const wallet = (party: string, held = {}) => fixture.chain.wallet({ party, keyPerSwap: true, ...held });
  const sender = wallet('anna', { funds: '40' as DecimalText, coins: 10 });
  const receiver = wallet('bert', { funds: '10' as DecimalText });
  return {
    ...fixture,
    sender,
    receiver,
    watcher: wallet('cleo'),
    restartedSender: () => wallet('anna'),
    silence: () => {
      sender.setFaults([{ kind: 'outage', from: 0 as UnixSeconds, until: Number.MAX_SAFE_INTEGER as UnixSeconds }]);
      return () => sender.setFaults([]);
    },
    doubt: () => {
      receiver.setFaults([{ kind: 'doubt', from: 0 as UnixSeconds, until: Number.MAX_SAFE_INTEGER as UnixSeconds }]);
      return () => receiver.setFaults([]);
    },
    shallowReceiver: (blocks) => shallowChain(wallet('bert'), { blocks: () => blocks }),
  };
}

describe.each(oneIn(FIDELITIES.length, FIDELITIES))(
  'the contract of the chain port holds for keys of one swap each: %s',
  (fidelity) => {
    for (const { title, run } of chainContract(() => keyed(fidelity))) it(title, run);

    it.each(['takes the fee of another swap', 'refuses that of its own'])('finds an adapter that %s', async (slip) => {
      const swap = slip.startsWith('takes') ? FEE_OF : 'ffffffff-0000-4000-8000-000000000000';
      const cases = chainContract(() => {
        const { receiver, ...rest } = keyed(fidelity);
        return { ...rest, receiver: { ...receiver, checkFee: (check) => receiver.checkFee(check, { swap }) } };
      });
      const results = await Promise.allSettled(cases.map(({ run }) => run()));
      const broken = cases.filter((_, place) => results[place]?.status === 'rejected').map(({ title }) => title);
      expect(broken).toContain(
        'does not accept the fee of one swap for another (a wallet with its own keys for each swap)',
      );
    });
  },
);

/** The swap that all cases are of. */
const FEE_OF = '8a7e1d7c-3f5e-4a51-9d0b-6f6f1a2b3c4d';

type Told = Pick<ChainFixture, 'sender' | 'receiver' | 'watcher'>;

/** A fixture whose wallets promise a complete feed. */
function promising(options: { readonly heartbeat?: number; readonly loses?: () => boolean } = {}): ChainFixture {
  const fixture = fixtureOf('utxo', 'compact');
  const clock = createVirtualClock(millisOf(1_700_000_000_000));
  const told = (wallet: ChainFixture['sender']) => completeFeed(wallet, { clock, heartbeat: 60, ...options });
  const wallets: Told = {
    sender: told(fixture.sender),
    receiver: told(fixture.receiver),
    watcher: told(fixture.watcher),
  };
  return { ...fixture, ...wallets };
}

describe('the contract of the chain port holds for a chain with a complete feed', () => {
  for (const { title, run } of chainContract(() => promising())) it(title, run);
});

describe('a feed that is less complete than it says is found out', () => {
  const failing = async (fixture: () => ChainFixture) => {
    const failed: string[] = [];
    for (const { title, run } of chainContract(fixture)) await run().catch(() => void failed.push(title));
    return failed.filter((title) => title.startsWith('reports each block, and every watched payment'));
  };
  const claiming = (heartbeat: number) => () => {
    const fixture = fixtureOf('utxo', 'compact');
    const { receiver } = fixture;
    return { ...fixture, receiver: { ...receiver, traits: { ...receiver.traits, feed: { heartbeat } } } };
  };
  it('it keeps blocks to itself that change nothing', async () => {
    expect(await failing(claiming(60))).toHaveLength(1);
  });
  it('it loses one piece of news in twenty', async () => {
    let count = 0;
    const loses = () => {
      count += 1;
      return count % 20 === 0;
    };
    expect(await failing(() => promising({ loses }))).toHaveLength(1);
  });
  it('it promises no heartbeat', async () => {
    expect(await failing(() => promising({ heartbeat: 0 }))).toHaveLength(1);
  });
});

it.each(['p2sh', 'p2wsh'] as const)('an adapter that says %s of the other scheme is found out', async (scheme) => {
  const other = scheme === 'p2sh' ? 'p2wsh' : 'p2sh';
  const cases = chainContract(() => {
    const fixture = fixtureOf('utxo', 'real', { coin: 'LTC', scheme: other });
    const saying = (chain: ChainFixture['sender']) => ({ ...chain, traits: { ...chain.traits, scheme } });
    return { ...fixture, sender: saying(fixture.sender), receiver: saying(fixture.receiver) };
  });
  const failed: string[] = [];
  for (const { title, run } of cases) await run().catch(() => void failed.push(title));
  expect(failed).toEqual([expect.stringMatching(/the script scheme that traits.scheme names$/)]);
});

describe('an adapter that breaks a rule is found out', () => {
  const broken: Readonly<Record<string, (fixture: ChainFixture) => Partial<ChainFixture['sender']>>> = {
    'it takes for a payment what pays too little': ({ receiver }) => ({
      payment: async (query) => {
        const answer = await receiver.payment(query);
        return answer.ok ? { ok: true, value: { ...answer.value, problem: null } } : answer;
      },
    }),
    'it says that a repeated broadcast was new': ({ receiver }) => ({
      broadcast: async (transaction) => {
        const answer = await receiver.broadcast(transaction);
        return answer.ok ? { ok: true, value: 'sent' } : answer;
      },
    }),
    'it accepts any fee': () => ({ checkFee: () => ({ ok: true, value: null }) }),
    'it counts a waiting transaction as confirmed': ({ receiver }) => ({
      transaction: async (hash) => {
        const answer = await receiver.transaction(hash);
        const waits = answer.ok && answer.value.status === 'mempool';
        return waits ? { ok: true, value: { status: 'confirmed', confirmations: 1 } } : answer;
      },
    }),
    'it gives the answers to many questions in another order': ({ receiver }) => ({
      payments: async (queries) => [...((await receiver.payments?.(queries)) ?? [])].reverse(),
    }),
    'it spoils all answers to many questions for a bad one': ({ receiver }) => ({
      payments: async (queries) => {
        const answers = (await receiver.payments?.(queries)) ?? [];
        const bad = answers.find((answer) => !answer.ok || answer.value.problem !== null);
        return bad === undefined ? answers : answers.map(() => bad);
      },
    }),
    'it tells nobody of changes': () => ({ subscribe: () => ({ close: () => {} }) }),
  };

  describe.each([false, true])('where all cases share one fixture: %s', (shared) => {
    it.each(Object.entries(broken))('%s', async (_, change) => {
      const create = () => {
        const fixture = fixtureOf('utxo', 'compact');
        return { ...fixture, receiver: { ...fixture.receiver, ...change(fixture) } };
      };
      const cases = chainContract(create, { shared });
      const results = await Promise.allSettled(cases.map(({ run }) => run()));
      expect(results.some(({ status }) => status === 'rejected')).toBe(true);
    });
  });

  const never = { from: 0 as UnixSeconds, until: Number.MAX_SAFE_INTEGER as UnixSeconds };
  /** Adapters that are wrong about what only real nodes do, by the case that finds them. */
  const wrongOfNodes: Readonly<Record<string, (fixture: ReturnType<typeof fixtureOf>) => Partial<ChainFixture>>> = {
    'answers all simultaneous questions': ({ sender }) => {
      let under: ReturnType<ChainFixture['sender']['prepare']> | null = null;
      const prepare: ChainFixture['sender']['prepare'] = async (request, forSwap) => {
        // Selects before it awaits and takes after it.
        if (request.purpose !== 'fee') return sender.prepare(request, forSwap);
        under ??= sender.prepare(request, forSwap);
        const answer = await under;
        await new Promise((resolve) => setImmediate(resolve));
        under = null;
        return answer;
      };
      return { sender: { ...sender, prepare } };
    },
    'releases a transaction that is requested beside its own release': ({ sender }) => ({
      sender: { ...sender, release: () => {} },
    }),
    'C1: reports a node that does not answer as unavailable': ({ sender }) => ({
      sender: {
        ...sender,
        transaction: async (hash) => {
          const answer = await sender.transaction(hash);
          return answer.ok ? answer : { ok: true, value: { status: 'unknown', confirmations: 0 } };
        },
      },
    }),
    'C1: a new process that has read only the last blocks': ({ receiver, shallowReceiver }) => ({
      shallowReceiver: async (blocks) => {
        const shallow = await shallowReceiver?.(blocks);
        const payment: ChainFixture['sender']['payment'] = async (query) => {
          const [answer, whole] = [await shallow?.payment(query), await receiver.payment(query)];
          if (answer?.ok === true || !whole.ok) return answer ?? whole;
          return { ok: true, value: { ...whole.value, funding: null, spend: null } };
        };
        return { ...receiver, payment };
      },
    }),
    'reports a replacement that the node refuses': ({ chain, receiver }) => {
      chain.setFaults([{ kind: 'noReplacement', ...never }]);
      const broadcast: ChainFixture['sender']['broadcast'] = async (transaction) => {
        const answer = await receiver.broadcast(transaction);
        if (answer.ok || answer.fault.kind !== 'noReplacement') return answer;
        return { ok: false, fault: { ...answer.fault, kind: 'inputsSpent' } };
      };
      return { receiver: { ...receiver, broadcast }, replaces: false };
    },
    'a transaction that a node forgot in a restart': ({ sender }) => {
      const sent = new Set<string>();
      const broadcast: ChainFixture['sender']['broadcast'] = async (transaction) => {
        if (sent.has(transaction.tx_hash)) return { ok: true, value: 'known' };
        sent.add(transaction.tx_hash);
        return sender.broadcast(transaction);
      };
      return { sender: { ...sender, broadcast } };
    },
  };

  it.each(Object.entries(wrongOfNodes))('by this case among others: %s', async (title, change) => {
    const cases = chainContract(() => {
      const fixture = fixtureOf('utxo', 'real');
      return { ...fixture, ...change(fixture) };
    });
    const failed: string[] = [];
    for (const each of cases) await each.run().catch(() => void failed.push(each.title));
    expect(failed.filter((each) => each.startsWith(title))).toHaveLength(1);
  });

  it('but not for the order of the members of its answers, or for members beyond the requested ones', async () => {
    const turned = <T>(value: T): T => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, member]) => [key, turned(member)]),
      ) as T;
    };
    const cases = chainContract(() => {
      const fixture = fixtureOf('utxo', 'real');
      const turning = (wallet: ChainFixture['sender']): ChainFixture['sender'] => ({
        ...wallet,
        payment: async (query) => {
          const answer = await wallet.payment(query);
          if (!answer.ok || answer.value.funding === null) return turned(answer);
          return turned({
            ok: true,
            value: { ...answer.value, funding: { notarised: false, ...answer.value.funding } },
          });
        },
        transaction: async (hash) => turned(await wallet.transaction(hash)),
      });
      return { ...fixture, sender: turning(fixture.sender), receiver: turning(fixture.receiver) };
    });
    for (const { run } of cases) await run();
  });

  type Wallet = ChainFixture['sender'];
  const quoted = (wallet: Wallet, change: (quote: Quote) => Partial<Quote>): Partial<Wallet> => ({
    quote: async () => {
      const answer = await wallet.quote();
      return answer.ok ? { ok: true, value: { ...answer.value, ...change(answer.value) } } : answer;
    },
  });
  const clocked = (wallet: Wallet, change: (clock: number) => number): Partial<Wallet> => ({
    payment: async (query) => {
      const answer = await wallet.payment(query);
      const clock = answer.ok ? change(answer.value.clock) : 0;
      return answer.ok ? { ok: true, value: { ...answer.value, clock: clock as UnixSeconds } } : answer;
    },
  });
  const wrongUnits: Readonly<Record<string, (wallet: Wallet) => Partial<Wallet>>> = {
    'the clock of a payment view is 0, not whole seconds': (wallet) => clocked(wallet, () => 0),
    'the clock of a payment view is 1': (wallet) => clocked(wallet, (clock) => clock * 1000),
    'the clock of a quote is 1': (wallet) => quoted(wallet, ({ clock }) => ({ clock: (clock * 1000) as UnixSeconds })),
    'the chain has 18 decimals': ({ traits }) => ({ traits: { ...traits, decimals: 18 } }),
    'with more decimals than the 4 of traits.decimals': ({ traits }) => ({ traits: { ...traits, decimals: 4 } }),
    'traits.finality is 0': ({ traits }) => ({ traits: { ...traits, finality: 0 } }),
    'spendable fell by': (wallet) =>
      quoted(wallet, ({ spendable }) => ({ spendable: toBaseUnits(spendable).toString() as DecimalText })),
    'quote() must answer with a classified fault when it cannot do its work; it threw: no route': () => ({
      quote: () => {
        throw new Error('no route');
      },
    }),
  };

  for (const [claim, change] of Object.entries(wrongUnits)) {
    it.each(KINDS)(`and says what is wrong with it: ${claim} (%s)`, async (kind) => {
      const cases = chainContract(() => {
        const { sender, receiver, watcher, ...fixture } = fixtureOf(kind, 'compact');
        const changed = (wallet: Wallet): Wallet => ({ ...wallet, ...change(wallet) });
        return { ...fixture, sender: changed(sender), receiver: changed(receiver), watcher: changed(watcher) };
      });
      const results = await Promise.allSettled(cases.map(({ run }) => run()));
      const told = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
      expect(told.filter((text) => text.includes(`the chain adapter breaks its contract: `))).toEqual(
        expect.arrayContaining([expect.stringContaining(claim)]),
      );
    });
  }
});
