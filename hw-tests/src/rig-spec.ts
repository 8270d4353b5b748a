export type { MachineSpec as RigSpec } from '@nodecore/machine';
