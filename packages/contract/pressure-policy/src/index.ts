export {
  type CgroupClass,
  cgroupClasses,
  classifier,
  type Classify,
  type ClassRule,
  defaultRules,
  defaultWholes,
} from './classes.ts';
export {
  type Choice,
  decide,
  type DecisionInput,
  type Ranked,
  type Ranking,
  type Refusal,
  type Refused,
} from './decide.ts';
export {
  type Pressure,
  type PressureKind,
  type PressureLine,
  type PressureResource,
  pressureResources,
  type ResourcePressure,
} from './pressure.ts';
export { isWithin, pathOfProcess, type Protected, protection } from './protection.ts';
export { type Candidate, candidatesOf, type CgroupReading, type Observation, perSecond } from './reading.ts';
