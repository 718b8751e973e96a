import type { Curve } from '../../src/curve/curve.ts';
import { compiledCurve, nativeCurve } from '../../src/curve/fastest.ts';
import { javascriptCurve } from '../../src/curve/javascript.ts';
import { assertSame, measure, type Row, type SuiteOptions } from './measure.ts';

const COUNT = 50;

/** Each library that loads here against the one in JavaScript. */
export async function* curveSuite({ rounds }: SuiteOptions): AsyncGenerator<Row> {
  const secretKey = new Uint8Array(32).fill(7);
  const hash = new Uint8Array(32).fill(9);
  const { signature } = javascriptCurve.sign({ hash, secretKey });
  const publicKey = javascriptCurve.publicKeyOf(secretKey, true);
  for (const curve of [nativeCurve(), compiledCurve()]) {
    if (curve === undefined) continue;
    const verify = ({ verify: judge }: Curve) => {
      for (let count = 0; count < COUNT; count++)
        assertSame(judge({ hash, signature, publicKey }), true, 'a signature');
      return COUNT;
    };
    const sign = ({ sign: make }: Curve) => {
      for (let count = 0; count < COUNT; count++) make({ hash, secretKey });
      return COUNT;
    };
    for (const [what, act] of Object.entries({ verify, sign })) {
      const costs = await measure({ ours: () => act(curve), reference: () => act(javascriptCurve) }, { rounds });
      const { ours, reference } = costs;
      const name = `curve: ${curve.name}, ${what}, vs ${javascriptCurve.name}`;
      yield { name, unit: 'per second', ours: 1e9 / ours, reference: 1e9 / reference, ratio: reference / ours };
    }
  }
}
