import { createProgram } from '../../../dist/src/cli/program.js';
import { GENERATED } from './markdown.mjs';

export function cliPage() {
  const program = createProgram({ stdout: process.stdout, stderr: process.stderr, env: {} }, {});
  const sections = program.commands.map((command) => [
    `## swapfold ${command.name()}`,
    '',
    '```text',
    helpOf(command),
    '```',
    '',
  ]);
  return ['# Command line', '', GENERATED, '', '```text', helpOf(program), '```', '', ...sections.flat()].join('\n');
}

/** The whole help with its examples, as `--help` prints it on a terminal of 100 columns. */
function helpOf(command) {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => 100,
  });
  command.outputHelp();
  return text.trimEnd();
}
