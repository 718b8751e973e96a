import { describe, expect, it } from 'vitest';
import { isMissing, optionalPackage, PackageMissingError } from '../../../src/primitives/optional-package.ts';

const notFound = (name: string) =>
  Object.assign(new Error(`Cannot find package '${name}' imported from /app/index.js`), {
    code: 'ERR_MODULE_NOT_FOUND',
  });

describe('a package that may be missing', () => {
  it('is returned if it is installed', async () => {
    expect(await optionalPackage('pino', async () => ({ Pino: 1 }))).toEqual({ Pino: 1 });
  });

  it('is named with the sufficient versions if it is not', async () => {
    await expect(optionalPackage('pino', () => Promise.reject(notFound('pino')))).rejects.toMatchObject({
      code: 'PACKAGE_MISSING',
      shortMessage: 'The package pino is not installed.',
      next: 'Install it next to swapfold: npm install pino@^10.0.0',
      retry: 'operator',
    });
    expect(new PackageMissingError('commander', 'picocolors').shortMessage).toBe(
      'The packages commander, picocolors are not installed.',
    );
  });

  it('is not blamed for another fault: one of its own packages, or an error while it loads', async () => {
    const inner = notFound('pino-core');
    await expect(optionalPackage('pino', () => Promise.reject(inner))).rejects.toBe(inner);
    const broken = new SyntaxError("Unexpected token in 'pino'");
    await expect(optionalPackage('pino', () => Promise.reject(broken))).rejects.toBe(broken);
    for (const odd of [null, undefined, 'text', {}]) expect(isMissing(odd, 'pino')).toBe(false);
  });
});
