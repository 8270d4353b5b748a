/** Who looks at the page. */
export type Viewer = { readonly identity: string; readonly role: string };

/** Opens a session with the login in the address, which works once, and takes it out of the address. */
export async function openSession(): Promise<void> {
  const login = location.hash.slice(1);
  if (location.pathname !== '/login' || login === '') return;
  history.replaceState(null, '', '/');
  const headers = { 'content-type': 'application/json' };
  await fetch('/api/session', { method: 'POST', headers, body: JSON.stringify({ login }) });
}

/** Undefined when nobody is signed in. */
export async function currentViewer(): Promise<Viewer | undefined> {
  const response = await fetch('/api/session');
  return response.ok ? ((await response.json()) as Viewer) : undefined;
}

/** Ends the session. */
export async function closeSession(): Promise<void> {
  await fetch('/api/session', { method: 'DELETE' });
}
