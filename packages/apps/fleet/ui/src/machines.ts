import { type Accessor, createSignal, onCleanup } from 'solid-js';
import { createStore, produce, reconcile } from 'solid-js/store';

/** What the page knows of a machine; a field is absent until the machine has told it. */
export type Machine = {
  readonly id: string;
  readonly machine?: { readonly connected: boolean; readonly remoteAddress: string };
  readonly status?: {
    readonly hostname?: string;
    readonly osVersion?: string;
    readonly stage?: string;
    readonly lastError?: string;
  };
};

type Told = { readonly kind: 'machine' | 'status'; readonly id: string; readonly spec: object | null };

/** How the page and the fleet are connected. */
export type Connection = 'connecting' | 'live' | 'lost' | 'ended';

/** The machines, kept as the fleet tells them for as long as the component is shown. */
export function liveMachines(): {
  readonly machines: Accessor<readonly Machine[]>;
  readonly connection: Accessor<Connection>;
} {
  const [byId, setById] = createStore<Record<string, Machine>>({});
  const [connection, setConnection] = createSignal<Connection>('connecting');
  const source = new EventSource('/api/machines');
  // Each connection begins with everything that is there.
  source.addEventListener('open', () => {
    setById(reconcile({}));
    setConnection('live');
  });
  source.addEventListener('error', () => {
    setConnection(source.readyState === EventSource.CLOSED ? 'ended' : 'lost');
  });
  source.addEventListener('message', ({ data }) => {
    const changes = JSON.parse(data as string) as readonly Told[];
    setById(
      produce((all) => {
        for (const { kind, id, spec } of changes) {
          if (spec !== null) all[id] = { ...all[id], id, [kind]: spec };
          else if (kind === 'machine') delete all[id];
        }
      }),
    );
  });
  onCleanup(() => source.close());
  const machines = (): readonly Machine[] =>
    Object.values(byId).toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return { machines, connection };
}

/** What people call a machine. */
export function nameOf({ id, status }: Machine): string {
  return status?.hostname ?? id;
}
