import { expect, test } from '@jest/globals';
import { SELF_SERVICE_WORDS } from '../../../dashboard/self-service/words.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import { openToPatients, SLUG } from './self-service-walk.ts';

const dashboard = await suiteDashboard();
await openToPatients(dashboard);
const HOME = `/book/${SLUG}`;
const TIMES = `${HOME}?service=${dashboard.clinic.serviceTypeId}`;
const { en, pt } = SELF_SERVICE_WORDS;

test('the public page names the clinic once, with its street, a map and its phone', async () => {
  const { text } = await dashboard.stranger().get(HOME);
  const body = text.slice(text.indexOf('<body>'));
  expect(body.match(/Clínica da Luz/g)).toHaveLength(1);
  expect(body).toContain('Rua da Luz 12, 1600-001 Lisboa');
  expect(body).toContain('https://www.openstreetmap.org/search?query=Rua+da+Luz+12');
  expect(body).toContain('href="tel:+351210000000"');
});

test('it offers the next free time first, then seven days, and a chosen day instead', async () => {
  const guest = dashboard.stranger();
  const { text } = await guest.get(TIMES);
  const first = /<button name="time" value="([^"]*)">\s*Next free: /.exec(text)?.[1] ?? '';
  expect(text.indexOf(en.nextFree)).toBeLessThan(text.indexOf('offered-week'));
  expect(text.split(`value="${first}"`)).toHaveLength(3);
  const week = text.slice(text.indexOf('offered-week'), text.indexOf('</nav>', text.indexOf('offered-week')));
  expect(week.match(/<b>\d+<\/b>/g)).toHaveLength(7);
  const others = [...week.matchAll(/href="([^"]*)"(?! aria-current)/g)].map(([, href = '']) => href);
  const other = (others.at(-1) ?? '').replaceAll('&amp;', '&');
  const chosen = await guest.get(other);
  expect(chosen.text).not.toContain(en.nextFree);
  expect(chosen.text).toMatch(
    new RegExp(`day=${/day=([\d-]+)/.exec(other)?.[1] ?? ''}"\\s+aria-current="date"`),
  );
});

test('it is read in the other language, and stays where it was', async () => {
  const guest = dashboard.stranger();
  const { text } = await guest.get(TIMES);
  const link = /hreflang="pt-PT" rel="nofollow" href="([^"]*)"/.exec(text)?.[1] ?? '';
  const switched = await guest.get(link.replaceAll('&amp;', '&'));
  expect(switched.url.pathname + switched.url.search).toBe(TIMES);
  expect(switched.text).toContain(pt.nextFree);
  expect(switched.text).toMatch(/<html lang="pt-PT"/);
  expect((await guest.get(HOME)).text).toContain(pt.title);
});
