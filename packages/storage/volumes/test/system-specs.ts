import { encryption, type Mounted, userSpec } from './specs.ts';

const mebibyte = 1n << 20n;
const typeGuid = '0FC63DAF-8483-4772-8E79-3D69D8477DE4';

/** What `fromConfiguration` makes of a machine with a system disk, in short. */
export function systemSpecs(): readonly Mounted[] {
  const stateSize = { kind: 'bytes', bytes: 100n * mebibyte, negative: false, text: '100MiB' } as const;
  return [
    {
      ...userSpec('state', 'false'),
      id: 'STATE',
      kind: 'system',
      disks: 'system-disk',
      partition: { typeGuid, minSize: 100n * mebibyte, maxSize: stateSize, grow: false },
      filesystem: { type: 'xfs', label: 'STATE', projectQuotaSupport: false },
      mount: { ...userSpec('state', 'false').mount, target: '/system/state' },
      recorded: false,
    },
    {
      ...userSpec('ephemeral', 'false'),
      id: 'EPHEMERAL',
      kind: 'system',
      disks: 'system-disk',
      partition: { typeGuid, minSize: 2048n * mebibyte, grow: true },
      filesystem: { type: 'xfs', label: 'EPHEMERAL', projectQuotaSupport: false },
      encryption: encryption(),
      mount: { ...userSpec('ephemeral', 'false').mount, target: '/var' },
      after: ['STATE'],
      recorded: false,
    },
  ];
}

/** Below /var, as on a machine that is ours. */
export function onEphemeral(spec: Mounted): Mounted {
  return { ...spec, mount: { ...spec.mount, parent: 'EPHEMERAL' } };
}
