import { expect, test } from '@jest/globals';
import { AUDIT_WORDS } from '../../../dashboard/audit/words.ts';
import { EDIT_WORDS } from '../../../dashboard/edits/words.ts';
import { ERROR_WORDS } from '../../../dashboard/layout/error-words.ts';
import { FRAME_WORDS, OTHER_LANGUAGE } from '../../../dashboard/layout/words.ts';
import { SERVICE_WORDS } from '../../../dashboard/services/words.ts';
import { SETTINGS_WORDS } from '../../../dashboard/settings/words.ts';
import { SIGN_IN_WORDS } from '../../../dashboard/sign-in/words.ts';
import { TEAM_WORDS } from '../../../dashboard/team/words.ts';
import { WEEK_WORDS } from '../../../dashboard/week/words.ts';
import { openBrowser } from '../../support/pages/browser.ts';
import { AT_A_DESK, ON_A_PHONE, signIn, sitDown } from '../../support/pages/clicker.ts';
import { startService } from '../../support/servers/service.ts';
import { until } from '../../support/until.ts';
import { clinicAtWork } from './clinic-at-work.ts';
import { forSuite } from '../../support/for-suite.ts';

/** What the clinic is, who works there, who did what, and the ways in and out. */

const [service, browser] = await Promise.all([forSuite(startService()), forSuite(openBrowser())]);

test.each([AT_A_DESK, ON_A_PHONE])(
  'opening hours, a professional and a service are kept, changed and ended, and the trail says by whom, $where',
  async (seat) => {
    const settings = SETTINGS_WORDS[seat.language];
    const week = WEEK_WORDS[seat.language];
    const { saved } = EDIT_WORDS[seat.language];
    const team = TEAM_WORDS[seat.language];
    const services = SERVICE_WORDS[seat.language];
    const { actions } = AUDIT_WORDS[seat.language];
    const ana = await signIn(browser, service.running().dashboardUrl, 'Ana Martins', seat);
    const { page } = ana;
    const save = (part: string) =>
      page.locator(`form:has(input[name="part"][value="${part}"]) button`).last().click();

    const inView = async (words: string) => {
      const place = await page.getByText(words).boundingBox();
      return place !== null && place.y > 0 && place.y < seat.viewport.height;
    };

    await ana.goTo('/settings/hours');
    await page.locator('input[name="sat-0-from"]').fill('10:00');
    await page.locator('input[name="sat-0-to"]').fill('');
    await save('hours');
    await ana.sees(week.wrong);
    await until('the mistake to be in view', () => inView(week.wrong));
    await page.locator('input[name="sat-0-to"]').fill('13:00');
    await save('hours');
    await ana.sees(saved);
    await until('the answer to be in view', () => inView(saved));
    await ana.goTo('/settings/receptionist');
    await ana.fill(settings.receptionist.fields.greeting, `Olá, Clínica Sorriso (${seat.language})`);
    await save('receptionist');
    await ana.sees(`Olá, Clínica Sorriso (${seat.language})`);
    await ana.goTo('/settings/hours');
    expect(await page.locator('input[name="sat-0-to"]').inputValue()).toBe('13:00');

    const name = `Marta ${seat.language}`;
    await ana.goTo('/settings/professionals');
    await ana.follow(team.add);
    await ana.fill(team.fields.name, name);
    await ana.fill(team.fields.specialty, 'Endodontia');
    await ana.press(team.create);
    await ana.follow(name);
    await page.getByLabel(team.fields.active).uncheck();
    await ana.press(team.save);
    await ana.sees(team.left);

    const cleaning = `Limpeza ${seat.language}`;
    await ana.goTo('/settings/services');
    await ana.follow(services.add);
    await ana.fill(services.fields.name, cleaning);
    await ana.fill(services.fields.priceEur, '42,50');
    await ana.press(services.create);
    await ana.sees(seat.language === 'en' ? '€42.50' : /^42,50\s€$/);
    await ana.follow(cleaning);
    await page.getByLabel(services.fields.active).uncheck();
    await ana.press(services.save);
    await ana.sees(services.ended);

    await ana.goTo('/settings/audit');
    for (const action of [
      'tenant.updated',
      'professional.created',
      'professional.updated',
      'service.created',
      'service.updated',
    ] as const) {
      await ana.sees(actions[action]);
    }
    await ana.leave();
  },
);

test.each([AT_A_DESK, ON_A_PHONE])(
  'a person can choose another language, and signing out on all devices ends the other window too, $where',
  async (seat) => {
    const words = FRAME_WORDS[seat.language];
    const other = FRAME_WORDS[OTHER_LANGUAGE[seat.language]];
    const { dashboardUrl } = service.running();
    const miguel = await signIn(browser, dashboardUrl, 'Miguel Sousa', seat);
    const elsewhere = await signIn(browser, dashboardUrl, 'Miguel Sousa', seat);
    const personMenu = () => miguel.page.getByText('Miguel Sousa').click();

    await miguel.goTo('/integrations/keys');
    await personMenu();
    await miguel.press(words.otherLanguage);
    await miguel.page.getByRole('heading', { name: other.sections.keys, level: 1 }).waitFor();
    await personMenu();
    await miguel.press(other.otherLanguage);
    await miguel.page.getByRole('heading', { name: words.sections.keys, level: 1 }).waitFor();

    await personMenu();
    await miguel.press(words.signOut);
    await miguel.sees(SIGN_IN_WORDS[seat.language].signedOut.title);
    await elsewhere.goTo('/integrations/keys');
    await miguel.follow(SIGN_IN_WORDS[seat.language].again);
    await miguel.follow('Miguel Sousa');
    await miguel.page.waitForURL(`${dashboardUrl}/**`);
    await personMenu();
    await miguel.press(words.signOutEverywhere);
    await miguel.sees(SIGN_IN_WORDS[seat.language].signedOut.title);
    await elsewhere.page.reload();
    await elsewhere.sees('Who are you?');
    for (const each of [miguel, elsewhere]) await each.leave();
  },
);

test.each([AT_A_DESK, ON_A_PHONE])(
  'a link from the PMS opens the webhook pages once, and nothing else, $where',
  async (seat) => {
    const { portal } = SIGN_IN_WORDS[seat.language];
    const { dashboardUrl } = service.running();
    const { url } = await clinicAtWork(service).ask('POST', '/v1/portal-links');
    const partner = await sitDown(browser, seat);
    await partner.page.goto(String(url));
    await partner.press(portal.open);
    await partner.page.waitForURL('**/integrations/endpoints');
    await partner.goTo('/integrations/deliveries');
    for (const path of ['/appointments', '/integrations/keys', '/settings', '/support']) {
      const answer = await partner.page.goto(`${dashboardUrl}${path}`);
      expect([path, answer?.status()]).toEqual([path, 403]);
      await partner.sees(ERROR_WORDS[seat.language].forbidden.role);
    }
    await partner.page.goto(String(url));
    await partner.press(portal.open);
    await partner.sees(portal.ended);
    await partner.leave();
  },
);
