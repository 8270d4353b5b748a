/** The background process behind `npm start`. Its one argument is its options in JSON; its output is its log. */
import { supervise, type SupervisorOptions } from '../node/supervisor.ts';

const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());

await supervise(JSON.parse(process.argv[2] ?? '') as SupervisorOptions, stop.signal);
