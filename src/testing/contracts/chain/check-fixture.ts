import type { Chain, ChainFeed } from '../../../ports/chain.ts';
import { type Check, called, flag, given, numberOf, partsOf } from '../../../sim/shape-check.ts';
import type { ChainFixture } from './scene.ts';

// What a case does not find in the fixture it does not show: a misspelt power would pass for one that is absent.

const MEMBERS = [
  'htlcKey',
  'quote',
  'payment',
  'transaction',
  'checkFee',
  'prepare',
  'broadcast',
  'subscribe',
  'reserve',
  'release',
] as const satisfies readonly (keyof (Chain & ChainFeed))[];

/** An adapter may be an object of any class with whatever it likes beside the members of the port. */
const wallet: Check = (value, at) => {
  given(value, at);
  const found = value as Chain & ChainFeed;
  given(found.traits, `${at}.traits`);
  for (const name of MEMBERS) called(found[name], `${at}.${name}`);
};

const fixtureCheck = partsOf(
  {
    sender: wallet,
    receiver: wallet,
    watcher: wallet,
    now: called,
    confirm: called,
    passTime: called,
    restartedSender: called,
  },
  {
    finality: numberOf({ from: 1, whole: true, unit: 'blocks' }),
    blockTime: numberOf({ from: 0, unit: 'seconds' }),
    nextNews: called,
    replaces: flag,
    silence: called,
    doubt: called,
    slow: called,
    restartNode: called,
    shallowReceiver: called,
  },
);

/** @throws MemberTypeError, MemberValueError for a fixture without what every case needs, and for a name that comes near one of its members. */
export function checkedFixture(fixture: ChainFixture): ChainFixture {
  fixtureCheck(fixture, 'fixture');
  return fixture;
}
