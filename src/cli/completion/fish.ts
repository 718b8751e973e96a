import type { CommandRow, CommandTable, OptionRow } from '../command-table.ts';

/** The same for fish, with what each command and option is for. */
export function fishCompletion({ commands, options }: CommandTable): string {
  const first = [...commands, { name: 'help', description: 'display help for command' }];
  const names = commands.map(({ name }) => name).join(' ');
  const lines = [
    '# fish completion of swapfold. Load it by: swapfold completion fish | source',
    ...first.map(({ name, description }) => {
      return `complete -c swapfold -n __fish_use_subcommand -f -a ${name} -d ${quoted(description)}`;
    }),
    ...options.map((option) => `complete -c swapfold ${optionText(option)}`),
    `complete -c swapfold -n '__fish_seen_subcommand_from help' -f -a ${quoted(names)}`,
    ...commands.flatMap(commandLines),
  ];
  return `${lines.join('\n')}\n`;
}

function commandLines({ name, args, options }: CommandRow): readonly string[] {
  const here = `complete -c swapfold -n '__fish_seen_subcommand_from ${name}'`;
  const values = args.flatMap(({ choices }) => choices);
  return [
    ...(values.length === 0 ? [] : [`${here} -f -a ${quoted(values.join(' '))}`]),
    ...options.map((option) => `${here} ${optionText(option)}`),
  ];
}

function optionText({ long, short, description, value, isOptional, choices }: OptionRow): string {
  const parts = [
    `-l ${long.slice(2)}`,
    ...(short === null ? [] : [`-s ${short.slice(1)}`]),
    ...(value === null || isOptional ? [] : [choices.length === 0 ? '-r' : '-x']),
    ...(choices.length === 0 ? [] : [`-a ${quoted(choices.join(' '))}`]),
    `-d ${quoted(description)}`,
  ];
  return parts.join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
