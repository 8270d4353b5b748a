import * as c from './ffi-mount.ts';

/** What may not be done through a mount; everything is allowed unless it is named. */
export type MountOptions = {
  readonly readOnly?: boolean;
  /** Set-user-id bits and file capabilities have no effect. */
  readonly nosuid?: boolean;
  /** Device nodes can't be opened. */
  readonly nodev?: boolean;
  readonly noexec?: boolean;
  /** Access times are not kept. */
  readonly noatime?: boolean;
};

const attributes = [
  ['readOnly', c.MOUNT_ATTR_RDONLY],
  ['nosuid', c.MOUNT_ATTR_NOSUID],
  ['nodev', c.MOUNT_ATTR_NODEV],
  ['noexec', c.MOUNT_ATTR_NOEXEC],
  ['noatime', c.MOUNT_ATTR_NOATIME],
] as const;

/** The options as the kernel's attribute bits. */
export function attributeBits(options: MountOptions): number {
  return attributes.filter(([name]) => options[name] === true).reduce((bits, [, bit]) => bits | bit, 0);
}

/** The struct mount_attr that makes a live mount have exactly these options. */
export function attributeChange(options: MountOptions): Uint8Array {
  const every = attributes.filter(([name]) => name !== 'noatime').reduce((bits, [, bit]) => bits | bit, 0);
  const struct = Buffer.alloc(32);
  struct.writeBigUInt64LE(BigInt(attributeBits(options)), 0);
  struct.writeBigUInt64LE(BigInt(every | c.MOUNT_ATTR__ATIME), 8);
  return struct;
}
