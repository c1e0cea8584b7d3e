import { afterAll, expect, test } from '@jest/globals';
import type { Contract } from '../../../api/contract/define-contracts.ts';
import { contracts } from '../../../api/resources.ts';
import { allPages } from '../../../dashboard/app.ts';
import { inHours } from '../../support/clinic.ts';
import { goodRequestFor, pathTo } from '../../support/good-requests.ts';
import { twoFullClinics } from './full-clinic.ts';
import { losePredicates } from './lost-predicates.ts';

const { dashboard, own, other, stop } = await twoFullClinics();
const visitor = await dashboard.person('ana');
afterAll(() => stop());

interface Read {
  name: string;
  /** What it is asked with, and may answer with. */
  said: string;
  ask: () => Promise<{ status: number; text: string }>;
}

const LONG = { from: inHours(-48).toISOString(), to: inHours(72).toISOString() };

/** Every question that the API answers and every page, each of all that the clinic has. */
function reads(): Read[] {
  const routes = Object.entries<Contract>(contracts)
    .filter(([, { access, method, isQuery }]) => access !== 'public' && (method === 'GET' || isQuery))
    .flatMap(([id, contract]) => {
      const asked = goodRequestFor(contract, own);
      const request = contract.path === '/v1/availability' ? { query: { ...asked.query, ...LONG } } : asked;
      return namedBy(contract.path).map((named) => ({
        name: `${id} ${named}`,
        said: named,
        ask: () => own.client.send(contract.method, pathTo(contract, named), request),
      }));
    });
  const pages = allPages(dashboard.dependencies)
    // A recording is not a page: it leads to the API.
    .filter(({ method, may, path }) => method === 'GET' && may !== 'support' && !path.endsWith('/recording'))
    .flatMap(({ path }) =>
      namedBy(path).map((named) => ({
        name: `${path} ${named}`,
        said: named,
        ask: () => visitor.get(path.replaceAll(/:\w+/g, named)),
      })),
    );
  return [...routes, ...pages, { name: 'a patient by name', said: other.mark, ask: askForPatient }];
}

async function askForPatient() {
  await visitor.get('/patients');
  return visitor.submit('/patients', { asked: other.mark });
}

/** What can stand in a path: something of one’s own, and something of the other clinic. */
function namedBy(path: string): string[] {
  if (!/[:{]/.test(path)) return [''];
  return [...Object.values(own.ids), ...Object.values(other.ids)];
}

/** What they answer, and which of them tell of the other clinic; what was asked is not told. */
async function answers() {
  const [statuses, telling] = [new Map<string, number>(), new Array<string>()];
  const things = [other.mark, ...Object.values(other.ids)];
  for (const { name, said, ask } of reads()) {
    const { status, text } = await ask();
    statuses.set(name, status);
    if (things.some((thing) => !said.includes(thing) && text.includes(thing))) telling.push(name);
  }
  return { statuses, telling };
}

test('with the conditions that name the clinic lost, no question and no page shows anything of another', async () => {
  const usual = await answers();
  using forgetful = losePredicates();
  expect(await answers()).toEqual({ statuses: usual.statuses, telling: [] });
  expect(forgetful.lost().size).toBeGreaterThan(60);
});

test('without the walls many would', async () => {
  await takeWallsDown();
  expect((await answers()).telling).toEqual([]);
  using _ = losePredicates();
  expect((await answers()).telling.length).toBeGreaterThan(15);
});

async function takeWallsDown(): Promise<void> {
  const em = dashboard.database.em();
  const rows = await em.execute<{ name: string }[]>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relrowsecurity`,
  );
  for (const { name } of rows) await em.execute(`ALTER TABLE ${name} DISABLE ROW LEVEL SECURITY`);
}
