import { describe, expect, it } from 'vitest';
import { rpcParams } from '../../../../src/cli/chain/rpc-params.ts';
import { stringifyJson } from '../../../../src/primitives/json.ts';

describe('parameters on a command line', () => {
  it.each([
    ['createmultisig', ['2', '["a","b"]'], '[2,["a","b"]]'],
    ['estimatefee', ['6'], '[6]'],
    ['estimatepriority', ['6'], '[6]'],
    ['sendrawtransaction', ['00', 'true'], '["00",true]'],
    ['tokencreate', ['TOK', '0.00000100', '5'], '["TOK","0.00000100","5"]'],
    ['tokentransfer', ['1', '2', '3'], '["1","2","3"]'],
    ['sendtoaddress', ['RA', '0.10000000'], '["RA",0.10000000]'],
    ['generate', ['101'], '[101]'],
    ['getaddressutxos', ['{"addresses":["RA"]}'], '[{"addresses":["RA"]}]'],
    ['gettxout', ['1', '0', 'false'], '["1",0,false]'],
    ['toString', ['1'], '["1"]'],
  ])('of %s %j are sent as %s', (method, params, sent) => {
    expect(stringifyJson(rpcParams(method, params))).toBe(sent);
  });

  it('that must be JSON and are not are refused without quoting them', () => {
    const convert = () => rpcParams('estimatefee', ['very hidden']);
    expect(convert).toThrow('Parameter 1 of estimatefee must be JSON');
    expect(convert).not.toThrow(/hidden/);
  });
});
