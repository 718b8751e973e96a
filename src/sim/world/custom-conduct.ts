import type { SwapMessage, SwapMessageKind } from '../../ports/peers.ts';
import type { Millis } from '../../primitives/time.ts';
import type { Command } from '../../runtime/command.ts';
import { viewOf } from '../../runtime/swap/runner.ts';
import type { SwapFacts } from '../../runtime/swap/swap-facts.ts';
import { type Check, oneOf, orNull, refuse } from '../shape-check.ts';
import type { Hooks, SimNode } from './node.ts';
import { ownPart } from './own-parts.ts';

/** The situation of a party when one of its hooks is called. */
export type ConductScene = {
  readonly party: 'maker' | 'taker';
  /** By the party's own clock. */
  readonly now: Millis;
  /** The swap as the party's engine sees it. */
  readonly view: SwapFacts;
  /** Its process, with its wallets, its log and its runner. */
  readonly node: SimNode;
};

/**
 * The tester's own adversary. Whatever its hooks do not change, it does as the honest engine does. The judge holds such a party to no rule, and
 * protects the other party by every rule.
 */
export type CustomConduct = {
  /** What to do instead of what the engine would do next. */
  readonly command?: (usual: Command, scene: ConductScene) => Command;
  /** What to send instead of a message: another one, several, or null for none. The engine believes that it sent its own. */
  readonly says?: (message: SwapMessage, scene: ConductScene) => SwapMessage | readonly SwapMessage[] | null;
  /** What to hear instead of a message that comes in; null for nothing. */
  readonly hears?: (message: SwapMessage, scene: ConductScene) => SwapMessage | null;
};

/** Conducts by the names that scenarios use. Created anew for each run, so that what one remembers never reaches the next. */
export type CustomConducts = Readonly<Record<string, () => CustomConduct>>;

const HOOKS = ['command', 'says', 'hears'];
const isCommand = oneOf('append', 'ask', 'send', 'wait', 'done');

const KINDS: Readonly<Record<SwapMessageKind, true>> = {
  negotiation: true,
  negotiationReply: true,
  negotiated: true,
  takerFee: true,
  makerPayment: true,
  takerPayment: true,
  watcher: true,
  transaction: true,
};
const isKind = oneOf(...Object.keys(KINDS));

/** A message of a known kind: everything else in it is up to the adversary. */
const isMessage: Check = (value, at) => {
  if (typeof value !== 'object' || value === null) refuse(at, value, 'a message, or null for none');
  isKind((value as SwapMessage).kind, `${at} kind`);
};
const isHeard = orNull(isMessage);

/**
 * The hooks of the conduct that a scenario names.
 *
 * @throws MemberValueError if the run has no conduct of that name; MemberTypeError if it is not a conduct.
 */
export function hooksOf(name: string, conducts: CustomConducts = {}): Hooks {
  const create = Object.hasOwn(conducts, name) ? conducts[name] : undefined;
  if (create === undefined) {
    const known = Object.keys(conducts);
    if (known.length > 0) oneOf(...known)(name, 'conduct.name');
    refuse(
      'conduct.name',
      name,
      'the name of a program that the run is given: runScenario(scenario, { conducts: { … } })',
    );
  }
  const made = ownPart(create)();
  checkHooks(made, name);
  const scene = (now: Millis, node: SimNode): ConductScene => ({
    party: node.name,
    now,
    view: viewOf(node.runner),
    node,
  });
  const strayed = (node: SimNode, changed: boolean): void => {
    if (changed) node.strayed = true;
  };
  return {
    command(usual, now, node) {
      if (made.command === undefined) return usual;
      const command = ownPart(made.command.bind(made))(usual, scene(now, node));
      isCommand(command?.kind, `conducts.${name}.command() kind`);
      strayed(node, command !== usual);
      return command;
    },
    says(message, now, node) {
      if (made.says === undefined) return [message];
      const said = ownPart(made.says.bind(made))(message, scene(now, node));
      strayed(node, said !== message);
      if (said === null) return [];
      const all = (Array.isArray(said) ? said : [said]) as readonly SwapMessage[];
      for (const one of all) isMessage(one, `conducts.${name}.says()`);
      return all;
    },
    hears(message, now, node) {
      if (made.hears === undefined) return message;
      const heard = ownPart(made.hears.bind(made))(message, scene(now, node));
      isHeard(heard, `conducts.${name}.hears()`);
      strayed(node, heard !== message);
      return heard;
    },
  };
}

function checkHooks(made: unknown, name: string): void {
  const at = `conducts.${name}()`;
  if (typeof made !== 'object' || made === null) refuse(at, made, `an object with ${HOOKS.join(', ')}`);
  for (const hook of Object.keys(made))
    if (typeof (made as Readonly<Record<string, unknown>>)[hook] === 'function') oneOf(...HOOKS)(hook, `${at} hook`);
}
