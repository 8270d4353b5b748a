/** One announcement of the kernel. */
export type Uevent = {
  readonly action: string;
  /** The object's path below `/sys`. */
  readonly path: string;
  readonly values: ReadonlyMap<string, string>;
};

/** Parses a kobject-uevent datagram: `action@path`, then `KEY=value`, separated by NUL. Undefined when it is none. */
export function parseUevent(message: Uint8Array): Uevent | undefined {
  const [head = '', ...lines] = new TextDecoder().decode(message).split('\0');
  const at = head.indexOf('@');
  if (at < 1) return undefined;
  const values = new Map<string, string>();
  for (const line of lines) {
    const equals = line.indexOf('=');
    if (equals > 0) values.set(line.slice(0, equals), line.slice(equals + 1));
  }
  return { action: head.slice(0, at), path: head.slice(at + 1), values };
}

/** The disk that an announcement is about, also when it names a partition; undefined when it is about none. */
export function diskOfUevent({ path, values }: Uevent): string | undefined {
  if (values.get('SUBSYSTEM') !== 'block') return undefined;
  const names = path.split('/');
  return values.get('DEVTYPE') === 'partition' ? names.at(-2) : names.at(-1);
}

/** Whether a whole disk is gone. */
export function removesDisk({ action, values }: Uevent): boolean {
  return action === 'remove' && values.get('DEVTYPE') !== 'partition';
}
