import { type Forward, type MachineSpec, problems } from '@nodecore/machine';

/** The releases of Debian whose kernels the tests boot, oldest first. scripts/setup knows the same. */
export const debianReleases = ['bullseye', 'bookworm', 'trixie'] as const;
export type DebianRelease = (typeof debianReleases)[number];

/** A machine of the rig as a value: everything that distinguishes one from another. The rig says how it boots. */
export type RigSpec = Omit<MachineSpec, 'boot' | 'nics' | 'ports'> & {
  readonly forwards: readonly Forward[];
  /** Whose kernel it boots; default that of this computer's own release. Others need `scripts/setup --kernels`. */
  readonly kernel?: DebianRelease;
  /** Kernel modules to load besides those of the disks. */
  readonly modules?: readonly string[];
};

/** The serial port over which the rig and the runner inside exchange frames. */
export const runnerPort = 'rig.runner';

/** The machine that the rig has QEMU build: one card, over which the guest reaches nothing, and the runner's port. */
export function machineOf({ forwards, kernel: _kernel, modules: _modules, ...spec }: RigSpec): MachineSpec {
  return { ...spec, nics: [{ backend: { kind: 'user', forwards } }], ports: [runnerPort], boot: unknownBoot };
}

/** Each boot has a first filesystem of its own; see `rigBoot`. */
const unknownBoot = { kind: 'kernel', kernel: '', arguments: '' } as const;

/** What makes a spec impossible, in words; empty when nothing does. */
export function specProblems(spec: RigSpec): readonly string[] {
  return problems(machineOf(spec));
}
