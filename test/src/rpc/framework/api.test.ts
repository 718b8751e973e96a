import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { offerAsk, setPriceAsk, takeAsk, takerAsk } from '../../../../src/node/orders/asks.ts';
import type { ApiForm, ApiMethod } from '../../../../src/rpc/framework/api/form.ts';
import { swapsPage } from '../../../../src/rpc/framework/swap-request.ts';
import { FRAMEWORK_API, FRAMEWORK_METHODS, openRpcDocument } from '../../../../src/rpc/index.ts';

const api: Readonly<Record<string, ApiMethod>> = FRAMEWORK_API;
const membersOf = (schema: z.ZodType | undefined) => Object.keys((schema as z.ZodObject | undefined)?.shape ?? {});

describe('the description of the interface', () => {
  it('has every method in the forms that it has, and no other', () => {
    const forms = (of: { readonly legacy?: unknown; readonly v2?: unknown }) => [
      of.legacy !== undefined,
      of.v2 !== undefined,
    ];
    const described = Object.entries(api).map(([name, method]) => [name, ...forms(method)]);
    const served = FRAMEWORK_METHODS.map((method) => [method.name, ...forms(method)]);
    expect(described.toSorted()).toEqual(served.toSorted());
  });

  it.each([
    ['setprice', setPriceAsk, 'legacy'],
    ['buy', takerAsk, 'legacy'],
    ['sell', takerAsk, 'legacy'],
    ['swap::offer', offerAsk, 'v2'],
    ['swap::take', takeAsk, 'v2'],
    ['my_recent_swaps', swapsPage, 'legacy'],
  ] as const)('names the members that %s reads', (name, schema, form) => {
    const described = membersOf((api[name] as Record<string, ApiForm>)[form]?.params);
    expect(described.toSorted()).toEqual(membersOf(schema as z.ZodType).toSorted());
  });

  it('names the parameters of every v2 form as the form reads them', () => {
    const found = FRAMEWORK_METHODS.flatMap(({ name, v2 }) => {
      const read = membersOf(v2?.params);
      return read.length === 0 ? [] : [[name, read.toSorted()]];
    });
    expect(found.length).toBeGreaterThan(5);
    expect(found.map(([name]) => [name, membersOf(api[String(name)]?.v2?.params).toSorted()])).toEqual(found);
  });

  it('is the document in the repository', () => {
    const root = join(import.meta.dirname, '../../../..');
    const page = JSON.parse(readFileSync(join(root, 'docs/reference/openrpc.json'), 'utf8')) as {
      info: { version: string };
    };
    const summaries = new Map(FRAMEWORK_METHODS.map(({ name, summary }) => [name, summary]));
    const made = openRpcDocument({ version: page.info.version, summaries });
    expect(JSON.parse(JSON.stringify(made)), 'npm run build && npm run docs').toEqual(page);
  });

  it('has methods of one name each, with their parameters and results', () => {
    const { methods } = openRpcDocument({ version: '1', summaries: new Map([['stop', 'Stops.']]) }) as unknown as {
      methods: {
        name: string;
        summary: string;
        params: { name: string; required: boolean }[];
        result: { schema: object };
      }[];
    };
    expect(new Set(methods.map(({ name }) => name)).size).toBe(methods.length);
    expect(methods.find(({ name }) => name === 'stop')?.summary).toBe('Stops.');
    const electrum = methods.find(({ name }) => name === 'electrum');
    expect(electrum?.params.filter(({ required }) => required).map(({ name }) => name)).toEqual(['coin', 'servers']);
    expect(methods.filter(({ result }) => Object.keys(result.schema).length === 0)).toEqual([]);
  });
});
