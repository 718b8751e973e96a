import { EVM_ENTRY_FIELDS } from '../../../dist/src/chains/evm/entry-fields.js';
import { ENTRY_FIELDS } from '../../../dist/src/chains/utxo/entry-fields.js';
import { GENERATED, table } from './markdown.mjs';

const BECOMES = { effect: '', none: 'No effect: ', refused: 'Refused ' };

export function coinsFilePage() {
  return [
    '# Coins file',
    '',
    GENERATED,
    '',
    'A coins file is a JSON array with one object per coin, as published for the trading framework. The first',
    'entry whose `coin` is the ticker counts. The tables list every member that the framework reads for a',
    'family of coins, and its effect here. The node refuses a value of the wrong type and names the member',
    '(`COIN_ENTRY_INVALID`). It refuses a coin that it cannot move and names the member that says so',
    '(`COIN_UNSUPPORTED`). Members of other coin families, and unknown members, have no effect, as in the',
    'framework.',
    '',
    '## UTXO coins',
    '',
    'For each row, `test/src/chains/utxo/entry-fields.test.ts` has a test of that name.',
    '',
    fieldsTable(ENTRY_FIELDS),
    '',
    '## Coins of EVM chains and their tokens',
    '',
    'For each row, `test/src/chains/evm/entry-fields.test.ts` has a test of that name.',
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
  return table(['member', 'effect', 'if absent'], rows);
}
