/** What is there in every run of a test, or the test is wrong. */
export function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the test expected something here');
  return value;
}
