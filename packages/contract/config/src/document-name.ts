/** ASCII letters, digits and hyphens. */
export function isName(name: string): boolean {
  return /^[A-Za-z0-9-]{1,253}$/u.test(name);
}
