import type { CommandRow, CommandTable, OptionRow } from '../command-table.ts';

/** A script that completes commands, options and the values that options can have; where none are known, names of files. */
export function bashCompletion({ commands, options }: CommandTable): string {
  const names = commands.map(({ name }) => name);
  const first = [...names, 'help', ...options.flatMap(namesOf)];
  return `# bash completion of swapfold. Load it by: source <(swapfold completion bash)
_swapfold() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command= word
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    case $word in
      -*) ;;
      *) command=$word; break ;;
    esac
  done
  case "$command $previous" in
${commands.flatMap(valueLines).join('\n')}
  esac
  local words=
  case $command in
    '') words=${quoted(first)} ;;
    help) words=${quoted(names)} ;;
${commands.map((command) => wordLine(command, options)).join('\n')}
  esac
  if [[ -z $command || $current == -* || $words != -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  fi
}
complete -o default -F _swapfold swapfold
`;
}

/** Values of options, after which nothing else can stand. */
function valueLines({ name, options }: CommandRow): readonly string[] {
  return options
    .filter(({ choices }) => choices.length > 0)
    .map((option) => {
      const places = namesOf(option).map((flag) => `'${name} ${flag}'`);
      return `    ${places.join(' | ')}) COMPREPLY=($(compgen -W ${quoted(option.choices)} -- "$current")); return ;;`;
    });
}

/** What may stand behind a command; values of its argument come first, so that a word without dashes is looked for among them. */
function wordLine({ name, args, options }: CommandRow, everywhere: readonly OptionRow[]): string {
  const values = args.flatMap(({ choices }) => choices);
  return `    ${name}) words=${quoted([...values, ...[...options, ...everywhere].flatMap(namesOf)])} ;;`;
}

function namesOf({ long, short }: OptionRow): readonly string[] {
  return short === null ? [long] : [short, long];
}

function quoted(words: readonly string[]): string {
  return `'${words.join(' ')}'`;
}
