import * as pki from '@nodecore/pki';

export type Authority = Awaited<ReturnType<typeof pki.createCA>>;

/** A new authority of a machine; one per test file is enough. */
export function authority(): Promise<Authority> {
  return pki.createCA('nodecore');
}

/** By it the control planes of tests know their workers. */
export const machineToken = 'abcdef.0123456789abcdef';

/** A root document with this authority; a worker has no key of it. */
export function rootDocument(
  ca: Authority,
  { type = 'controlplane', name }: { readonly type?: string; readonly name?: string } = {},
): string {
  return [
    'version: v1alpha1',
    'machine:',
    `  type: ${type}`,
    ...(name === undefined ? [] : [`  certSANs: [${name}]`]),
    '  ca:',
    `    crt: ${Buffer.from(ca.crt).toString('base64')}`,
    ...(type === 'worker'
      ? [`  token: ${machineToken}`, 'cluster: {controlPlane: {endpoint: "https://127.0.0.1:6443"}}']
      : [`    key: ${ca.key.bytes.toString('base64')}`]),
    '',
  ].join('\n');
}

export type VolumeDocument = {
  readonly name: string;
  readonly match?: string;
  readonly type?: 'partition' | 'disk';
  readonly filesystem?: 'xfs' | 'ext4';
  readonly passphrase?: string;
  readonly minSize?: string;
};

export function volumeDocument(options: VolumeDocument): string {
  const { name, match = 'disk.size > 0u', type = 'partition', filesystem = 'ext4', passphrase } = options;
  return [
    '---',
    'apiVersion: v1alpha1',
    'kind: UserVolumeConfig',
    `name: ${name}`,
    `volumeType: ${type}`,
    'provisioning:',
    `  diskSelector: {match: '${match}'}`,
    ...(type === 'partition' ? [`  minSize: ${options.minSize ?? '100MiB'}`] : []),
    `filesystem: {type: ${filesystem}}`,
    ...(passphrase === undefined
      ? []
      : [
          'encryption:',
          '  provider: luks2',
          '  keys:',
          `    - {slot: 0, static: {passphrase: ${passphrase}}}`,
        ]),
    '',
  ].join('\n');
}
