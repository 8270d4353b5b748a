/** A value inside one of QEMU's option lists, which take a doubled comma for one. */
export function escapeComma(value: string): string {
  return value.replaceAll(',', ',,');
}
