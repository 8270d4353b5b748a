const nothing: Disposable = { [Symbol.dispose]: () => {} };

/**
 * Calls `listener` once when the signal fires, and at once when it has fired already. Disposing what it returns removes
 * the listener; without that, a signal that outlives the wait keeps every listener it was ever given.
 *
 * The listener must not throw: nobody is there to catch what it throws while the signal fires.
 *
 * @param signal undefined never fires.
 * @example
 * using stopped = onAbort(signal, () => child.kill());
 * await once(child, 'exit');
 */
export function onAbort(signal: AbortSignal | undefined, listener: (reason: unknown) => void): Disposable {
  if (signal === undefined) return nothing;
  if (signal.aborted) {
    listener(signal.reason);
    return nothing;
  }
  const fire = (): void => listener(signal.reason);
  signal.addEventListener('abort', fire, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', fire) };
}
