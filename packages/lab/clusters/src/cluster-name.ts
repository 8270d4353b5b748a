const nameRule = /^[a-z0-9](?:[-a-z0-9]{0,38}[a-z0-9])?$/;

/** Whether a text names a cluster, and with it a directory, a context and the beginning of host names. */
export function isClusterName(text: string): boolean {
  return nameRule.test(text);
}
