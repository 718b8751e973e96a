import { join } from 'node:path';
import picocolors from 'picocolors';
import { describe, expect, it } from 'vitest';
import { explanationText } from '../../src/cli/render/explain.ts';
import { bullets } from '../../src/cli/render/text.ts';
import { redactLog } from '../../src/events/redact.ts';
import type { SwapLog } from '../../src/events/saved-swap.ts';
import { millisOf, toUnixSeconds, type UnixSeconds } from '../../src/primitives/time.ts';
import { lacksSecret } from '../../src/replay/explain/evidence.ts';
import { violationsOf } from '../../src/replay/explain/violations.ts';
import { explainSwap } from '../../src/replay/explain.ts';
import { buildSwap } from '../../src/testing/logs/swap-builder.ts';
import { endings } from '../support/endings.ts';

// What is told of each ending that a stored log can have, to be read by people beside the log: a change of a sentence is a change of these files.

const style = { paint: picocolors.createColors(false), columns: 100 };
const MINUTES = 60;
const DAYS = 86_400;

function told(log: SwapLog): string {
  const last = toUnixSeconds(log.events.at(-1)?.at ?? millisOf(0));
  const soon = (last + 10 * MINUTES) as UnixSeconds;
  const late = (last + 30 * DAYS) as UnixSeconds;
  const shown = redactLog(log);
  const secretMissing = lacksSecret(log);
  const later = explainSwap(shown, { now: late, secretMissing });
  const { funds, next, advice } = later;
  return [
    explanationText(
      { file: 'swap.json', now: soon, violations: violationsOf(shown) },
      explainSwap(shown, { now: soon, secretMissing }),
      style,
    ),
    'Thirty days later',
    ...bullets(funds, style),
    '',
    ...bullets(next, style),
    '',
    ...bullets(advice, style),
    '',
  ].join('\n');
}

describe('the explanation of', () => {
  it('no ending hides another', () => {
    const names = endings.map(({ role, name }) => `${role}-${name}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  for (const { role, name, path, era } of endings) {
    it(`a ${role} log that ends ${name}`, async () => {
      const log = buildSwap({ role, path, seed: `explained ${role} ${name}`, ...(era === undefined ? {} : { era }) });
      await expect(told(log)).toMatchFileSnapshot(join(import.meta.dirname, 'explained', `${role}-${name}.txt`));
    });
  }
});
