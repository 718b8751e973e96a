import { describe, expect, it } from 'vitest';
import { JoinedCoins } from '../../../../src/chains/accounts/joined-coins.ts';
import { TakenNumbers } from '../../../../src/chains/accounts/taken-numbers.ts';
import { Turns } from '../../../../src/chains/accounts/turns.ts';
import { Unmarked } from '../../../../src/chains/accounts/unmarked.ts';

type Made = { readonly id: string; readonly nonce: number };
const made = (nonce: number, id: string): Made => ({ nonce, id });

describe('numbers that an account signs with', () => {
  it('are held by all that was signed with them, the newest last and each once', () => {
    const taken = new TakenNumbers<Made>(({ nonce }) => nonce);
    expect(taken.isEmpty()).toBe(true);
    for (const one of [made(7, 'a'), made(12, 'b'), made(7, 'c'), made(7, 'a')]) taken.take(one);
    expect(taken.holders(7).map(({ id }) => id)).toEqual(['c', 'a']);
    expect([taken.from(0), taken.from(8), taken.has(12), taken.has(8)]).toEqual([[7, 12], [12], true, false]);
    taken.drop(made(7, 'c'));
    expect([taken.holders(7).map(({ id }) => id), taken.has(7)]).toEqual([['a'], true]);
    taken.drop(made(7, 'a'));
    taken.drop(made(12, 'b'));
    expect([taken.has(7), taken.isEmpty()]).toEqual([false, true]);
  });

  it('may be filled only when every coin has reported, at least one', () => {
    let ended = 0;
    const left: string[] = [];
    const coins = new JoinedCoins(() => {
      ended += 1;
    });
    const [one, two] = ['one', 'two'].map((name) => coins.join(() => left.push(name)));
    one?.leave();
    two?.leave();
    expect([coins.isTold(), ended, left]).toEqual([false, 2, ['one', 'two']]);
    const three = coins.join(() => undefined);
    three.told();
    expect(coins.isTold()).toBe(true);
    const four = coins.join(() => undefined);
    expect(coins.isTold()).toBe(false);
    three.told();
    three.leave();
    expect(coins.isTold()).toBe(false);
    four.leave();
    expect(coins.isTold()).toBe(true);
  });

  it('are given back if nobody has marked them and no node knows them', async () => {
    const back: string[] = [];
    const unmarked = new Unmarked<Made>({
      madeOf: (hex) => (hex === 'none' ? null : made(1, hex)),
      unknown: async (all) => all.filter(({ id }) => id !== 'known'),
      giveBack: ({ id }) => back.push(id),
    });
    for (const hex of ['none', 'kept', 'known', 'lost']) unmarked.note(hex);
    unmarked.keep('kept');
    await unmarked.giveBack();
    await unmarked.giveBack();
    expect(back).toEqual(['lost']);
  });

  it('are assigned by tasks that follow one another, however each ends', async () => {
    const turns = new Turns();
    const seen: string[] = [];
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const first = turns.next(async () => {
      await gate;
      seen.push('first');
      throw new Error('in vain');
    });
    const second = turns.next(async () => seen.push('second'));
    open();
    await expect(first).rejects.toThrow('in vain');
    await second;
    expect(seen).toEqual(['first', 'second']);
  });
});
