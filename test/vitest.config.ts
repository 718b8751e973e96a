import { defineConfig } from 'vitest/config';

// Suites named *.slow.test.ts take minutes; `npm run test:slow` runs them and nothing else.
const slow = process.env['SWAPFOLD_SLOW'] === '1';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: [slow ? 'test/**/*.slow.test.ts' : 'test/**/*.test.ts'],
    exclude: slow ? ['**/node_modules/**'] : ['**/node_modules/**', '**/*.slow.test.ts'],
    testTimeout: slow ? 900_000 : 30_000,
    hookTimeout: 60_000,
    retry: 0,
  },
});
