import { For, type JSX, Show } from 'solid-js';

import { type Connection, liveMachines, nameOf } from './machines.ts';

const words: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting …',
  live: 'Live',
  lost: 'The fleet does not answer; trying again …',
  ended: 'Your session has ended: sign in again.',
};

/** Every machine, with what it says of itself; changes as they happen. */
export function MachineList(): JSX.Element {
  const { machines, connection } = liveMachines();
  return (
    <section>
      <h2>
        Machines <small>{machines().length}</small>
      </h2>
      <p class={`connection ${connection()}`} role="status">
        {words[connection()]}
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Link</th>
            <th scope="col">Stage</th>
            <th scope="col">Version</th>
            <th scope="col">Address</th>
            <th scope="col">ID</th>
          </tr>
        </thead>
        <tbody>
          <For each={machines()}>
            {(each) => (
              <tr>
                <th scope="row">{nameOf(each)}</th>
                <td class={each.machine?.connected === true ? 'up' : 'down'}>
                  {each.machine?.connected === true ? 'connected' : 'not connected'}
                </td>
                <td>
                  {each.status?.stage ?? ''}
                  <Show when={each.status?.lastError}>
                    <span class="error">{each.status?.lastError}</span>
                  </Show>
                </td>
                <td>{each.status?.osVersion ?? ''}</td>
                <td>{each.machine?.remoteAddress ?? ''}</td>
                <td>
                  <code>{each.id}</code>
                </td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
      <Show when={connection() === 'live' && machines().length === 0}>
        <p>No machine has joined yet. A join URL for an image: fleetctl jointoken machine-config</p>
      </Show>
    </section>
  );
}
