// Writes the reference pages that are derived from the code (docs/reference/), or, with --check, says which are out of date.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { auditPage } from './docs/audit-page.mjs';
import { cliPage } from './docs/cli-page.mjs';
import { coinsFilePage } from './docs/coins-file-page.mjs';
import { conformancePage } from './docs/conformance-page.mjs';
import { errorTextsPage } from './docs/error-texts-page.mjs';
import { eventsPage } from './docs/events-page.mjs';
import { incidentsPage } from './docs/incidents-page.mjs';
import { machinesPage } from './docs/machines-page.mjs';
import { manPage } from './docs/man-page.mjs';
import { openRpcPage } from './docs/openrpc-page.mjs';

const root = join(import.meta.dirname, '../..');
const checking = process.argv.includes('--check');

const pages = {
  'docs/man/swapfold.1': manPage,
  'docs/reference/error-texts.md': errorTextsPage,
  'docs/reference/events.md': eventsPage,
  'docs/reference/machines.md': machinesPage,
  'docs/reference/audit.md': auditPage,
  'docs/reference/cli.md': cliPage,
  'docs/reference/coins-file.md': coinsFilePage,
  'docs/reference/conformance.md': conformancePage,
  'docs/reference/incidents.md': incidentsPage,
  'docs/reference/openrpc.json': openRpcPage,
};

let outdated = 0;
for (const [path, page] of Object.entries(pages)) {
  const text = await page();
  const file = join(root, path);
  if (checking) {
    if (readOrEmpty(file) === text) continue;
    outdated += 1;
    console.error(`${path} is out of date: run npm run build && npm run docs`);
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`wrote ${path}`);
  }
}
if (outdated > 0) process.exit(1);
if (checking) console.log(`${Object.keys(pages).length} generated pages are up to date`);

function readOrEmpty(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
