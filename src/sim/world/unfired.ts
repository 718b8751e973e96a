import { hasFired } from '../chains/faults.ts';
import { type CrashPlan, EPOCH, type PartyPlan, type Scenario } from './scenario.ts';
import { DOUBLED, LOST, type World } from './world.ts';

/**
 * What a scenario plans and the run never met, each with its place and the reason: a crash at a command that the party never reached, an outage in
 * which nobody asked, a reorganization of empty blocks. A test whose faults never happen passes for the wrong reason.
 */
export function unfiredPlans(world: World): readonly string[] {
  const { scenario, nodes, watcher, planned, fired } = world;
  const parties = (['maker', 'taker'] as const).flatMap((name) => {
    const { commands, strayed } = nodes[name];
    return unfiredOf(scenario.parties[name], { place: `parties.${name}`, fired, commands, strayed });
  });
  const watching = scenario.watcher === null || watcher === null ? [] : scenario.watcher.crashes;
  const watched = crashesLeft(watching, {
    place: 'watcher',
    fired: watcher?.fired ?? new Set(),
    commands: watcher?.commands ?? 0,
  });
  const faults = planned.flatMap(({ place, fault }) => {
    const { kind, from, until } = fault;
    return hasFired(fault)
      ? []
      : [`${place} (${kind} from ${from - EPOCH} s to ${until - EPOCH} s) met nothing to act on`];
  });
  return [
    ...parties,
    ...watched,
    ...faults,
    ...eventsLeft(world),
    ...messagesLeft(scenario, fired),
    ...cutsLeft(scenario, fired),
  ];
}

type Party = {
  readonly place: string;
  readonly fired: ReadonlySet<object>;
  /** How many commands it began. */
  readonly commands: number;
};

function unfiredOf(
  { crashes, storage, conduct, jumps, orders }: PartyPlan,
  party: Party & { readonly strayed: boolean },
): readonly string[] {
  const { place, fired, commands, strayed } = party;
  const stored = storage.flatMap((fault, index) => {
    if (fired.has(fault)) return [];
    const why = fault.at > commands ? began(commands) : 'which was no append';
    return [`${place}.storage[${index}] (at command ${fault.at}) never happened: ${why}`];
  });
  const idle = conduct.kind !== 'honest' && !strayed;
  const conducted = idle ? [`${place}.conduct (${conduct.kind}) did nothing that an honest party would not`] : [];
  const over = 'the swap of this party was over';
  const jumped = jumps.flatMap((jump, index) =>
    fired.has(jump) ? [] : [`${place}.jumps[${index}] (at ${jump.at} s) changed nothing: ${over}`],
  );
  const ordered = orders.flatMap((order, index) =>
    fired.has(order) ? [] : [`${place}.orders[${index}] (${order.action} at ${order.at} s) met nobody: ${over}`],
  );
  return [...crashesLeft(crashes, party), ...stored, ...conducted, ...jumped, ...ordered];
}

function crashesLeft(crashes: readonly CrashPlan[], { place, fired, commands }: Party): readonly string[] {
  return crashes.flatMap((crash, index) => {
    if (fired.has(crash)) return [];
    const why = crash.at > commands ? began(commands) : 'another one came first';
    return [`${place}.crashes[${index}] (${crash.when} command ${crash.at}) never happened: ${why}`];
  });
}

function began(commands: number): string {
  return `it began ${commands} command${commands === 1 ? '' : 's'}`;
}

function eventsLeft({ scenario, fired, now }: World): readonly string[] {
  const lasted = Math.floor(now / 1000) - EPOCH;
  return scenario.chainEvents.flatMap((event, index) => {
    if (fired.has(event)) return [];
    const what = event.kind === 'reorg' ? 'it replaced no block with a transaction' : 'nothing waited for a block';
    const why = event.at > lasted ? `the run was over after ${lasted} s` : what;
    return [
      `chainEvents[${index}] (${event.kind} of the ${event.chain} chain at ${event.at} s) changed nothing: ${why}`,
    ];
  });
}

function cutsLeft({ network }: Scenario, fired: ReadonlySet<object>): readonly string[] {
  return network.partitions.flatMap((cut, index) =>
    fired.has(cut) ? [] : [`network.partitions[${index}] (to the ${cut.to} from ${cut.from} s) kept no message back`],
  );
}

function messagesLeft({ network }: Scenario, fired: ReadonlySet<object>): readonly string[] {
  const left: string[] = [];
  if (network.lossPerMille > 0 && !fired.has(LOST)) left.push('network.lossPerMille lost no message');
  if (network.duplicatePerMille > 0 && !fired.has(DOUBLED)) left.push('network.duplicatePerMille doubled no message');
  return left;
}
