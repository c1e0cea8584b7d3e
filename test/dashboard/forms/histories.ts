import { expect } from '@jest/globals';
import { KEPT_FORM_WORDS } from '../../../dashboard/kept-forms/words.ts';
import { agree } from '../../support/pages/clicker.ts';
import type { Browser, BrowserContext, Locator, Page, Request } from 'playwright-core';
import { SESSION_IDLE_MS } from '../../../domain/people/session.ts';
import type { TestDashboard } from '../../support/pages/dashboard-server.ts';
import { until } from '../../support/until.ts';
import { signedIn } from '../sessions/signed-in.ts';
import { changesBetween, readStored, type Changes, type Stored } from './changes.ts';
import type { FormAt, FormRow } from './form-rows.ts';

/** What the histories of a form happen to. */
export interface Scene {
  dashboard: TestDashboard;
  browser: Browser;
  /** Lets time go by. */
  pass(ms: number): void;
  /** Forms that were seen on the pages, as a list of all forms names them. */
  seen: Set<string>;
}

const NAMES = { ana: 'Ana Martins', rita: 'Rita Lopes', sofia: 'Sofia Nunes' };
const WITHOUT_SCRIPTS = { javaScriptEnabled: false };

let filled = 0;

/** A form that someone has before them, filled in. */
interface Opened extends AsyncDisposable {
  page: Page;
  form: Locator;
  at: FormAt;
  /** What was sent last. */
  sent(): Request;
  /** What has been done since it was filled in. */
  changes(): Promise<Changes>;
  /** Forgets what has been done so far. */
  settle(): Promise<void>;
}

async function open(
  { dashboard, browser, seen }: Scene,
  row: FormRow,
  options: { javaScriptEnabled?: boolean } = {},
): Promise<Opened> {
  const at = await row.begin(dashboard);
  const context = await browser.newContext({ ...(await signedIn(dashboard, row.by)), ...options });
  const page = await openPage(context, `${dashboard.url}${at.page}`);
  for (const name of await formsOn(page)) seen.add(name);
  const form = page.locator(selectorOf(row, at)).first();
  let last: Request | undefined;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.isNavigationRequest()) last = request;
  });
  filled += 1;
  await row.fill?.(page, filled);
  let before: Stored = await readStored(dashboard.database);
  return {
    page,
    form,
    at,
    sent() {
      if (!last) throw new Error('nothing was sent');
      return last;
    },
    changes: async () => changesBetween(before, await readStored(dashboard.database)),
    settle: async () => void (before = await readStored(dashboard.database)),
    [Symbol.asyncDispose]: () => context.close(),
  };
}

async function openPage(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

function selectorOf({ holds }: FormRow, { action }: FormAt): string {
  const held = holds ? `:has(input[name="${holds[0]}"][value="${holds[1]}"])` : '';
  // A notice has no address of its own on its list.
  const to = action.endsWith('/') ? `form[action^="${action}"]` : `form[action="${action}"]`;
  return [to, ...(action.endsWith('/') ? [] : [`form[action^="${action}#"]`])]
    .map((each) => `${each}${held}`)
    .join();
}

/** Every form of a page: where it goes, and what tells it from others that go there. */
async function formsOn(page: Page): Promise<string[]> {
  const forms = await page.evaluate<[string, string][]>(
    `[...document.querySelectorAll('form[method="post"]')].map((form) => [
      form.getAttribute('action'),
      form.querySelector('input[name="part"], input[name="status"]')?.value ?? '',
    ])`,
  );
  return forms.map(([action, what]) => {
    const path = (action.split('#')[0] ?? '').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, ':id');
    return what === '' ? path : `${path} ${what}`;
  });
}

/** The button that sends it, not one that only looks or that copies a day too. */
const buttonOf = (form: Locator) => form.locator('button:not([name="copy"])').last();

async function press({ page, form }: Pick<Opened, 'page' | 'form'>, times: 1 | 2 = 1): Promise<void> {
  const answered = page.waitForEvent('framenavigated');
  await buttonOf(form).click({ clickCount: times });
  await agree(page);
  await answered;
  await page.waitForLoadState();
}

