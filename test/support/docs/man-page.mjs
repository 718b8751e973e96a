import { tableOf } from '../../../dist/src/cli/command-table.js';
import { createProgram } from '../../../dist/src/cli/program.js';

/** The manual page, in the macros of man(7), from the table that help and completion come from. */
export function manPage() {
  const program = createProgram({ stdout: process.stdout, stderr: process.stderr, env: {} }, {});
  const { description, commands, options } = tableOf(program);
  const lines = [
    '.\\" Written by `npm run docs`; do not edit.',
    '.TH SWAPFOLD 1 "" "swapfold" "User Commands"',
    '.SH NAME',
    'swapfold \\- run, replay, explain and audit atomic swaps',
    '.SH SYNOPSIS',
    '.B swapfold',
    `.RI ${quoted('[option ...]')}`,
    `.I ${quoted('command')}`,
    `.RI ${quoted('[argument ...]')}`,
    '.SH DESCRIPTION',
    text(description),
    '.SH OPTIONS',
    'Every command takes these.',
    ...options.flatMap(optionLines),
    '.SH COMMANDS',
    ...commands.flatMap(commandLines),
    '.SH EXIT STATUS',
    ...EXITS.flatMap(([status, meaning]) => ['.TP', `.B ${status}`, text(meaning)]),
    '.SH ENVIRONMENT',
    ...VARIABLES.flatMap(([name, meaning]) => ['.TP', `.B ${name}`, text(meaning)]),
  ];
  return `${lines.join('\n')}\n`;
}

const EXITS = [
  ['0', 'All is well.'],
  ['1', 'Something was found: an error, a fault of a log, a violated check, or coins at risk.'],
  ['2', 'The command line itself is wrong.'],
];

const VARIABLES = [
  ['COLUMNS', 'Columns of text that goes to a pipe or a file; 80 without it.'],
  ['NO_COLOR', 'Set to anything, no colours are shown.'],
  ['SWAPFOLD_SEED', 'Seed phrase of swapfold chain, where no file names one.'],
];

function commandLines({ name, usage, description, args, options }) {
  const told = args.filter((argument) => argument.description !== '' || argument.choices.length > 0);
  return [
    `.SS ${quoted(`swapfold ${name} ${usage.replace(`${name} `, '')}`)}`,
    text(description),
    ...told.flatMap((argument) => ['.TP', `.I ${quoted(argument.name)}`, text(withChoices(argument))]),
    ...options.flatMap(optionLines),
  ];
}

function optionLines(option) {
  return ['.TP', `.B ${quoted(option.flags)}`, text(withChoices(option))];
}

function withChoices({ description, choices, fallback = null }) {
  const one = choices.length === 0 ? '' : `One of ${choices.join(', ')}.`;
  const listed = [one, fallback === null ? '' : `Without it: ${fallback}.`].filter((part) => part !== '').join(' ');
  if (description === '') return listed;
  const sentence = `${description[0].toUpperCase()}${description.slice(1)}${/[.!?)]$/.test(description) ? '' : '.'}`;
  return listed === '' ? sentence : `${sentence} ${listed}`;
}

/** As an argument of a macro. */
function quoted(words) {
  return `"${escaped(words).replaceAll('"', '\\(dq')}"`;
}

/** As a line of text, which a full stop or an apostrophe at its start would make a request; sentences begin on lines of their own. */
function text(words) {
  const sentences = words.split(/(?<=\.) (?=[A-Z])/);
  return sentences.flatMap(broken).join('\n');
}

const LONGEST = 78;

function broken(sentence) {
  const lines = [];
  let line = '';
  for (const word of escaped(sentence).split(' ')) {
    if (line !== '' && line.length + 1 + word.length > LONGEST) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? word : ` ${word}`;
  }
  return [...lines, line].map((each) => each.replace(/^([.'])/, '\\&$1'));
}

function escaped(words) {
  return words.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('`', '\\(ga');
}
