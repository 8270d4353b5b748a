/** Runs jobs in their order, as many at once as there are lanes. Rejects with the first failure, after all have ended. */
export async function inLanes(lanes: number, jobs: readonly (() => Promise<void>)[]): Promise<void> {
  const waiting = [...jobs];
  const lane = async (): Promise<void> => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) await job();
  };
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const result of ended) if (result.status === 'rejected') throw result.reason;
}
