import { type Agreeing, agreement, everyone, middleOf, reached, wholeName } from '../accounts/agreement.ts';
import { TooFew } from '../accounts/silence.ts';
import {
  CallReverted,
  type EvmBlock,
  type EvmLook,
  type Known,
  type LogRange,
  type Logs,
  RangeTooWide,
} from './reader.ts';

/** A look of several nodes at one block: each answer is what a quorum of them says. */
export function agreedLook(agreeing: Agreeing<EvmBlock, EvmLook>): EvmLook {
  const { head, need, settled } = agreeing;
  const agreed = <T>(question: (look: EvmLook) => Promise<T>): Promise<T> => agreedOutcome(agreeing, question);
  const all = <T>(question: (look: EvmLook) => Promise<T>): Promise<readonly T[]> => everyone(agreeing, question);
  return {
    head,
    settled,
    call: (call) => agreed((look) => look.call(call)),
    balance: (account) => agreed((look) => look.balance(account)),
    used: (account, at) => agreed((look) => look.used(account, at)),
    receipt: (id) => agreed((look) => look.receipt(id)),
    finalized: async () => ({ told: (await all((look) => look.finalized())).flatMap(({ told }) => told), need }),
    block: (number) => agreed((look) => look.block(number)),
    code: (account) => agreed((look) => look.code(account)),
    included: (number) => agreed((look) => look.included(number)),
    ids: (number) => agreed((look) => look.ids(number)),
    // What any of them reports: an event counts by its receipt, bytes by their signature and a secret by its hash.
    logs: (range) => allLogs(agreeing, range),
    waiting: async (interest) => [...new Set((await all((look) => look.waiting(interest))).flat())],
    transaction: async (id) => knownTo(await all((look) => look.transaction(id)), need),
    promised: async (account) => reached(await all((look) => look.promised(account)), need),
    gas: async (intent) => middleOf(await all((look) => look.gas(intent))),
    price: async (kind) => middleOf(await all((look) => look.price(kind))),
  };
}

/** @throws RangeTooWide if a missing node refuses so many blocks */
async function allLogs(agreeing: Agreeing<EvmBlock, EvmLook>, range: LogRange): Promise<Logs> {
  let isTooWide = false;
  const reported = (look: EvmLook) =>
    look.logs(range).catch((error: unknown) => {
      isTooWide ||= error instanceof RangeTooWide;
      throw error;
    });
  try {
    return { told: (await everyone(agreeing, reported)).flatMap(({ told }) => told), need: agreeing.need };
  } catch (error) {
    throw isTooWide && error instanceof TooFew ? new RangeTooWide(error.message) : error;
  }
}

/** Known if a quorum knows it; it waits while none of them has it in a block. */
function knownTo(told: readonly (Known | null)[], need: number): Known | null {
  const known = told.filter((one) => one !== null);
  if (known.length < need) return null;
  const hex = known.find((one) => one.hex !== null)?.hex ?? null;
  return { hex, isWaiting: known.filter(({ isWaiting }) => !isWaiting).length < need };
}

type Outcome<T> = { readonly value: T } | { readonly reverted: CallReverted };

/** What they agree on, which may be that a contract refuses: the text of a refusal is the node's own. @throws CallReverted */
async function agreedOutcome<T>(
  agreeing: Agreeing<EvmBlock, EvmLook>,
  question: (look: EvmLook) => Promise<T>,
): Promise<T> {
  const outcome = await agreement(agreeing, (look) => outcomeOf(question(look)), {
    nameOf: (one) => ('reverted' in one ? 'reverted' : wholeName(one.value)),
  });
  if ('reverted' in outcome) throw outcome.reverted;
  return outcome.value;
}

function outcomeOf<T>(asked: Promise<T>): Promise<Outcome<T>> {
  return asked.then(
    (value) => ({ value }),
    (error: unknown) => {
      if (error instanceof CallReverted) return { reverted: error };
      throw error;
    },
  );
}
