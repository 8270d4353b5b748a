export { type Caller } from './access/caller.ts';
export { type FleetConfiguration } from './configuration.ts';
export { FleetError, type FleetErrorCode } from './errors.ts';
export { type Feature, type FeatureLife, type Fleet } from './feature.ts';
export { type FleetOptions, type RunningFleet, startFleet } from './fleet.ts';
