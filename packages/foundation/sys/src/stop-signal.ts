/** Resolves at the first request to end this process; a second one ends it as it is, as a kill would. */
export function stopSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      resolve(signal);
      process.once(signal, () => process.exit(1));
    });
  }
  return promise;
}
