/** liblzma, lzma/container.h. No logic here. */
import { callAsync, lazy, loadLibrary } from '@nodecore/sys';

const library = lazy(() => loadLibrary('liblzma.so.5', { debian: 'liblzma5', fedora: 'xz-libs' }));
const bound = lazy(() => ({
  encode: library().func(
    'int lzma_easy_buffer_encode(uint32_t preset, int check, void *allocator, _In_ uint8_t *in, size_t in_size, _Inout_ uint8_t *out, _Inout_ size_t *out_pos, size_t out_size)',
  ),
  room: library().func('size_t lzma_stream_buffer_bound(size_t uncompressed_size)'),
  version: library().func('str lzma_version_string(void)'),
}));

/** The most bytes that a stream of so many bytes has. */
export function lzmaRoom(sizeBytes: number): number {
  return Number(bound().room(sizeBytes));
}

/** As `5.4.1`. */
export function lzmaVersion(): string {
  return bound().version() as string;
}

/**
 * One stream of the bytes, on a pool thread.
 *
 * @returns `lzma_ret`, 0 for success, and how much of `out` it has written.
 */
export async function lzmaEncode(
  preset: number,
  check: number,
  bytes: Uint8Array,
  out: Uint8Array,
): Promise<{ readonly result: number; readonly size: number }> {
  const position = new BigUint64Array(1);
  const result = await callAsync(
    bound().encode,
    preset,
    check,
    null,
    bytes,
    bytes.length,
    out,
    position,
    out.length,
  );
  return { result: Number(result), size: Number(position[0]) };
}
