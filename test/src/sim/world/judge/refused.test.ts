import { describe, expect, it } from 'vitest';
import type { NewRecord } from '../../../../../src/ports/event-log.ts';
import type { Millis } from '../../../../../src/primitives/time.ts';
import { runWorld } from '../../../../../src/sim/world/advance.ts';
import { type ScenarioChange, scenario } from '../../../../../src/sim/world/build.ts';
import { agreementOf } from '../../../../../src/sim/world/judge/agreement.ts';
import { checkRefused } from '../../../../../src/sim/world/judge/refused.ts';
import { createWorld, localNow } from '../../../../../src/sim/world/world.ts';

const HASH = { cheap: 'a1', mid: 'b2', dear: 'c3' } as const;

type Noted = readonly [type: string, data: object, secondsAgo: number];

const prepared = (name: keyof typeof HASH, secondsAgo: number, { target = 'f0', nonce = 7 } = {}): Noted => [
  'TransactionPrepared',
  { purpose: 'claim', target, urgency: 0, tx: { tx_hex: '', tx_hash: HASH[name], spends: [`account:${nonce}`] } },
  secondsAgo,
];
const told = (type: string, name: keyof typeof HASH, secondsAgo: number, more: object = {}): Noted => [
  type,
  { purpose: 'claim', tx_hash: HASH[name], ...more },
  secondsAgo,
];
const refused = (name: keyof typeof HASH, secondsAgo: number, kind = 'feeTooLow'): Noted =>
  told('BroadcastRefused', name, secondsAgo, { kind, message: '' });

/** What is found where a maker that has noted this hands out its second variant. */
function found(noted: readonly Noted[], ...changes: readonly ScenarioChange[]): readonly string[] {
  const world = createWorld(scenario({ seed: 5, lockDuration: 7800 }, ...changes));
  runWorld(world);
  const agreement = agreementOf(world);
  if (agreement === null) throw new Error('nothing was agreed on');
  const node = world.nodes.maker;
  for (const [type, data, secondsAgo] of noted) {
    const record: NewRecord = { type, data, version: 1, at: (localNow(world, node) - secondsAgo * 1000) as Millis };
    node.records.push(record as never);
  }
  const texts: string[] = [];
  checkRefused({ world, node, agreement }, HASH.mid, (rule, text) => texts.push(`${rule} ${text}`));
  return texts;
}

const sent = (name: keyof typeof HASH, secondsAgo: number): Noted => told('BroadcastAttempted', name, secondsAgo);
const three = [prepared('cheap', 900), prepared('mid', 800), prepared('dear', 700), sent('dear', 700)];

describe('a price that was too low (R12)', () => {
  it('finds one that is broadcast again before its pause, beside a dearer one', () => {
    expect(found([...three, refused('mid', 599)])).toEqual([
      'R12 a claim that was refused for its fee is handed out again after 599 s beside a dearer one',
    ]);
    expect(found([...three, refused('mid', 601)])).toEqual([]);
  });

  it('ignores the dearest one, and one whose dearer ones are for something else or gone', () => {
    expect(found([prepared('cheap', 900), prepared('mid', 800), refused('mid', 20)])).toEqual([]);
    const other = [
      prepared('mid', 800),
      prepared('dear', 700, { target: 'e1' }),
      sent('dear', 700),
      refused('mid', 20),
    ];
    expect(found(other)).toEqual([]);
    expect(found([...three, refused('mid', 20), told('TransactionDropped', 'dear', 10)])).toEqual([]);
  });

  it('ignores one for which a later nonce waits, and one whose dearer one nobody received', () => {
    const later = [prepared('mid', 800), prepared('dear', 700, { nonce: 8 }), sent('dear', 700), refused('mid', 20)];
    expect(found(later)).toEqual([]);
    expect(found([prepared('mid', 800), prepared('dear', 700), refused('mid', 20)])).toEqual([]);
  });

  it('leaves one that was refused for another reason, taken since, or ordered, and a clock that jumps', () => {
    expect(found([...three, refused('mid', 20, 'nonceGap')])).toEqual([]);
    expect(found([...three, refused('mid', 20), told('BroadcastAccepted', 'mid', 10, { how: 'known' })])).toEqual([]);
    expect(found([...three, refused('mid', 20), ['OperatorActed', { action: 'retry' }, 10]])).toEqual([]);
    const jumping: ScenarioChange = ({ parties, ...rest }) => ({
      ...rest,
      parties: { ...parties, maker: { ...parties.maker, jumps: [{ at: 50_000, skew: 30 }] } },
    });
    expect(found([...three, refused('mid', 20)], jumping)).toEqual([]);
  });
});
