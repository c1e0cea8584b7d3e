import { afterAll, expect, test } from '@jest/globals';
import type { Contract } from '../../../api/contract/define-contracts.ts';
import { contracts } from '../../../api/resources.ts';
import { allPages } from '../../../dashboard/app.ts';
import { inHours } from '../../support/clinic.ts';
import { goodRequestFor, pathTo } from '../../support/good-requests.ts';
import { twoFullClinics, type FullClinic } from './full-clinic.ts';
import { losePredicates } from './lost-predicates.ts';

const { dashboard, own, other, stop } = await twoFullClinics();
const visitor = await dashboard.person('ana');
afterAll(() => stop());

interface Read {
  /** What is read: an operation or a page. */
  what: string;
  /** In the path, and so possibly in the answer too; '' when the path names nothing. */
  named: string;
  ask: () => Promise<{ status: number; text: string }>;
}

const LONG = { from: inHours(-48).toISOString(), to: inHours(72).toISOString() };

/** Every question that the API answers and every page, each about everything that this clinic has. */
function readsAbout({ ids, mark }: FullClinic): Read[] {
  const named = (path: string) => (/[:{]/.test(path) ? Object.values(ids) : ['']);
  const routes = Object.entries<Contract>(contracts)
    .filter(([, { access, method, isQuery }]) => access !== 'public' && (method === 'GET' || isQuery))
    .flatMap(([what, contract]) => {
      const asked = goodRequestFor(contract, own);
      const request = contract.path === '/v1/availability' ? { query: { ...asked.query, ...LONG } } : asked;
      return named(contract.path).map((id) => ({
        what,
        named: id,
        ask: () => own.client.send(contract.method, pathTo(contract, id), request),
      }));
    });
  const pages = allPages(dashboard.dependencies)
    // A recording is not a page: it leads to the API.
    .filter(({ method, may, path }) => method === 'GET' && may !== 'support' && !path.endsWith('/recording'))
    .flatMap(({ path }) =>
      named(path).map((id) => ({
        what: path,
        named: id,
        ask: () => visitor.get(path.replaceAll(/:\w+/g, id)),
      })),
    );
  return [...routes, ...pages, { what: 'patients by name', named: mark, ask: () => askForPatient(mark) }];
}

async function askForPatient(asked: string) {
  await visitor.get('/patients');
  return visitor.submit('/patients', { asked });
}

/** The reads of this clinic’s things that find something, and those of the other clinic’s things of the same kinds. */
async function readsThatFind(): Promise<Read[]> {
  const others = readsAbout(other);
  const pairs: Read[] = [];
  const found = new Set<string>();
  for (const [nr, read] of readsAbout(own).entries()) {
    const { status } = await read.ask();
    const its = others[nr];
    if (status >= 400 || !its) continue;
    found.add(read.what);
    pairs.push(read, ...(its.named === read.named ? [] : [its]));
  }
  // What finds nothing for this clinic may still find something of the other.
  return [...pairs, ...others.filter(({ what }) => !found.has(what))];
}

const reads = await readsThatFind();

/** Their statuses, and which of them show something of the other clinic beside the id in their path. */
async function answers() {
  const [statuses, telling] = [new Array<string>(), new Array<string>()];
  const things = [other.mark, ...Object.values(other.ids)];
  for (const { what, named, ask } of reads) {
    const { status, text } = await ask();
    statuses.push(`${what} ${named} ${status}`);
    if (things.some((thing) => thing !== named && text.includes(thing))) telling.push(`${what} ${named}`);
  }
  return { statuses, telling };
}

test('with the conditions that name the clinic lost, no question and no page shows anything of another', async () => {
  expect(reads.length).toBeGreaterThan(100);
  const usual = await answers();
  expect(usual.telling).toEqual([]);
  using forgetful = losePredicates();
  expect(await answers()).toEqual(usual);
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
