import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hwErrorTexts } from '../../../machines/activation/task/errors.ts';
import { redactCredentials, redactText } from '../../../src/primitives/redact-text.ts';
import { holdsSecret } from '../../../src/primitives/secret-spellings.ts';
import { piecesOf, SPELLINGS } from '../../support/quoted-secrets.ts';

const SECRET = '8f3a1c9e77d2b4056e1f9a0c3d5b7e8812f4a6c9d0e3b57a6c8d9e0f1a2b3c4d';
const secrets = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('hex'))
  .filter((hex) => new Set(hex.match(/../g)).size > 20 && !hex.startsWith('00'));

describe('Z2: 32 bytes that nobody knows', () => {
  for (const [name, spell] of Object.entries(SPELLINGS)) {
    it(`are not shown as ${name}`, () => {
      fc.assert(
        fc.property(secrets, (secret) => {
          const spelled = spell(secret);
          const shown = redactText(`the node said: ${spelled} (code 7)`);
          const common = spell('17'.repeat(32));
          for (const piece of piecesOf(spelled).filter((one) => !common.includes(one)))
            expect(shown).not.toContain(piece);
          expect(holdsSecret(shown, [secret])).toBe(false);
          expect(shown.startsWith('the node said: ')).toBe(true);
        }),
        { numRuns: 40 },
      );
    });
  }

  it('are not shown if many of them are 0, which makes base64 look like words', () => {
    const zeros = [
      '01000000000000000000000607000809000a05600b0c0d0e030f100402111213',
      '01000000000000007e0004003e024000000500030607e008090a410b0c0d0e0f',
    ];
    for (const secret of zeros) {
      for (const [name, spell] of Object.entries(SPELLINGS)) {
        const spelled = spell(secret);
        const common = spell('00'.repeat(32));
        const shown = redactText(`the node said: ${spelled} (code 7)`);
        for (const piece of piecesOf(spelled).filter((one) => !common.includes(one)))
          expect(shown, name).not.toContain(piece);
      }
    }
  });

  it('are not shown as the key of a wallet, or as the words of one', () => {
    const quoted = [
      'L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY1',
      '5KYZdUEo39z3FPrtuX2QbbwGnNP5zTd7yyr2SC1j299sBCnWjss',
      'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
      'zoo zone zero youth young yellow year wrong wrist write wreck worth',
      '1. zoo 2. zone 3. zero 4. youth 5. young 6. yellow 7. year 8. wrong 9. wrist 10. write 11. wreck 12. worth',
      '-----BEGIN PRIVATE KEY-----\nMIG\nHAg\n-----END PRIVATE KEY-----',
    ];
    for (const text of quoted) {
      const shown = redactText(`cannot sign with ${text}`);
      for (const piece of piecesOf(text)) expect(shown).not.toContain(piece);
      expect(shown).toContain('cannot sign with [redacted]');
    }
  });
});

describe('Z1: what opens a node', () => {
  const shown: Readonly<Record<string, string>> = {
    'rpcuser:hunter2@127.0.0.1:8332 refused': '[redacted]@127.0.0.1:8332 refused',
    'http://user:pa/ss@host:8332/ no': 'http://[redacted]@host:8332/ no',
    'http://user:p@ss#w@rd@host:8332': 'http://[redacted]@host:8332',
    'wss://u:p@h.example/v3/0a1b2c?k=1 closed': 'wss://[redacted]@h.example/[redacted] closed',
    'rpcpassword=hunter2 in node.conf': 'rpcpassword=[redacted] in node.conf',
    'rpcuser=alice&rpcpassword=hunter2': 'rpcuser=[redacted]&rpcpassword=[redacted]',
    '{"userpass":"hun\\"ter 2","method":"x"}': '{"userpass":[redacted],"method":"x"}',
    "{'password': 'hunter 2'}": "{'password': [redacted]}",
    'passphrase: correct horse battery': 'passphrase: [redacted]',
    'the password is hunter2, they said': 'the password is [redacted], they said',
    'wrong password hunter2, retry': 'wrong password [redacted], retry',
    'Authorization: Basic dXNlcjpwYXNz': 'Authorization: [redacted]',
    '"authorization": "Bearer abc", "x": 1': '"authorization: [redacted]',
    'sent Bearer abc.def to it': 'sent Bearer [redacted] to it',
    'Cookie: session=1; other=2': 'Cookie: [redacted]',
    'X-Api-Key: 0a1b': 'X-Api-Key: [redacted]',
    'api_key=0a1b, retry': 'api_key=[redacted], retry',
  };
  for (const [text, cleaned] of Object.entries(shown)) {
    it(`${text} is shown as ${cleaned}`, () => {
      expect(redactText(text)).toBe(cleaned);
      expect(redactCredentials(text)).toBe(cleaned);
    });
  }
});

