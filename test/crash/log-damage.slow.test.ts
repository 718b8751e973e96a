import { describeDamage } from './damage-cases.ts';

describeDamage({ times: 1000, walTimes: 200 });
