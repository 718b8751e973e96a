import { describe, expect, it } from 'vitest';
import { encodeSavedSwap } from '../../../../src/events/encode.ts';
import { standardLists } from '../../../../src/events/event-lists.ts';
import { isJournalType } from '../../../../src/events/journal.ts';
import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import { decodeSwapsText } from '../../../../src/events/wrappers.ts';
import type { RuntimeError } from '../../../../src/runtime/index.ts';
import { buildSwap, successPath } from '../../../../src/testing/index.ts';
import { createPair, type Pair, requestOf, type Side, UUID } from '../../../support/swap-pair.ts';

/** What the node's log says, in the form in which the real node stores a swap. */
async function savedText({ nodes }: Pair, side: Side, upTo = Number.POSITIVE_INFINITY): Promise<string> {
  const records = await nodes[side].log.read(`${side}-swap/${UUID}`);
  const events = records
    .filter(({ type }) => !isJournalType(type))
    .slice(0, upTo)
    .map(({ at, type, data }) => ({ timestamp: at, event: data === null ? { type } : { type, data } }));
  const { success, error } = standardLists(side);
  const head = { type: side === 'taker' ? 'Taker' : 'Maker', uuid: UUID, maker_coin: 'DOC', taker_coin: 'MARTY' };
  return JSON.stringify({ ...head, events, success_events: success, error_events: error });
}

function logOf(text: string): SwapLog {
  const [swap] = decodeSwapsText(text);
  if (swap?.ok !== true) throw new Error('the text holds no swap');
  return swap.log;
}

async function codeOf(action: Promise<unknown>): Promise<string> {
  return action.then(
    () => 'none',
    (error: RuntimeError) => error.code,
  );
}

const PASSED_BY: Readonly<Record<Side, readonly string[]>> = {
  taker: ['MakerPaymentValidatedAndConfirmed', 'TakerPaymentSent'],
  maker: ['MakerPaymentSent', 'TakerPaymentValidatedAndConfirmed'],
};

describe('a swap that another node began', () => {
  for (const side of ['taker', 'maker'] as const) {
    for (const last of PASSED_BY[side]) {
      it(`continues at once from ${last} of the ${side}, without a restart`, async () => {
        const pair = createPair();
        for (const own of ['maker', 'taker'] as const) await pair.nodes[own].runtime.startSwap(requestOf(own));
        expect(await pair.until(() => pair.types(side).includes(last), 60)).toBe(true);
        const text = await savedText(pair, side);
        pair.nodes[side].die();
        const fresh = createPair().nodes[side].log;
        Object.assign(pair.nodes[side], { log: fresh });
        pair.restart(side);
        const { runtime } = pair.nodes[side];
        expect(await runtime.importText(text)).toEqual({ imported: [UUID], known: [], skipped: [] });
        expect(pair.types(side)[0]).toBe('Imported');
        const done = () => pair.types('maker').includes('Finished') && pair.types('taker').includes('Finished');
        expect(await pair.until(done, 120)).toBe(true);
        for (const own of ['maker', 'taker'] as const) {
          expect((await pair.nodes[own].runtime.status(UUID))?.outcome).toBe('completed');
        }
      });
    }
  }
});

describe('an import', () => {
  async function finished(): Promise<{ readonly pair: Pair; readonly text: string }> {
    const pair = createPair();
    for (const own of ['maker', 'taker'] as const) await pair.nodes[own].runtime.startSwap(requestOf(own));
    await pair.until(() => pair.types('maker').includes('Finished') && pair.types('taker').includes('Finished'), 60);
    return { pair, text: await savedText(pair, 'taker') };
  }

  it('is one batch, and importing twice changes nothing', async () => {
    const { text } = await finished();
    const { runtime, log } = createPair().nodes.taker;
    const told: number[] = [];
    log.subscribe({ after: 0 }, ({ position }) => void told.push(position));
    expect(await runtime.importSwap(logOf(text))).toEqual({ stream: `taker-swap/${UUID}`, known: false });
    const { length } = await log.read(`taker-swap/${UUID}`);
    expect(await runtime.importSwap(logOf(text))).toMatchObject({ known: true });
    expect(await runtime.importText(text)).toMatchObject({ imported: [], known: [UUID] });
    expect(await log.read(`taker-swap/${UUID}`)).toHaveLength(length);
    expect(told).toHaveLength(length);
  });

  it('of a swap that has been over for long needs no runner', async () => {
    const { text } = await finished();
    const { clock, nodes } = createPair();
    const { runtime } = nodes.taker;
    await clock.advance(90_000_000);
    await runtime.importText(text);
    expect(runtime.sizes().runners).toBe(0);
    expect(await runtime.status(UUID)).toMatchObject({ outcome: 'completed', runner: 'none', state: 'finished' });
  });

  it('of an earlier copy of a swap that has continued here is already known', async () => {
    const { pair } = await finished();
    const early = await savedText(pair, 'taker', 5);
    expect(await pair.nodes.taker.runtime.importText(early)).toMatchObject({ known: [UUID], skipped: [] });
  });

  it('of another log under the same id is refused and changes nothing', async () => {
    const { pair, text } = await finished();
    const { runtime, log } = pair.nodes.taker;
    const before = await log.read(`taker-swap/${UUID}`);
    const other = logOf(text);
    const events = other.events.map((event, seq) => (seq === 3 ? { ...event, at: (event.at + 1) as never } : event));
    expect(await codeOf(runtime.importSwap({ ...other, events }))).toBe('SWAP_EXISTS');
    expect(await log.read(`taker-swap/${UUID}`)).toEqual(before);
  });

  it('of a log that does not fold is refused before anything is written; the others of the text are taken', async () => {
    const { runtime, log } = createPair().nodes.taker;
    const good = buildSwap({ role: 'taker', path: successPath('taker'), seed: 1 });
    const path = ['Started', 'TakerPaymentSent'];
    const bad = buildSwap({ role: 'taker', path, seed: 2 });
    const strange = buildSwap({ role: 'taker', path: successPath('taker'), seed: 3 });
    const unknown = {
      ...strange,
      events: [...strange.events, { type: 'Odd', at: 1 as never, data: null, known: false }],
    };
    expect(await codeOf(runtime.importSwap(bad))).toBe('SWAP_UNREADABLE');
    expect(await codeOf(runtime.importSwap(unknown))).toBe('SWAP_UNREADABLE');
    const report = await runtime.importText(JSON.stringify([encodeSavedSwap(bad), encodeSavedSwap(good), 'nonsense']));
    expect(report.imported).toEqual([good.uuid]);
    const skipped = new Map(report.skipped.map(({ uuid, error }) => [uuid, error.code]));
    expect(skipped).toEqual(new Map([[null, 'NOT_A_SWAP'] as const, [bad.uuid, 'SWAP_UNREADABLE'] as const]));
    expect(await log.find({})).toHaveLength(1);
  });
});