const REMARKS = [
  'passphrase is invalid',
  'the passphrase is not set.',
  'seed phrase is missing',
  'token is paused by its owner',
  'api key is missing',
  'the token: TokenRefused',
  'token is invalid: TransferPaused',
  'the secret is not known',
  'the secret does not match its hash',
  'the secret does not match the terms',
  'the bytes are not a signed preimage, or the secret differs',
  'the secret is hidden or absent',
  'the password is wrong, or the user is unknown',
  'The token and the coin have different decimals. contract: 0x17, token decimals: 6, coin decimals: 8',
  ...Object.values(hwErrorTexts),
];

describe('Z1: what a sentence says of a secret without revealing it', () => {
  it('stays', () => {
    for (const text of REMARKS) {
      expect(redactCredentials(text)).toBe(text);
      expect(redactText(text)).toBe(text);
    }
  });

  it('does not let a secret through, wherever it appears', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!$%&*+-_#';
    const random = fc.string({ unit: fc.constantFrom(...letters), minLength: 6, maxLength: 20 });
    const words = ['a', 'no', 'not', 'the', 'none', 'wrong', 'set', 'known', 'pin', 'token'];
    const marks = ['&', '-', '_', '+', '#', '$', ',', ')'];
    const begun = fc.tuple(fc.constantFrom(...words), fc.constantFrom(...marks), random).map((parts) => parts.join(''));
    const drawn = fc.oneof(random, begun).filter((text) => /^[A-Za-z0-9]/.test(text) && /\d/.test(text));
    const names = [
      'password',
      'passphrase',
      'Pin',
      'token',
      'api key',
      'secret',
      'rpcpassword',
      'mnemonic',
      'the token',
    ];
    const told = [
      ...[' is ', ' is not ', ' is the ', ' is wrong: ', ' is invalid: ', ' is unknown:', '" is '],
      ...[': ', ':', '=', ' -> ', ' is "', ': "'],
    ];
    const before = ['', 'the node said: ', 'token is paused, ', 'passphrase is invalid\n', 'RPC failed, '];
    const after = ['', ', retry', ' is wrong', '\nthe secret is not known'];
    const place = fc.tuple(...[before, names, told, after].map((texts) => fc.constantFrom(...texts)));
    fc.assert(
      fc.property(drawn, place, (secret, [start = '', name = '', how = '', end = '']) => {
        const text = `${start}${name}${how}${secret}${end}`;
        expect(redactText(text)).not.toContain(secret);
        expect(redactCredentials(text)).not.toContain(secret);
      }),
      { numRuns: 1000 },
    );
  });

  it('treats an ampersand, a comma or a bracket inside it as a part of it', () => {
    const secrets = [
      'A&S3chIU%c3zqm5z_T',
      'no&8WuzzY&2wq',
      'set,0WuzzY2wq',
      'wrong:8WuzzY',
      'paused)4WuzzY',
      'a.4;b}5]c',
    ];
    for (const secret of secrets)
      for (const how of [' is', ' is not', ' is the', '" is'])
        expect(redactCredentials(`the password${how} ${secret}, retry`)).toMatch(
          /^the password"? is [a-z ]*(wrong: )?\[redacted\], retry$/,
        );
    expect(redactCredentials('password: hunter&2, retry')).toBe('password: [redacted], retry');
    expect(redactCredentials('password=hunter&user=x')).toBe('password=[redacted]&user=x');
  });

  it('does not let the words of a phrase through behind it', () => {
    const words = 'zoo zone zero';
    for (const how of ['is wrong', 'is invalid:', 'is not', 'is', ':', 'is missing,']) {
      expect(redactText(`the passphrase ${how} ${words}`)).not.toContain('zoo');
      expect(redactText(`seed phrase ${how} ${words}`)).not.toContain('zone');
    }
  });
});

