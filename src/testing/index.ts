export {
  arbitraryEvents,
  damagedText,
  type LegalPathOptions,
  legalPath,
  type Mutation,
  mutation,
  type StoredText,
  type SwapLogOptions,
  storedText,
  swapLog,
  swapTermsOptions,
} from './arbitraries.ts';
export type {
  Incident,
  IncidentOptions,
  IncidentPart,
  IncidentPlay,
  IncidentResult,
  IncidentRule,
  IncidentRun,
  PartyEnding,
  SeenBroadcast,
} from './incidents/incident.ts';
export { incidents, runIncident, runIncidents } from './incidents/pack.ts';
export { type ChangeKind, type SingleChange, singleChanges } from './mutations.ts';
export { type ChartPath, chartEdges, countSimplePaths, LIVE_ORIGINS, STORED_ORIGINS, simplePaths } from './paths.ts';
export { composeShape, plainForm, type StoredShape, storedShapes, swapShapes, textStyles, wrappers } from './shapes.ts';
export { type BuildSwapOptions, buildSwap, buildSwapPair, type SwapPair, successPath } from './swap-builder.ts';
export { type SwapEra, type SwapTerms, type SwapTermsOptions, swapTerms } from './swap-terms.ts';
export { type SwapTransactions, swapTransactions } from './swap-transactions.ts';
export { mutateBytes, mutateText, textDamages } from './text-fuzz.ts';
export { type Rng, xorshift32 } from './xorshift.ts';
