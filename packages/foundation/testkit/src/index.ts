export { chromiumOptions, chromiumTimeoutMs } from './chromium.ts';
export { command, output, type CommandResult } from './command.ts';
export { leakedDescriptors, openDescriptors } from './descriptors.ts';
export {
  etcd,
  EtcdCluster,
  EtcdMember,
  etcdUser,
  type EtcdOptions,
  type EtcdTls,
  type EtcdTlsFiles,
} from './etcd.ts';
export { inLanes } from './lanes.ts';
export { loopDevice, type LoopDevice, type LoopDeviceOptions } from './loop-device.ts';
export { program, root, testWith, virtualNode, type Need } from './needs.ts';
export { privateNetwork, vethPair } from './private-network.ts';
export { etcdProgram, findProgram } from './program.ts';
export { softwareTpm, type SoftwareTpm, type SoftwareTpmOptions } from './software-tpm.ts';
export { subsets, type SubsetOptions } from './subsets.ts';
export { temporaryDirectory } from './temporary-directory.ts';
export { memoryFlags, type MemoryFinding, type Needle, searchMemory } from './process-memory.ts';
