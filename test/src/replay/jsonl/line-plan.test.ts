import { describe, expect, it } from 'vitest';
import { catalog, type Role } from '../../../../src/events/catalog.ts';
import { type TypePlan, typePlans } from '../../../../src/replay/jsonl/line-plan.ts';
import { PayloadScanner } from '../../../../src/replay/jsonl/payload-scanner.ts';
import { portableMemory } from '../../../../src/replay/jsonl/wasm-hex.ts';

const memory = portableMemory();
const payloads = new PayloadScanner(memory);
const plans = (role: Role) => typePlans(role, { memory, payloads });

function formOf(role: Role, type: string): unknown {
  const payload = plans(role).find((plan) => plan.type === type)?.payload;
  return payload?.form === 'transaction' ? [payload.form, payload.nullable] : payload?.form;
}

describe('the types that are read quickly', () => {
  it.each(['taker', 'maker'] as const)(
    'are for a %s all of its catalog but the watcher message, after the head',
    (role) => {
      const [first, ...rest] = plans(role);
      expect(first).toMatchObject({ type: 'Imported', payload: { form: 'head' } });
      const expected = [...catalog[role].keys()].filter((type) => type !== 'WatcherMessageSent');
      expect(rest.map(({ type }) => type)).toEqual(expected);
    },
  );

  it('are identified by the text from their name to their payload', () => {
    for (const { type, literal, length } of plans('taker')) {
      expect(memory.text(literal, literal + length)).toBe(`${type}","version":1,"data":`);
    }
  });

  it('have the form of their payload in the vocabulary', () => {
    expect(formOf('taker', 'TakerFeeSent')).toEqual(['transaction', false]);
    expect(formOf('taker', 'TakerPaymentRefunded')).toEqual(['transaction', true]);
    expect(formOf('taker', 'TakerPaymentSpent')).toBe('spend');
    expect(formOf('maker', 'TakerPaymentSpent')).toEqual(['transaction', false]);
    expect(formOf('taker', 'TakerPaymentInstructionsReceived')).toBe('nothing');
    for (const type of ['Finished', 'MakerPaymentWaitConfirmStarted', 'MakerPaymentSpendConfirmed']) {
      expect(formOf('taker', type), type).toBe('nothing');
    }
    for (const type of ['Started', 'Negotiated', 'StartFailed', 'TakerPaymentWaitRefundStarted']) {
      expect(formOf('taker', type), type).toBe('record');
    }
  });

  it('are planned with the members of their schema', () => {
    const plan = plans('taker').find(({ type }) => type === 'Negotiated') as TypePlan;
    const { form, ...rest } = plan.payload;
    const members = form === 'record' && 'plan' in rest ? rest.plan.members : [];
    expect(members.map(({ literal, length }) => memory.text(literal, literal + length))).toContain(
      '{"maker_payment_locktime":',
    );
  });
});
