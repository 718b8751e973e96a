import { parseArgs } from 'node:util';
import { contractSuite } from './contract.ts';
import { curveSuite } from './curve.ts';
import { deskSuite } from './desk.ts';
import { evmSuite } from './evm.ts';
import { feedsSuite } from './feeds.ts';
import { jsonlSuite, naiveSuite, workersSuite } from './files.ts';
import { flatSuite } from './flat.ts';
import { foldSuite } from './fold.ts';
import { heldSuite } from './held.ts';
import { httpSuite } from './http.ts';
import { liveSuite } from './live.ts';
import type { Row, Suite } from './measure.ts';
import { peersSuite } from './peers.ts';
import { rpcSuite } from './rpc.ts';
import { simSuite } from './sim.ts';
import { smartChainSuite } from './smart-chain.ts';
import { tradingSuite } from './trading.ts';

const SUITES: Readonly<Record<string, Suite>> = {
  fold: foldSuite,
  jsonl: jsonlSuite,
  naive: naiveSuite,
  workers: workersSuite,
  flat: flatSuite,
  live: liveSuite,
  feeds: feedsSuite,
  sim: simSuite,
  smartchain: smartChainSuite,
  rpc: rpcSuite,
  http: httpSuite,
  held: heldSuite,
  peers: peersSuite,
  trading: tradingSuite,
  contract: contractSuite,
  evm: evmSuite,
  curve: curveSuite,
  desk: deskSuite,
};

const HELP = `Usage: npm run bench -- <suite> [--json] [--rounds N] [--swaps N]

Suites, each side by side with its reference in the same run:
  fold     the compiled fold vs XState's transition, over parsed events
  jsonl    a log file, checked and judged, vs JSON.parse and the table without any check
  naive    the same vs zod and XState's transition
  workers  two worker threads vs one (writes a file of 8.8 GB, and deletes it)
  flat     cost and memory at 1,000 to 1,000,000 swaps
  live     live swaps on durable logs vs the bare commits; cost and memory at 10 to 10,000 at once
  feeds    questions per waiting swap and minute on chains with complete feeds vs on chains that are polled
  sim      simulated swaps with all faults on one thread vs writing and reading their events as JSON
  smartchain  the embedded chain: blocks of token transfers vs their signatures alone, and vs litecoind; lookups; opening a long chain
  rpc      calls of the embedded chain over HTTP vs a handler that does nothing
  http     calls over HTTP, alone and in batches of 100, with 8 connections: the chain command vs litecoind, each a process
  held     the dearest calls of the embedded chain: how long its process does nothing else, vs 100 ms
  peers    messages of other nodes, sound and far too large, vs a look at their size
  trading  a trading node: polls over HTTP, swaps at once, payments that are watched, Electrum requests
  contract  gas of each call of the swap contract vs the published contract's, or vs the limit that the framework sets
  evm      on an EVM chain: a wallet of 1,000 used addresses, scanned, vs one request with the same questions;
           100 tokens activated vs one; swaps at once vs their calls alone
  curve    signatures of secp256k1 by each library that loads vs in JavaScript
  desk     stored swaps as an investigator meets them (one JSON answer, a folder, audit, import, status of a log) vs the same bytes
           read and parsed alone, in CPU time
  all      all of them

  --json      one JSON object a line: {name, unit, ours, reference, ratio}
  --rounds N  rounds of which the median counts (default 5)
  --swaps N   swaps in the file, or runs of sim, or most swaps of flat, or most outputs and blocks of smartchain, or swaps at once of trading or evm, or swaps of desk

Times never fail a run; results that differ do.
`;

const WIDTHS = { name: 54, value: 14, unit: 12 };

function tableLine({ name, unit, ours, reference, ratio }: Row): string {
  const value = (number: number) => {
    const text = number < 10 ? number.toFixed(2) : Math.round(number).toLocaleString('en-GB');
    return text.padStart(WIDTHS.value);
  };
  return `${name.padEnd(WIDTHS.name)}${value(ours)}${value(reference)}  ${unit.padEnd(WIDTHS.unit)}${ratio.toFixed(2)}`;
}

function rounded(row: Row): Row {
  const digits = (value: number) => Number(value.toPrecision(4));
  return { ...row, ours: digits(row.ours), reference: digits(row.reference), ratio: digits(row.ratio) };
}

function countOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`not a count: ${text}`);
  return value;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      swaps: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const [name] = positionals;
  const chosen = name === 'all' ? Object.values(SUITES) : [SUITES[name ?? '']];
  if (values.help || positionals.length !== 1 || chosen.includes(undefined)) {
    process.stdout.write(HELP);
    return values.help ? 0 : 2;
  }
  const options = { rounds: countOf(values.rounds) ?? 5, swaps: countOf(values.swaps) };
  if (!values.json) {
    const heads = 'ours'.padStart(WIDTHS.value) + 'reference'.padStart(WIDTHS.value);
    process.stdout.write(`${''.padEnd(WIDTHS.name)}${heads}  ${'unit'.padEnd(WIDTHS.unit)}ratio\n`);
  }
  for (const suite of chosen) {
    for await (const row of suite?.(options) ?? []) {
      process.stdout.write(`${values.json ? JSON.stringify(rounded(row)) : tableLine(row)}\n`);
    }
  }
  return 0;
}

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return error instanceof RangeError || (error as { readonly code?: string }).code?.startsWith('ERR_PARSE_ARGS')
    ? 2
    : 1;
});
