/** The text of a cgroup's file; undefined when it is absent. */
export type ReadText = (file: string) => string | undefined;

/** A limit or a protection; Infinity is the kernel's `max`. */
export type Limit = number;
