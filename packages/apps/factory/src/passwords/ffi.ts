/** crypt_rn(3) of libxcrypt. No logic here. */
import { callAsync, lazy, loadLibrary } from '@nodecore/sys';

const libcrypt = lazy(() => loadLibrary('libcrypt.so.1', { debian: 'libcrypt1', fedora: 'libxcrypt' }));
const bound = lazy(() =>
  libcrypt().func(
    'void *crypt_rn(_In_ uint8_t *phrase, const char *setting, _Inout_ uint8_t *data, int size)',
  ),
);

/** Size of `struct crypt_data` (crypt.h). Its first member is the text that the call gives. */
const sizeBytes = 32_768;

/**
 * Hashes on a pool thread, by the method, cost and salt of the setting.
 *
 * @param phrase ends with a zero byte.
 * @returns the hash, a zero byte behind it; text that begins with `*` for a setting that is none.
 */
export async function crypt(phrase: Buffer, setting: string): Promise<Buffer> {
  const data = Buffer.alloc(sizeBytes);
  await callAsync(bound(), phrase, setting, data, sizeBytes);
  return data;
}
