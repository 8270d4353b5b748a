/** Kinds of the interface that this version knows and does not serve: named in problems instead of called unknown. */
export const kindsNotOffered: ReadonlySet<string> = new Set([
  'LVMVolumeGroupConfig',
  'LVMLogicalVolumeConfig',
  'RAIDArrayConfig',
]);

/** Fields of the interface that this version knows and does not serve. */
export const fieldsNotOffered: ReadonlySet<string> = new Set(['scrub']);
