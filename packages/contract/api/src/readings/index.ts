export { type MemoryUse, useOf } from './memory-use.ts';
export { commandOf, type Sort, sorted } from './process-order.ts';
export { type Sampled, Samples } from './process-samples.ts';
export { showResource, type ShownResource } from './shown-resource.ts';
export { type VolumeSpace, volumeSpaces, type VolumeSpaces } from './volume-spaces.ts';
