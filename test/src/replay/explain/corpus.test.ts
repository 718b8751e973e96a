import { expect, it } from 'vitest';
import { needsLook } from '../../../../src/cli/findings.ts';
import { encodeSavedSwap } from '../../../../src/events/encode.ts';
import { redactLog } from '../../../../src/events/redact.ts';
import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import { decodeSwapsText } from '../../../../src/events/wrappers.ts';
import { SwapfoldError } from '../../../../src/primitives/error.ts';
import { stringifyJson } from '../../../../src/primitives/json.ts';
import { millisOf, toUnixSeconds, type UnixSeconds } from '../../../../src/primitives/time.ts';
import { type Explanation, explainSwap } from '../../../../src/replay/explain.ts';
import { replaySwap } from '../../../../src/replay/swaps.ts';
import { describeShared, manifest, readShared } from '../../../support/shared.ts';

// The recorded swaps are not part of the package, so what is told of them is held against rules, and against their logs, instead of kept.

type Told = { readonly log: SwapLog; readonly text: string; readonly now: UnixSeconds; readonly told: Explanation };

const HOUR = 3600;
const YEAR = 31_536_000;

/** A log told for the moment of its last event, an hour later, and years later. */
function toldOf(log: SwapLog): readonly Told[] {
  const last = toUnixSeconds(log.events.at(-1)?.at ?? millisOf(0));
  return [0, HOUR, 6 * YEAR].map((later) => {
    const now = (last + later) as UnixSeconds;
    return { log, now, text: stringifyJson(log), told: explainSwap(redactLog(log), { now }) };
  });
}

function isKdfLog(log: SwapLog): boolean {
  try {
    encodeSavedSwap(log, 'kdf');
    return true;
  } catch (error) {
    if (error instanceof SwapfoldError && error.code === 'KDF_CANNOT_LOAD') return false;
    throw error;
  }
}

/** What was found of something that sentences may hold, each with whether it is as it should be. */
type Rule = (told: Told) => readonly { readonly found: string; readonly isTrue: boolean }[];

function sentencesOf({ headline, funds, next, advice, realNode, happened }: Explanation): readonly string[] {
  return [headline, ...happened.map(({ sentence }) => sentence), ...funds, ...next, ...advice, ...realNode];
}

function found(sentences: readonly string[], pattern: RegExp): readonly RegExpMatchArray[] {
  return sentences.flatMap((sentence) => [...sentence.matchAll(pattern)]);
}

const has = ({ log }: Told, ...types: readonly string[]) => log.events.some(({ type }) => types.includes(type));
const secondsIn = (moment: string) => Date.parse(`${moment.replace(' ', 'T')}Z`) / 1000;
const MOMENT = '(\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d) UTC';

