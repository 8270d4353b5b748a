export { act } from './act/index.ts';
export { HeldCgroup } from './act/held-cgroup.ts';
export { type KillOptions } from './act/kill.ts';
export { type Limited } from './act/limit.ts';
export { type Member } from './act/members.ts';
export { type Reclaimed } from './act/reclaim.ts';
export { type ActOptions } from './act/until.ts';
export { cellState, type CellColumn, type Cells, type CellState, type Column } from './columns.ts';
export { countersOf, rateFiles } from './counters.ts';
export { CgroupError, type CgroupErrorCode } from './errors.ts';
export { type CoreFiles } from './files/core-files.ts';
export { type CpuFiles, type CpuMax } from './files/cpu-files.ts';
export { type CpusetFiles } from './files/cpuset-files.ts';
export { type Flat, type Nested, type Range } from './files/format.ts';
export { type IoFiles } from './files/io-files.ts';
export { type MemoryFiles, type SwapFiles, type ZswapFiles } from './files/memory-files.ts';
export {
  type HugetlbFiles,
  type MiscFiles,
  type PidsFiles,
  type RdmaFiles,
} from './files/small-controllers.ts';
export { type Limit } from './files/text.ts';
export { findHierarchy, type FindHierarchyOptions, type Hierarchy } from './hierarchy.ts';
export { containerNames, type ContainerDirectory } from './names/containers.ts';
export { firstOf, type CgroupName, type NameResolver } from './names/resolver.ts';
export { systemdUnits } from './names/systemd.ts';
export { CgroupNode } from './node.ts';
export { isSame, observe } from './observe.ts';
export { pressure } from './pressure/index.ts';
export { type PressureCondition } from './pressure/condition.ts';
export { parsePressure } from './pressure/reading.ts';
export {
  pressureResources,
  type Pressure,
  type PressureKind,
  type PressureLine,
  type PressureResource,
  type ResourcePressure,
} from '@nodecore/pressure-policy';
export { type PressureTarget } from './pressure/target.ts';
export { type PressureAlert, PressureWatch, type WatchPressureOptions } from './pressure/watch.ts';
export { rate, ratesBetween, type NodeRates, type Rate } from './rates.ts';
export { readTree } from './read-tree.ts';
export { CgroupReader, type OpenOptions, type ReadOptions } from './reader.ts';
export { type CgroupTree, type GoneCgroup } from './tree.ts';
export { watchCgroups as watch, type CgroupChanges, type SeenCgroup, type WatchOptions } from './watch.ts';
