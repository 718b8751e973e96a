import { EVM_ENTRY_FIELDS } from '../../../dist/src/chains/evm/entry-fields.js';
import { ENTRY_FIELDS } from '../../../dist/src/chains/utxo/entry-fields.js';
import { GENERATED, table } from './markdown.mjs';

const BECOMES = { effect: '', none: 'No effect: ', refused: 'Refused, ' };

export function coinsFilePage() {
  return [
    '# Coins file',
    '',
    GENERATED,
    '',
    'A JSON array of objects, one a coin, as they are published for the trading framework. The first entry whose `coin` is the ticker counts. Below is every',
    'member that the framework reads for a family of coins, and what becomes of it here. A value of the wrong type is refused with the name of the member',
    '(`COIN_ENTRY_INVALID`), a coin that cannot be moved with the name of the member that says so (`COIN_UNSUPPORTED`). Members of other families of',
    'coins, and those that nobody knows, change nothing, as with the framework.',
    '',
    '## Coins of outputs',
    '',
    'Each row is shown by the test of its name in `test/src/chains/utxo/entry-fields.test.ts`.',
    '',
    fieldsTable(ENTRY_FIELDS),
    '',
    '## Coins of EVM chains and their tokens',
    '',
    'Each row is shown by the test of its name in `test/src/chains/evm/entry-fields.test.ts`.',
    '',
    fieldsTable(EVM_ENTRY_FIELDS),
    '',
  ].join('\n');
}

function fieldsTable(fields) {
  const rows = Object.entries(fields).map(([name, { becomes, what, absent }]) => [
    `\`${name}\``,
    `${BECOMES[becomes]}${what}`,
    absent,
  ]);
  return table(['member', 'effect', 'where it is absent'], rows);
}
