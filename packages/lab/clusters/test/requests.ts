import type { ClusterFlags } from '../src/index.ts';

/** What `osctl cluster create vm --presets disk-image` means. */
export const usualFlags: ClusterFlags = {
  name: 'example',
  cidr: '10.5.0.0/24',
  controlplanes: '1',
  workers: '1',
  cpusControlplanes: '2.0',
  cpusWorkers: '1/2',
  memoryControlplanes: '2.0GiB',
  memoryWorkers: '768MiB',
  disks: ['virtio:10GiB', 'virtio:6GiB'],
  presets: ['disk-image'],
  schematicId: 'a'.repeat(64),
  osVersion: 'v1.14.0-alpha.0',
  imageFactoryUrl: 'http://127.0.0.1:8081',
};
