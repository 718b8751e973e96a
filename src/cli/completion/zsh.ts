import type { ArgumentRow, CommandRow, CommandTable, OptionRow } from '../command-table.ts';

/** The same for zsh, with what each command and option is for. */
export function zshCompletion({ commands, options }: CommandTable): string {
  return `#compdef swapfold
# zsh completion of swapfold. Load it by: source <(swapfold completion zsh)
_swapfold() {
  local state
  local -a commands
  commands=(
${commands.map(({ name, description }) => `    ${quoted(`${name}:${plain(description)}`)}`).join('\n')}
    'help:${'display help for command'}'
  )
  _arguments -C ${options.map(optionText).join(' ')} '1: :->command' '*:: :->rest'
  case $state in
    command) _describe -t commands command commands ;;
    rest)
      case $words[1] in
        help) _arguments '1: :(${commands.map(({ name }) => name).join(' ')})' ;;
${commands.map((command) => commandLine(command, options)).join('\n')}
      esac
      ;;
  esac
}
if [[ $funcstack[1] == _swapfold ]]; then
  _swapfold "$@"
else
  compdef _swapfold swapfold
fi
`;
}

function commandLine({ name, args, options }: CommandRow, everywhere: readonly OptionRow[]): string {
  const words = [...[...options, ...everywhere].map(optionText), ...args.map(argumentText)];
  return `        ${name}) _arguments ${words.join(' ')} ;;`;
}

function argumentText({ name, choices, isVariadic }: ArgumentRow, index: number): string {
  return quoted(`${isVariadic ? '*' : index + 1}:${name}:${valuesOf(choices)}`);
}

function optionText({ long, short, description, value, isOptional, choices }: OptionRow): string {
  const taken = value === null ? '' : `${isOptional ? '::' : ':'}${plain(value)}:${valuesOf(choices)}`;
  const told = `[${plain(description)}]${taken}`;
  // With the mark a value may stand in the same word, as in --outcome=refunded, or in the next one.
  const name = value === null ? long : `${long}=`;
  if (short === null) return quoted(`${name}${told}`);
  return `'(${short} ${long})'{${short},${name}}${quoted(told)}`;
}

function valuesOf(choices: readonly string[]): string {
  return choices.length === 0 ? '_files' : `(${choices.join(' ')})`;
}

/** Without what parts the fields of a completion. */
function plain(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, (char) => `\\${char}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
