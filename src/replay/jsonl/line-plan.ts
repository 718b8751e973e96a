import { catalog, type Role } from '../../events/catalog.ts';
import { IMPORTED } from '../../events/journal.ts';
import {
  instructions,
  noData,
  optionalTransaction,
  revealingSpend,
  transaction,
  transactionOrNoData,
} from '../../events/payloads.ts';
import type { PayloadScanner, RecordPlan } from './payload-scanner.ts';
import { templateOf } from './template.ts';
import type { ScanMemory } from './wasm-hex.ts';

/** What the payload of an event looks like in a canonical line. */
export type PayloadForm =
  | { readonly form: 'transaction'; readonly nullable: boolean }
  /** Only null is read quickly. */
  | { readonly form: 'nothing' }
  | { readonly form: 'spend' }
  | { readonly form: 'head' }
  | { readonly form: 'record'; readonly plan: RecordPlan };

/** An event type, the text from its name to its payload, and the form of that. */
export type TypePlan = {
  readonly type: string;
  readonly literal: number;
  readonly length: number;
  readonly payload: PayloadForm;
};

/** The types of a role that are read quickly, read off the catalog: what has another form goes to the parser. */
export function typePlans(
  role: Role,
  { memory, payloads }: { readonly memory: ScanMemory; readonly payloads: PayloadScanner },
): readonly TypePlan[] {
  const plan = (type: string, payload: PayloadForm): TypePlan => {
    const text = `${type}","version":1,"data":`;
    return { type, literal: memory.literal(text), length: text.length, payload };
  };
  const known = [...catalog[role].values()].flatMap(({ type, payload }) => {
    const form = formOf(payload, payloads);
    return form === undefined ? [] : [plan(type, form)];
  });
  return [plan(IMPORTED, { form: 'head' }), ...known];
}

function formOf(schema: unknown, payloads: PayloadScanner): PayloadForm | undefined {
  if (schema === transaction) return { form: 'transaction', nullable: false };
  if (schema === optionalTransaction) return { form: 'transaction', nullable: true };
  if (schema === noData || schema === transactionOrNoData || schema === instructions) return { form: 'nothing' };
  if (schema === revealingSpend) return { form: 'spend' };
  const template = templateOf(schema as Parameters<typeof templateOf>[0]);
  const plan = template === undefined ? undefined : payloads.plan(template);
  return plan === undefined ? undefined : { form: 'record', plan };
}
