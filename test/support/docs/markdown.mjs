/** A Markdown table. */
export function table(head, rows) {
  const cell = (value) => String(value).replaceAll('|', '\\|').replaceAll('\n', ' ');
  const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export const GENERATED = '<!-- Written by `npm run docs`; do not edit. -->';
