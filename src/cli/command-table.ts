import type { Argument, Command, Option } from 'commander';

/** A command as its help, its completion and its manual page tell of it. */
export type CommandRow = {
  readonly name: string;
  readonly description: string;
  /** What follows the name: `[options] <inputs...>`. */
  readonly usage: string;
  readonly args: readonly ArgumentRow[];
  readonly options: readonly OptionRow[];
};

export type ArgumentRow = {
  readonly name: string;
  readonly description: string;
  readonly choices: readonly string[];
  readonly isVariadic: boolean;
};

export type OptionRow = {
  /** As help shows it: `-q, --quiet`, `--out <path>`. */
  readonly flags: string;
  /** With its dashes. */
  readonly long: string;
  readonly short: string | null;
  readonly description: string;
  /** Name of the value; null for a switch. */
  readonly value: string | null;
  /** The value may be left out. */
  readonly isOptional: boolean;
  readonly choices: readonly string[];
  /** What is taken without it; null where nothing is, and for switches. */
  readonly fallback: string | null;
};

export type CommandTable = {
  readonly description: string;
  /** Options of every command. */
  readonly options: readonly OptionRow[];
  readonly commands: readonly CommandRow[];
};

const HELP: OptionRow = {
  flags: '-h, --help',
  long: '--help',
  short: '-h',
  description: 'display help for command',
  value: null,
  isOptional: false,
  choices: [],
  fallback: null,
};

/** All commands with their options, from the definitions that also parse them. */
export function tableOf(program: Command): CommandTable {
  return {
    description: program.description(),
    options: [...program.options.map(optionRow), HELP],
    commands: program.commands.map((command) => ({
      name: command.name(),
      description: command.description(),
      usage: command.usage(),
      args: command.registeredArguments.map(argumentRow),
      options: command.options.map(optionRow),
    })),
  };
}

function argumentRow(argument: Argument): ArgumentRow {
  const { description, argChoices = [], variadic } = argument;
  return { name: argument.name(), description, choices: argChoices, isVariadic: variadic };
}

function optionRow(option: Option): OptionRow {
  const { flags, long, short, description, argChoices = [], required, optional } = option;
  const fallback: unknown = option.defaultValue;
  const value = /[<[]([^>\]]+)[>\]]/.exec(flags)?.[1] ?? null;
  return {
    flags,
    long: long ?? '',
    short: short ?? null,
    description,
    value: required || optional ? value : null,
    isOptional: optional,
    choices: argChoices,
    fallback: fallback === undefined || typeof fallback === 'boolean' ? null : String(fallback),
  };
}