describe('what a fault is about', () => {
  it('is still shown', () => {
    const texts = [
      'bad-txns-inputs-missingorspent (code 25)',
      'non-mandatory-script-verify-flag (Script failed an OP_EQUALVERIFY operation)',
      'insufficient funds: needed 12.34567891 DOC, have 0.00000001',
      'min relay fee not met, 200 < 1000',
      'connect ECONNREFUSED 127.0.0.1:8332',
      'the asked nodes contradict one another: 3 of 5 at height 1234567, 2026-11-22T17:01:00.000Z',
      'cannot send now because the wallet has too few coins left over',
      'TakerPaymentSpendFailed at electrum1.example.org:50002',
      'nonce too low: 17, gas 21000, balance 123456789012345678901 wei',
      'secret_hash of another length',
      'bad added fee decade face',
      '',
    ];
    for (const text of texts) expect(redactText(text)).toBe(text);
  });

  it('Z5: keeps the known ids, and no other beside them', () => {
    const [id, uuid, other] = ['ab12'.repeat(16), '3447b727-fe93-4357-8e5a-8cf2699b7e86', 'cd34'.repeat(16)];
    const known = new Set([id, uuid.replaceAll('-', '')]);
    const isId = (digits: string) => known.has(digits);
    expect(redactText(`input ${id}:1 of swap ${uuid} added, 0x${id.toUpperCase()}`, { isId })).toBe(
      `input ${id}:1 of swap ${uuid} added, 0x${id.toUpperCase()}`,
    );
    expect(redactText(`${id} conflicts with ${other}`, { isId })).toBe(`${id} conflicts with [redacted]`);
    expect(redactText(`${id}${other.slice(0, 16)}`, { isId })).toBe('[redacted]');
    expect(redactText(`${SECRET.slice(0, 32)} ${id} ${SECRET.slice(32)}`, { isId })).toBe('[redacted]');
  });

  it('does not come from characters that stand for nothing', () => {
    const isId = () => true;
    expect(redactText('\ue000 \uf8ff', { isId })).toBe('? ?');
  });
});

describe('Z3: a text that still holds what is known', () => {
  it('is not shown at all', () => {
    expect(redactText('all is well', { holds: (text) => text.includes('well') })).toBe('[redacted]');
    expect(redactText('all is well', { holds: () => false })).toBe('all is well');
  });

  it('is found in pieces that are each too short to be anything', () => {
    const pieces = (SECRET.match(/.{6}/g) ?? []).join(' and not ');
    expect(holdsSecret(`the node said ${SECRET.match(/.{4}/g)?.join('|')}`, [SECRET])).toBe(true);
    expect(holdsSecret(pieces, [SECRET])).toBe(false);
    expect(holdsSecret(`${SECRET.match(/.{6}/g)?.join('\n\t ')}`, [SECRET])).toBe(true);
    expect(holdsSecret('nothing', [])).toBe(false);
  });

  for (const [name, spell] of Object.entries(SPELLINGS)) {
    it(`is found as ${name}`, () => {
      const found = holdsSecret(`a text with ${spell(SECRET)} in it`, [SECRET]);
      // What is encoded twice is left to the rule for whatever could carry it.
      expect(found).toBe(name !== 'base64 of the hex');
      expect(holdsSecret(`a text with ${spell(SECRET)} in it`, ['17'.repeat(32)])).toBe(false);
    });
  }
});

describe('a long text', () => {
  it('is cut before the run in which its length ends, so that no half of a secret is left', () => {
    const text = `${'so it is '.repeat(10)}${SECRET.slice(0, 20)}`;
    expect(redactText(text, { most: 100 })).toBe('so it is '.repeat(10));
    expect(redactText('x'.repeat(50), { most: 10 })).toBe('');
    expect(redactText('ab cd', { most: 5 })).toBe('ab cd');
  });

  it('costs a few looks at each of its characters, whatever it holds', () => {
    const texts = [
      'a',
      '@',
      ' ',
      'ab ',
      '1,',
      '"',
      '\\',
      'http://',
      '0x',
      'basic ',
      'password="',
      'x-',
      'a-',
      '-----BEGIN',
      'seed:',
    ];
    for (const part of texts) {
      const most = 10_000;
      const text = part.repeat(Math.ceil(most / part.length)).slice(0, most);
      expect(redactText(text, { most: 10 ** 6 }).length).toBeLessThanOrEqual(6 * most);
    }
  });
});
