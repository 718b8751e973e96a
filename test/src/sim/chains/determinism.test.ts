import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import { bestChainOf, historyOf, type Step, steps } from './driver.ts';
import { KINDS } from './support.ts';

describe.each(KINDS)('K3: determinism of a simulated chain: %s', (kind) => {
  it('equal histories give equal bytes', () => {
    fc.assert(
      fc.property(steps(40), (list) => {
        const [first, second] = [historyOf(kind, list), historyOf(kind, list)];
        expect(first.prepared).toEqual(second.prepared);
        expect(first.chain.ledger.transactions()).toEqual(second.chain.ledger.transactions());
        expect(bestChainOf(first)).toEqual(bestChainOf(second));
      }),
      { numRuns: 40 },
    );
  });

  it('a recorded history gives the bytes that it always gave', () => {
    const list: Step[] = [
      { act: 'pay', pick: 0, other: 0, size: 3 },
      { act: 'fee', pick: 1, other: 0, size: 0 },
      { act: 'mine', pick: 0, other: 1, size: 60 },
      { act: 'claim', pick: 1, other: 0, size: 1 },
      { act: 'mine', pick: 0, other: 1, size: 60 },
    ];
    const text = historyOf(kind, list)
      .chain.ledger.transactions()
      .map(({ hex, hash, status }) => `${hex} ${hash} ${status}\n`);
    expect(text).toHaveLength(3);
    expect(bytesToHex(sha256(new TextEncoder().encode(text.join('')))).slice(0, 16)).toBe(RECORDED[kind]);
  });
});

const RECORDED = { utxo: 'bef8215f303573f9', account: '74b5be78cfe52ccf', autoRefund: 'ae98a5e050ddcf5e' };

describe('sources of the simulated chains', () => {
  it('use no clock, randomness, timer or environment of the machine, so that they run in a browser and repeat themselves', () => {
    const folder = join(import.meta.dirname, '../../../../src/sim/chains');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
    expect(files.length).toBeGreaterThan(30);
    const ambient = /\bDate\b|Math\.random|\bprocess\.|setTimeout|setInterval|\bperformance\.|'node:|\bcrypto\./;
    expect(files.filter((path) => ambient.test(readFileSync(join(folder, path), 'utf8')))).toEqual([]);
  });
});
