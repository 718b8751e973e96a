import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  decimal,
  flag,
  hex32,
  hex33,
  hexBytes,
  text,
  unixSeconds,
  uuid,
  whole,
} from '../../../../src/events/fields.ts';
import { templateOf } from '../../../../src/replay/jsonl/template.ts';

describe('the form of an object in a canonical line', () => {
  const sole = (schema: z.ZodType) => templateOf(z.object({ a: schema }))?.[0];
  const plain = { name: 'a', nullable: false, optional: false, members: [] };

  it('has the members of its schema in that order', () => {
    expect(templateOf(z.object({ b: text, a: whole }))).toEqual([
      { ...plain, name: 'b', kind: 'text' },
      { ...plain, kind: 'whole' },
    ]);
    expect(templateOf(z.object({}))).toEqual([]);
  });

  it.each([
    [text, 'text'],
    [hexBytes, 'hex'],
    [hex32, 'hex64'],
    [hex33, 'hex66'],
    [decimal, 'decimal'],
    [whole, 'whole'],
    [unixSeconds, 'whole'],
    [flag, 'flag'],
    [uuid, 'uuid'],
  ] as readonly (readonly [z.ZodType, string])[])(
    'reports the kind of each field that the vocabulary shares (%#)',
    (schema, kind) => {
      expect(sole(schema)).toEqual({ ...plain, kind });
      expect(sole(schema.nullable())).toEqual({ ...plain, kind, nullable: true });
      expect(sole(schema.optional())).toEqual({ ...plain, kind, optional: true });
      expect(sole(schema.nullable().default(null))).toEqual({ ...plain, kind, nullable: true });
    },
  );

  it('leaves a member out instead of writing null if it may be absent', () => {
    expect(sole(text.nullable().optional())).toEqual({ ...plain, kind: 'text', optional: true });
    expect(sole(z.array(text).nullable().optional())).toEqual({ ...plain, kind: 'nothing', optional: true });
  });

  it('holds the members of nested objects, also behind a transformation', () => {
    const inner = z.object({ coin: text });
    const members = [{ ...plain, name: 'coin', kind: 'text' }];
    expect(sole(inner)).toEqual({ ...plain, kind: 'record', members });
    expect(sole(inner.nullable())).toEqual({ ...plain, kind: 'record', nullable: true, members });
    expect(sole(inner.transform((value) => value))).toEqual({ ...plain, kind: 'record', members });
  });

  it('reads only null of an unknown kind', () => {
    expect(sole(z.array(text))).toEqual({ ...plain, kind: 'nothing' });
    expect(sole(z.string())).toEqual({ ...plain, kind: 'nothing' });
    expect(sole(z.string().nullable())).toEqual({ ...plain, kind: 'nothing', nullable: true });
  });

  it('does not exist for a non-object', () => {
    expect(templateOf(text)).toBeUndefined();
    expect(templateOf(z.array(z.object({ a: text })))).toBeUndefined();
  });
});
