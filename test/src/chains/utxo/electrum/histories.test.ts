import { expect, it } from 'vitest';
import { type Followed, newFollowed, outdated } from '../../../../../src/chains/utxo/electrum/histories.ts';

const DAY = 86_400_000;

function followedOf(scripts: readonly { readonly only: string | null; readonly askedAt: number }[]) {
  return new Map<string, Followed>(
    scripts.map(({ only, askedAt }, place) => [`${place}`, { ...newFollowed(only), askedAt }]),
  );
}

it('a script is released a day after somebody last asked for it, and not before', () => {
  const followed = followedOf([
    { only: null, askedAt: 1000 },
    { only: null, askedAt: 1001 },
    { only: 'ab', askedAt: 999 },
  ]);
  expect(outdated(followed, 1000 + DAY)).toEqual(['2']);
  expect(outdated(followed, 1001 + DAY)).toEqual(['0', '2']);
});

it('a hundred scripts at most are followed for single transactions, those that were asked for last', () => {
  const named = Array.from({ length: 103 }, (_, place) => ({ only: 'ab', askedAt: 500 - ((place * 7) % 103) }));
  const whole = Array.from({ length: 200 }, () => ({ only: null, askedAt: 1 }));
  const gone = outdated(followedOf([...named, ...whole]), 1000).map((hash) => named[Number(hash)]?.askedAt);
  expect(gone.sort()).toEqual([398, 399, 400]);
});
