/** The two spellings of each way that the link of other systems has; here there is one link, in TLS. */
const linkWords = ['true', 'wireguard', 'wireguard+tls', 'tunnel', 'grpc-tunnel', 'grpc-tunnel+tls'] as const;

/** What is wrong with `--with-linkagent` goes to `problems`. @param fleet what is at the other end of the link */
export function checkLinkAgent(
  text: string | undefined,
  fleet: string | undefined,
  problems: string[],
): void {
  if (text === undefined) return;
  const flag = `--with-linkagent ${text}`;
  if (!linkWords.some((word) => word === text)) problems.push(`${flag}: none of ${linkWords.join(', ')}`);
  else if (fleet === undefined)
    problems.push(`${flag}: give --fleet-api-endpoint, as a fleet manager is the other end of the link`);
}
