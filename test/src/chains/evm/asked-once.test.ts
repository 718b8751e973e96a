import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askedOnce } from '../../../../src/chains/evm/asked-once.ts';
import type { EvmBlock, EvmLook } from '../../../../src/chains/evm/reader.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';

const HEAD: EvmBlock = { number: 7, hash: 'aa'.repeat(32), time: 0 as UnixSeconds, baseFee: 5n };

/** A node that says something else each time, and to some questions nothing. */
function restless(silentOn: ReadonlySet<string>) {
  const asked: string[] = [];
  const say = async (question: string): Promise<number> => {
    asked.push(question);
    if (silentOn.has(question)) throw new BackendSilent(question);
    return asked.length;
  };
  const look: EvmLook = {
    head: HEAD,
    settled: true,
    call: ({ to, data, from, gas, code }) => say(`call ${to} ${data} ${from} ${gas} ${code}`).then(String),
    balance: (account) => say(`balance ${account}`).then(BigInt),
    code: (account) => say(`code ${account}`).then(String),
    // The head is what is meant where nobody says when.
    used: (account, at = HEAD.number) => say(`used ${account} ${at}`),
    promised: (account) => say(`promised ${account}`),
    receipt: (id) => say(`receipt ${id}`).then((block) => ({ block, succeeded: true, logs: [] })),
    transaction: (id) => say(`transaction ${id}`).then((hex) => ({ hex: String(hex), isWaiting: true })),
    logs: ({ contract, from, to }) => say(`logs ${contract} ${from} ${to}`).then(() => ({ told: [], need: 1 })),
    waiting: ({ contract, swapId, sender }) =>
      say(`waiting ${contract} ${swapId} ${sender}`).then((one) => [String(one)]),
    block: (number) => say(`block ${number}`).then(() => ({ ...HEAD, number })),
    ids: (number) => say(`ids ${number}`).then((one) => [String(one)]),
    included: (number) => say(`included ${number}`).then((nonce) => [{ id: '', from: '', nonce }]),
    gas: ({ from, to, value, data }) => say(`gas ${from} ${to} ${value} ${data}`).then(BigInt),
    finalized: () => say('finalized').then((told) => ({ told: [told], need: 1 })),
    price: (kind) => say(`price ${kind}`).then(BigInt),
  };
  return { look, asked };
}

const account = fc.constantFrom('aa', 'bb');
const number = fc.constantFrom(6, 7);
const question = fc.oneof(
  fc
    .record(
      {
        to: account,
        data: fc.constantFrom('', '01'),
        from: account,
        gas: fc.constantFrom(1n, 2n),
        code: fc.constantFrom('ff'),
      },
      { requiredKeys: ['to', 'data'] },
    )
    .map((call) => (look: EvmLook) => look.call(call)),
  account.map((one) => (look: EvmLook) => look.balance(one)),
  account.map((one) => (look: EvmLook) => look.code(one)),
  fc.tuple(account, fc.option(number, { nil: undefined })).map(
    ([one, at]) =>
      (look: EvmLook) =>
        look.used(one, at),
  ),
  account.map((one) => (look: EvmLook) => look.promised(one)),
  account.map((one) => (look: EvmLook) => look.receipt(one)),
  account.map((one) => (look: EvmLook) => look.transaction(one)),
  fc.record({ contract: account, from: number, to: number }).map((range) => (look: EvmLook) => look.logs(range)),
  fc
    .record({ contract: account, swapId: fc.constantFrom('01', '02'), sender: account }, { requiredKeys: ['contract'] })
    .map((interest) => (look: EvmLook) => look.waiting(interest)),
  number.map((one) => (look: EvmLook) => look.block(one)),
  number.map((one) => (look: EvmLook) => look.included(one)),
  number.map((one) => (look: EvmLook) => look.ids(one)),
  fc
    .record({ from: account, to: account, value: fc.constantFrom(0n, 1n), data: fc.constantFrom('', '02') })
    .map((intent) => (look: EvmLook) => look.gas(intent)),
  fc.constant((look: EvmLook) => look.finalized()),
  fc.constantFrom('legacy' as const, 'tip' as const).map((kind) => (look: EvmLook) => look.price(kind)),
);
type Question = (look: EvmLook) => Promise<unknown>;

describe('a look that asks each question once', () => {
  it('passes questions to the node, each once, however often and in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(question, { maxLength: 40 }), fc.func(fc.boolean()), async (questions, isSilent) => {
        const plain = restless(new Set());
        const names: string[] = [];
        for (const one of questions as readonly Question[]) {
          await one(plain.look);
          names.push(plain.asked.at(-1) ?? '');
        }
        const silentOn = new Set(names.filter((name) => isSilent(name)));
        const { look, asked } = restless(silentOn);
        const once = askedOnce(look);
        const told = new Map<string, string>();
        for (const [place, one] of (questions as readonly Question[]).entries()) {
          const name = names[place] as string;
          const answer = await one(once).then(
            (value) => JSON.stringify(value, (_, held) => (typeof held === 'bigint' ? `${held}n` : (held as unknown))),
            (error: unknown) => String(error),
          );
          expect(told.get(name) ?? answer).toBe(answer);
          told.set(name, answer);
          expect(answer.startsWith('Error')).toBe(silentOn.has(name));
        }
        expect([...asked].sort()).toEqual([...new Set(names)].sort());
      }),
    );
  });

  it('gives the same answer to everyone who asks at once', async () => {
    const { look, asked } = restless(new Set());
    const once = askedOnce(look);
    const [left, right] = await Promise.all([once.balance('aa'), once.balance('aa')]);
    expect([left === right, asked]).toEqual([true, ['balance aa']]);
  });
});