const RULES: Readonly<Record<string, Rule>> = {
  'an id of a transaction stands in the log': ({ told, text }) =>
    found(sentencesOf(told), /\b[0-9a-f]{64}\b/g).map(([id]) => ({ found: id, isTrue: text.includes(id) })),

  'an export is advised where it can be made, and an import of this engine where it cannot': ({ log, told }) =>
    told.advice
      .filter((sentence) => /--format kdf|cannot load this log/.test(sentence))
      .map((sentence) => ({ found: sentence, isTrue: sentence.includes('--format kdf') === isKdfLog(log) })),

  'a lock is one that the log holds': ({ told, text }) =>
    found(told.funds, new RegExp(MOMENT, 'g')).map(([, moment = '']) => ({
      found: moment,
      isTrue: text.includes(String(secondsIn(moment))),
    })),

  'what can be done from a moment on can not be done yet': ({ told, now }) =>
    found(told.funds, new RegExp(`can refund it from ${MOMENT}`, 'g')).map(([sentence, moment = '']) => ({
      found: sentence,
      isTrue: secondsIn(moment) >= now,
    })),

  'what could be done since a moment could be done by now': ({ told, now }) =>
    found([...told.funds, ...told.advice], new RegExp(`since ${MOMENT}`, 'gi')).map(([sentence, moment = '']) => ({
      found: sentence,
      isTrue: secondsIn(moment) < now,
    })),

  'nobody has what no confirmation shows': (told) =>
    found(
      [...told.told.funds, ...told.told.advice],
      /and has it\.|: the taker has it|^Nothing: the \w+ (?:received|got)/g,
    ).map(([sentence]) => ({
      found: sentence,
      isTrue:
        has(told, told.log.role === 'taker' ? 'MakerPaymentSpendConfirmed' : 'TakerPaymentSpendConfirmed') ||
        told.told.funds.some((one) => one.includes(', confirmed in block ')),
    })),

  'a block stands in the log': ({ told, text }) =>
    found(sentencesOf(told), /confirmed in block (\d+)/g).map(([sentence, block = '']) => ({
      found: sentence,
      isTrue: Number(block) > 0 && text.includes(`"block_height":${block}`),
    })),

  'a payment was sent where the log holds it': (told) =>
    found(told.told.funds, /^The (maker|taker) payment of [^(]* was sent to/g).map(([sentence, payer]) => ({
      found: sentence,
      isTrue: has(
        told,
        ...(payer === 'maker'
          ? ['MakerPaymentSent', 'MakerPaymentReceived']
          : ['TakerPaymentSent', 'TakerPaymentReceived']),
      ),
    })),

  'no amount has more digits than a chain': ({ told }) =>
    found([told.headline, ...told.funds, ...told.next, ...told.advice], /\b\d+\.(\d+) [A-Z]/g).map(
      ([amount, digits = '']) => ({
        found: amount,
        isTrue: digits.length <= 18,
      }),
    ),

  'the reason of an error is quoted whole, without places in code': ({ told }) =>
    told.errors.map(({ seq, reason }) => ({
      found: reason,
      isTrue: (told.happened[seq]?.sentence ?? '').includes(reason) && !/\w:\d+\]/.test(reason),
    })),

  'the real node is asked only for what it takes': (told) =>
    found(told.told.advice, /"recover_funds_of_swap", "params": \{"uuid": "([^"]*)"/g).map(([body, uuid]) => ({
      found: body,
      isTrue: has(told, 'Finished') && uuid === told.log.uuid,
    })),

  'a node runs on only for a swap that is not closed': (told) =>
    found(told.told.advice, /^(?:Keep the node running|Start the node again)/g).map(([sentence]) => ({
      found: sentence,
      isTrue: !has(told, 'Finished'),
    })),

  'who has nothing to do is told so, and nobody else': ({ told }) => {
    const isNothing = told.advice[0]?.startsWith('Nothing:') === true;
    return [{ found: `${told.waitsFor}: ${told.advice[0]}`, isTrue: !(isNothing && told.waitsFor === 'person') }];
  },

  'coins that a person must move are at risk in every command': ({ log, told }) => [
    {
      found: told.waitsFor,
      // What the bytes of a transaction deny, only who looks at bytes can tell.
      isTrue:
        (told.waitsFor === 'person') ===
        (needsLook({ ...replaySwap(log), anomalies: [] }) || / does not spend the \w+ payment/.test(told.headline)),
    },
  ],
};

describeShared('explanations of recorded swaps', () => {
  const all = manifest().flatMap(({ file }) => {
    const [swap] = decodeSwapsText(readShared(`swaps/${file}`));
    return swap?.ok === true ? toldOf(swap.log).map((told) => ({ file, told })) : [];
  });
  for (const [title, rule] of Object.entries(RULES)) {
    it(title, () => {
      const checked = all.flatMap(({ file, told }) => rule(told).map((found) => ({ file, ...found })));
      expect(checked.length).toBeGreaterThan(0);
      expect(checked.filter(({ isTrue }) => !isTrue)).toEqual([]);
    });
  }
});
