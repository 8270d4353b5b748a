/** The end of a switch that names every case: the compiler proves that it is never reached. */
export function exhausted(value: never): never {
  throw new TypeError(`not among the cases: ${JSON.stringify(value)}`);
}
