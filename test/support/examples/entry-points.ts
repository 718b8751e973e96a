import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../../..');

/** An entry point as users import it (`swapfold/htlc`), and the source behind it. */
export type EntryPoint = { readonly name: string; readonly source: string };

type Manifest = { readonly exports: Readonly<Record<string, { readonly types?: string }>> };

/** All entry points of the package that hold code, in the order of its manifest. */
export function entryPoints(): readonly EntryPoint[] {
  const { exports } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8')) as Manifest;
  return Object.entries(exports).flatMap(([name, { types }]) =>
    types === undefined
      ? []
      : [
          {
            name: name.replace('.', 'swapfold'),
            source: resolve(ROOT, types.replace('./dist/', '').replace('.d.ts', '.ts')),
          },
        ],
  );
}