/** What stands in the form, but for what a page says of itself. */
function standing(page: Page, row: FormRow, at: FormAt): Promise<unknown> {
  const own = `['form_token', 'id', 'shown', 'shown_for', 'version', 'time']`;
  const form = `document.querySelector('${selectorOf(row, at)}')`;
  return page.evaluate(`[...new FormData(${form})].filter(([name]) => !${own}.includes(name))`);
}

/** Once, and the same again as a reload or an impatient finger sends it; and twice at once where no scripts run. */
async function sentTwice(scene: Scene, row: FormRow): Promise<void> {
  await using once = await open(scene, row);
  await press(once);
  const changes = await once.changes();
  expect(Object.keys(changes).length > 0).toBe(!row.isQuestion);
  const sent = once.sent();
  const again = await once.page.context().request.post(sent.url(), {
    headers: { origin: scene.dashboard.url, 'content-type': 'application/x-www-form-urlencoded' },
    data: sent.postData() ?? '',
  });
  expect([again.status() < 500, await once.changes()]).toEqual([true, changes]);
  if (!row.isQuestion && row.by !== 'sofia') expect(placeOf(again.url())).toBe(placeOf(once.page.url()));
  await using twice = await open(scene, row, WITHOUT_SCRIPTS);
  await press(twice, 2);
  expect(await twice.changes()).toEqual(changes);
}

/** What another person did meanwhile stays, nothing else is done, and what was typed is still there. */
async function anotherPerson(scene: Scene, row: FormRow): Promise<void> {
  if (!row.theirs) return;
  await using mine = await open(scene, row);
  const typed = await standing(mine.page, row, mine.at);
  await row.theirs(scene.dashboard, mine.at, mine.page);
  await mine.settle();
  await press(mine);
  expect(await mine.changes()).toEqual({});
  if (row.isAskedAgain && (await mine.form.count()) > 0)
    expect(await standing(mine.page, row, mine.at)).toEqual(typed);
}

/** An address without the part of the page that it leads to. */
const placeOf = (address: string) => address.split('#')[0];

/** Nothing is done until its owner has signed in again, and then what was typed is. */
async function pastTheSession(scene: Scene, row: FormRow): Promise<void> {
  await using left = await open(scene, row);
  scene.pass(SESSION_IDLE_MS + 60_000);
  await press(left);
  await left.page.getByText(KEPT_FORM_WORDS.en.ended).waitFor();
  expect(await left.changes()).toEqual({});
  await left.page.getByRole('link', { name: 'Sign in and submit' }).click();
  await left.page.getByRole('link', { name: NAMES[row.by] }).click();
  await left.page.waitForURL(
    (url) => url.origin === scene.dashboard.url && !url.pathname.startsWith('/kept'),
  );
  if (!row.isQuestion)
    await until('what was typed to be sent', async () => Object.keys(await left.changes()).length > 0);
}

/** The form is there as it is now, and what was typed is not sent a second time. */
async function goneBack(scene: Scene, row: FormRow): Promise<void> {
  await using gone = await open(scene, row);
  await press(gone);
  await gone.settle();
  await gone.page.goBack();
  if ((await gone.form.count()) > 0 && !row.isFilledInAgain) {
    const fresh = await openPage(gone.page.context(), gone.page.url());
    expect(await standing(gone.page, row, gone.at)).toEqual(await standing(fresh, row, gone.at));
    await fresh.close();
  }
  if (row.isAskedAgain && (await gone.form.count()) > 0) {
    await buttonOf(gone.form).click();
    await agree(gone.page);
  }
  await gone.page.waitForLoadState();
  expect(await gone.changes()).toEqual({});
}

/** What was chosen and what it was chosen for no longer go together: nothing is done. */
async function choosesOtherwise(scene: Scene, row: FormRow): Promise<void> {
  if (!row.choosesOtherwise) return;
  for (const options of row.isFollowed ? [WITHOUT_SCRIPTS] : [WITHOUT_SCRIPTS, {}]) {
    await using mine = await open(scene, row, options);
    await row.choosesOtherwise(mine.page);
    await press(mine);
    expect(await mine.changes()).toEqual({});
  }
}

/** How people use a form. */
export const HISTORIES: Record<string, (scene: Scene, row: FormRow) => Promise<void>> = {
  'sent twice': sentTwice,
  'another person in between': anotherPerson,
  'left open past the session': pastTheSession,
  'gone back to': goneBack,
  'changed after its choices were shown': choosesOtherwise,
};
