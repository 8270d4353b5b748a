export { type EffectFlags, readEffects } from './chaos-flags.ts';
export { isInstaller, type KernelImage } from './boot-image.ts';
export { type ChaosChange, chaosOf, effectWords } from './chaos.ts';
export { changeClusterDisk, type ClusterDisk, disksOf } from './cluster-disks.ts';
export { mergeContext, removeContext } from './contexts.ts';
export { type ContainerFlags, readContainerRequest } from './container/request.ts';
export { chooseRuntime, type RuntimeName, runtimeNames } from './container/runtime.ts';
export { planCluster, type PlannedCluster } from './create.ts';
export { destroyCluster, type DestroyOptions } from './destroy.ts';
export { ClusterDirectory, clusterNames } from './directory.ts';
export { readDisks } from './disks.ts';
export { closAsn } from './gateway/bird-clos.ts';
export { fabric } from './gateway/bird.ts';
export type { DiskChange } from './keeper/disk-changes.ts';
export { parseBytes } from './units.ts';
export { type DevFlags, devNotes, readDevRequest } from './dev-request.ts';
export { keepCluster, machineRuns, type PowerOptions, startCluster, stopCluster } from './life.ts';
export { syncKernel } from './kernel-files.ts';
export { earlierLogs, halfPutAway } from './rotate-log.ts';
export { ClusterError, type ClusterErrorCode } from './errors.ts';
export { callKeeper, type CallKeeperOptions } from './keeper/client.ts';
export type { KeeperCall, KeptMachine } from './keeper/messages.ts';
export { endKeeper, runningKeeper, startKeeper } from './keeper/start.ts';
export { chosenNodes } from './chosen-nodes.ts';
export {
  type ClusterPlan,
  factoryOf,
  volumeSerial,
  makePlan,
  type NodeType,
  type PlannedNode,
} from './plan.ts';
export { type NodeSettings } from './node-settings.ts';
export { orchEndpointOf } from './orch-endpoint.ts';
export type { OrchSettings } from './orch-flags.ts';
export { requireOutside } from './place.ts';
export { kmsPort, logSinkPort } from './ports.ts';
export { withPossibleMachines } from './possible-machines.ts';
export { memoryNote } from './memory.ts';
export { preflightProblems } from './preflight.ts';
export { urlHost } from './url-host.ts';
export { bootPresets, isSecure, otherPresets, type Preset } from './presets.ts';
export { isClusterName } from './cluster-name.ts';
export { type ClusterFlags, type ClusterRequest, readRequest } from './request.ts';
export { isClos } from './service-flags.ts';
export { setChaos } from './set-chaos.ts';
export { type ClusterView, type ListedCluster, listClusters, type NodeView, showCluster } from './show.ts';
export { changeState, type ClusterState, type Phase, readState, type RecordedContext } from './state.ts';
export { makeSystemDisk } from './system-disk.ts';
export { wireguardAddress } from './wireguard-address.ts';
