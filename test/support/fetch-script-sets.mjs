// Fetches Bitcoin's public script and transaction tests.
import { fileURLToPath } from 'node:url';
import { fetchPackage } from './fetched-package.mjs';

fetchPackage({
  name: 'bitcore-lib@11.5.1',
  sha512: '/DjKIY6GzCm8YB3HDGdhP6UtNHGC8KjT7tt7eMz2UNk/Z6AQgMZsyhogSiEq4qpWanP8XeJaRcpbccOJX96MRg==',
  files: ['script_tests.json', 'tx_valid.json', 'tx_invalid.json'].map((file) => `test/data/bitcoind/${file}`),
  target: fileURLToPath(new URL('../../node_modules/.cache/swapfold/script-sets/', import.meta.url)),
});
