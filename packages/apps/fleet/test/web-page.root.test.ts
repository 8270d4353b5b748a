import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { machines, machineStatuses } from '@nodecore/fleet-api';
import type { Kind, State } from '@nodecore/state';
import { chromiumOptions, chromiumTimeoutMs, program, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';
import { chromium, type BrowserContext } from 'playwright-core';

import type { Feature } from '../src/feature.ts';
import { features } from '../src/features.ts';
import type { RunningFleet } from '../src/fleet.ts';
import { adminOf } from './admin.ts';
import { fleetOf } from './scene.ts';

const screenshots = fileURLToPath(new URL('../../../../.cache/screenshots/', import.meta.url));
const kindOf = ({ type, defaultNamespace: namespace }: typeof machines): Kind => ({ namespace, type });
const machine = { connected: true, remoteAddress: '10.0.0.5', changedAt: '2026-05-01T12:00:00Z' };

/** A browser without anything of its user, that talks to nobody else. */
async function browserOf(t: ExecutionContext, policyErrors: string[]): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(await temporaryDirectory(t), {
    ...chromiumOptions,
    ignoreHTTPSErrors: true,
  });
  t.teardown(async () => await context.close());
  context.setDefaultTimeout(chromiumTimeoutMs);
  context.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) policyErrors.push(message.text());
  });
  return context;
}

testWith(program('chromium'))(
  'the page shows the machines to who is signed in, as they change',
  async (t) => {
    let state: State | undefined;
    const peek: Feature = {
      name: 'peek',
      definitions: [],
      make: (fleet) => {
        ({ state } = fleet);
        return {};
      },
    };
    const { fleet, admin } = await adminOf(t, (options): Promise<RunningFleet> =>
      fleetOf(t, { ...options, features: [...features, peek] }),
    );
    const origin = `https://127.0.0.1:${fleet.address.port}`;
    const policyErrors: string[] = [];
    const context = await browserOf(t, policyErrors);
    const page = context.pages()[0] ?? (await context.newPage());

    await page.goto(origin);
    await page.getByText('fleetctl web').waitFor();
    const login = new URL(await admin.createWebLogin());
    await state!.create({ ...kindOf(machines), id: 'one' }, machine);
    await page.goto(`${origin}${login.pathname}${login.hash}`);
    await page.getByRole('row', { name: /one connected/u }).waitFor();
    t.false(page.url().includes(login.hash.slice(1)));

    await state!.create({ ...kindOf(machines), id: 'two' }, { ...machine, connected: false });
    await state!.create(
      { ...kindOf(machineStatuses), id: 'two' },
      { connected: false, hostname: 'rack-7', stage: 'maintenance', osVersion: '1.14.0-alpha.0' },
    );
    await page.getByRole('row', { name: /rack-7 not connected maintenance 1\.14\.0-alpha\.0/u }).waitFor();
    await mkdir(screenshots, { recursive: true });
    await page.screenshot({ path: join(screenshots, 'fleet.png') });

    await state!.destroy({ ...kindOf(machines), id: 'one' });
    await page.getByRole('row', { name: /one connected/u }).waitFor({ state: 'detached' });

    // The link is worth nothing a second time, also in another browser.
    const again = await page.request.post(`${origin}/api/session`, {
      data: { login: login.hash.slice(1) },
      headers: { 'content-type': 'application/json' },
    });
    t.is(again.status(), 401);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('fleetctl web').waitFor();
    t.is((await page.request.get(`${origin}/api/machines`)).status(), 401);
    t.deepEqual(policyErrors, []);
  },
);
