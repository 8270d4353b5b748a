import { createResource, type JSX, Show } from 'solid-js';

import { MachineList } from './machine-list.tsx';
import { closeSession, currentViewer, openSession, type Viewer } from './session.ts';

async function arrive(): Promise<Viewer | undefined> {
  await openSession();
  return await currentViewer();
}

/** The page: the machines for who is signed in, and how to sign in for who is not. */
export function App(): JSX.Element {
  const [viewer, { mutate }] = createResource(arrive);
  const leave = async (): Promise<void> => {
    await closeSession();
    mutate(undefined);
  };
  return (
    <main>
      <header>
        <h1>Fleet</h1>
        <Show when={viewer()}>
          {(who) => (
            <p>
              {who().identity} ({who().role}) <button onClick={() => void leave()}>Sign out</button>
            </p>
          )}
        </Show>
      </header>
      <Show when={!viewer.loading} fallback={<p>Loading …</p>}>
        <Show
          when={viewer()}
          fallback={
            <p>
              Sign in: run <code>fleetctl web</code> and open the link that it prints. A link works once,
              within a minute.
            </p>
          }
        >
          <MachineList />
        </Show>
      </Show>
    </main>
  );
}
