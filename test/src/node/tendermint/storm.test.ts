import fc from 'fast-check';
import { expect, it } from 'vitest';
import { enableTendermintDefinition } from '../../../../machines/activation/enable-tendermint/definition.ts';
import { enableTendermintInvariants } from '../../../../machines/activation/enable-tendermint/invariants.ts';
import { phaseOf } from '../../../../machines/activation/enable-tendermint/status.ts';
import { readEnableTendermintEvent } from '../../../../src/events/enable-tendermint.ts';
import { compile } from '../../../../src/replay/compile.ts';
import { refuse, step } from '../../../../src/replay/fold.ts';
import { TendermintProcesses, withAssets } from '../../../support/tendermint/node-processes.ts';

const machine = compile(enableTendermintDefinition);
const TICKERS = ['NYAN', 'ATOM-IBC', 'OSMO-IBC'] as const;
const [, ...ASSETS] = TICKERS;
const WORKING: ReadonlySet<string> = new Set(['inProgress', 'cancelling']);

const id = fc.nat(6);
const deed = fc.oneof(
  fc.record({ do: fc.constant('enable' as const), assets: fc.subarray(ASSETS), atOnce: fc.boolean() }),
  fc.record({ do: fc.constant('disable' as const), ticker: fc.constantFrom(...TICKERS), force: fc.boolean() }),
  fc.record({ do: fc.constant('cancel' as const), id }),
  fc.record({ do: fc.constant('forget' as const), id }),
  fc.record({ do: fc.constant('restart' as const) }),
);
/** How many turns others have after it; null where it is waited for until nothing is under way. */
const deeds = fc.array(fc.tuple(deed, fc.option(fc.nat(30))), { minLength: 4, maxLength: 14 });

type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

/** The state of a task by its log, of which each event fits, and leaves what always holds. */
async function stateOf(bench: TendermintProcesses, stream: string): Promise<string> {
  const position = { state: machine.initial, context: machine.definition.initialContext() };
  const state = () => machine.states[position.state] as string;
  for (const [seq, record] of (await bench.log.read(stream)).entries()) {
    step(machine, position, { event: readEnableTendermintEvent(record, seq), seq, onRefused: refuse(machine) });
    const broken = enableTendermintInvariants.filter(({ holds }) => !holds(state(), position.context));
    expect(broken.map((invariant) => invariant.id)).toEqual([]);
  }
  return state();
}

class Storm {
  readonly #bench: TendermintProcesses;
  #process: Awaited<ReturnType<TendermintProcesses['node']>>;
  #asked: Promise<unknown>[] = [];

  constructor(bench: TendermintProcesses, process: Awaited<ReturnType<TendermintProcesses['node']>>) {
    this.#bench = bench;
    this.#process = process;
  }

  active = () => this.#process.active();

  async idle(): Promise<void> {
    await Promise.all(this.#asked.splice(0));
    const working = async () => {
      await this.#bench.clock.advance(1000);
      const streams = await this.#bench.log.find({ machine: machine.definition.id });
      const states = await Promise.all(streams.map(({ stream }) => stateOf(this.#bench, stream)));
      return states.filter((state) => WORKING.has(phaseOf(state)));
    };
    await expect.poll(working, { timeout: 20_000, interval: 10 }).toEqual([]);
  }

  async restart(): Promise<void> {
    await this.#process.node.close();
    await Promise.all(this.#asked.splice(0));
    this.#process = await this.#bench.node();
  }

  async do(deed: Deed): Promise<void> {
    if (deed.do === 'restart') await this.restart();
    else this.#asked.push(this.#asking(deed).catch(() => undefined));
  }

  async #asking(deed: Exclude<Deed, { readonly do: 'restart' }>): Promise<unknown> {
    const { node, enable } = this.#process;
    if (deed.do === 'disable') return node.disable(deed.ticker, { force: deed.force });
    if (deed.do === 'cancel') return node.tendermintTasks.cancel(deed.id);
    if (deed.do === 'forget') return node.tendermintTasks.status(deed.id, true);
    if (deed.atOnce) return enable(withAssets(...deed.assets));
    const nodes = [{ url: this.#bench.listening.url }];
    const params = { ticker: 'NYAN', nodes, ...withAssets(...deed.assets) };
    return node.tendermintTasks.init({ request: { ticker: 'NYAN', params, atOnce: false }, client_id: 0 });
  }

  async end(): Promise<void> {
    await this.#process.node.close();
    await this.#bench.listening.close();
  }
}

it('everything asked at once is answered, and each process has in use what the one before had', async () => {
  await fc.assert(
    fc.asyncProperty(deeds, async (given) => {
      const bench = await TendermintProcesses.start();
      const storm = new Storm(bench, await bench.node());
      try {
        for (const [each, turns] of given) {
          await storm.do(each);
          for (let turn = 0; turn < (turns ?? 0); turn += 1) await new Promise((resolve) => setImmediate(resolve));
          if (turns === null) await storm.idle();
        }
        await storm.idle();
        const before = storm.active();
        await storm.restart();
        await storm.idle();
        expect(storm.active()).toEqual(before);
        for (const ticker of TICKERS) await storm.do({ do: 'disable', ticker, force: true });
        await storm.idle();
        await storm.restart();
        await storm.idle();
        // One that comes back while another brings it is tried again.
        const faults = bench.lines.filter((line) => !line.includes('is not yet active again'));
        expect([storm.active(), faults]).toEqual([[], []]);
      } finally {
        await storm.end();
      }
    }),
    { numRuns: 8 },
  );
});
