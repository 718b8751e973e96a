// Fetches the long-term release of Node beside the one that runs the checks, so that `npm run verify` runs the fast suites on both.

import { fetchPackage } from './fetched-package.mjs';
import { NEXT_NODE } from './next-node.mjs';

if (NEXT_NODE === null) console.log('Another Node is fetched on Linux for x64 alone.');
else fetchPackage(NEXT_NODE.fetched);
