import type * as OpenPGP from 'openpgp';

/** OpenPGP, loaded at first use: that takes longer than most commands run. */
export async function openpgp(): Promise<typeof OpenPGP> {
  return await import('openpgp');
}
