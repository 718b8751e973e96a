export { type Bounds, type BoundsChanges, boundsOf, CALM, type PerLeg, TROUBLES, type Trouble } from './bounds.ts';
export { type CheckOptions, type CheckResult, type CheckViolation, type CounterexampleStep, check } from './check.ts';
export { type NamedBounds, publishedBounds, thoroughBounds } from './published.ts';
export { renderViolation } from './render.ts';
export { CHECKED_RULES, type CheckedRule } from './rules.ts';
