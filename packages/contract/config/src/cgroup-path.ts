/** Whether a text is the path of a cgroup below the root: `/system.slice/sshd.service`. */
export function isCgroupPath(text: string): boolean {
  const [first, ...parts] = text.split('/');
  return first === '' && parts.length > 0 && parts.every((part) => !/^\.{0,2}$/u.test(part));
}
