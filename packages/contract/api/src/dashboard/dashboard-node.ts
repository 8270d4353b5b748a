import type { Client } from '../client/connect.ts';

/** The calls that a dashboard makes: none of them changes anything. */
export type DashboardClient = Pick<
  Client,
  'version' | 'mounts' | 'get' | 'list' | 'watch' | 'dmesg' | 'pressure'
> & {
  readonly counters: Pick<Client['counters'], 'system' | 'memory' | 'loadAverage' | 'interfaces' | 'disks'>;
  readonly activity: Pick<Client['activity'], 'processes'>;
  readonly services: Pick<Client['services'], 'list'>;
};

/** A node that is shown. */
export type DashboardNode = {
  /** As the user named it. */
  readonly name: string;
  readonly client: DashboardClient;
  /** Set when the endpoint is a proxy that has to pass the calls on. */
  readonly node: string | undefined;
  /** An error in a line, without the node: it stands above. */
  readonly explain: (error: unknown) => string;
  /** What else stands under the stage of the node, as labels with texts. */
  readonly notes?: () => Notes;
};

export type Notes = readonly (readonly [label: string, text: string])[];
