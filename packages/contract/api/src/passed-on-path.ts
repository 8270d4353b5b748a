/** In front of the path of a method whose calls are for other nodes. */
const prefix = '/passed-on';

/** The path of calls of a method that are for another node than the endpoint, which `node` in their metadata names. */
export function passedOnPath(path: string): string {
  return prefix + path;
}

/** Whether a path is that of calls for other nodes. */
export function isPassedOn(path: string): boolean {
  return path.startsWith(`${prefix}/`);
}

/** The method of a call, for whichever node it is. */
export function methodPath(path: string): string {
  return isPassedOn(path) ? path.slice(prefix.length) : path;
}
