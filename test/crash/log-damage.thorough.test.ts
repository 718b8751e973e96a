import { describeDamage } from './damage-cases.ts';

const every = process.env['SWAPFOLD_CRASH'] === 'all';

describeDamage(every ? { times: 1000, walTimes: 200 } : { times: 400, walTimes: 100 });
