import type * as X509 from '@peculiar/x509';

/**
 * Loads the certificate library at first use: it takes longer to load than most commands run. It needs the reflection
 * polyfill in place before.
 */
export async function x509(): Promise<typeof X509> {
  await import('reflect-metadata');
  return await import('@peculiar/x509');
}

/** RFC 8410. */
export const algorithm = { name: 'Ed25519' } as const;
