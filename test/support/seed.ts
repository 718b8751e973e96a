import fc from 'fast-check';

// Where a run has to be the same each time (`npm run verify`), all properties draw from one seed; else each run draws anew.
const seed = process.env['SWAPFOLD_SEED'];
if (seed !== undefined && seed !== '') {
  if (!/^-?\d{1,9}$/.test(seed))
    throw new Error(`SWAPFOLD_SEED has to be a whole number of at most nine digits, not ${seed}.`);
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
}
