/** Milliseconds until work has a body, and all of it is read, or its first byte. */
export async function timeOf(
  work: () => Promise<ReadableStream<Uint8Array>>,
  part: 'all' | 'first',
): Promise<number> {
  const started = performance.now();
  const reader = (await work()).getReader();
  for (;;) {
    const { done } = await reader.read();
    if (done || part === 'first') break;
  }
  const milliseconds = performance.now() - started;
  await reader.cancel();
  return milliseconds;
}
