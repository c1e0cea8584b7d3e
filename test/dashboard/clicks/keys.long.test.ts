import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { KEY_WORDS } from '../../../dashboard/api-keys/words.ts';
import { ERROR_MEANINGS } from '../../../dashboard/request-log/error-meanings.ts';
import { openBrowser } from '../../support/pages/browser.ts';
import { AT_A_DESK, ON_A_PHONE, signIn, type Clicker } from '../../support/pages/clicker.ts';
import { startService } from '../../support/servers/service.ts';
import { forSuite } from '../../support/for-suite.ts';

/** Keys as their owner meets them, and what the API says to anyone who uses them. */

const [service, browser] = await Promise.all([forSuite(startService()), forSuite(openBrowser())]);

const KEY = /^svc_test_[A-Za-z\d]+_[A-Za-z\d]+$/;

async function statusWith(key: string, method = 'GET', path = '/v1/api-keys/me'): Promise<number> {
  return (await service.request(key, method, path)).status;
}

/** What stands in the box whose text is like this. */
async function shown({ page }: Clicker, like: RegExp): Promise<string> {
  return (await page.locator('code').filter({ hasText: like }).first().textContent()) ?? '';
}

test.each([AT_A_DESK, ON_A_PHONE])(
  'a key is made, used, rolled and revoked, and what it was refused can be read, $where',
  async (seat) => {
    const words = KEY_WORDS[seat.language];
    const name = `Novigest ${seat.language}`;
    const ana = await signIn(browser, service.running().dashboardUrl, 'Ana Martins', seat);
    await ana.goTo('/integrations/keys');
    await ana.follow(words.newKey);
    await ana.fill(words.name, name);
    await ana.press(words.create);
    const key = await shown(ana, KEY);
    const { stdout } = await promisify(exec)(await shown(ana, /^curl /));
    expect(JSON.parse(stdout)).toMatchObject({ name });
    await ana.follow(words.shown.done);
    await ana.follow(name);
    await ana.sees(words.presets.pms.title);
    await ana.page.reload();
    expect(await ana.page.content()).not.toContain(key);

    // The PMS asks for what it may not have, and Ana reads of it.
    expect(await statusWith(key, 'POST', '/v1/api-keys')).toBe(403);
    await ana.goTo('/integrations/requests');
    // The key that was used last is chosen already.
    await ana.page.locator('.chip[aria-current]').filter({ hasText: name }).waitFor();
    // It comes a moment after its answer, by itself.
    await ana.sees(ERROR_MEANINGS[seat.language].insufficient_scope);

    await ana.goTo('/integrations/keys');
    await ana.follow(name);
    await ana.choose(words.roll.overlap, words.roll.overlaps['3600'] ?? '');
    await ana.press(words.roll.button);
    const next = await shown(ana, KEY);
    expect(next).not.toBe(key);
    expect(await Promise.all([key, next].map((each) => statusWith(each)))).toEqual([200, 200]);
    await ana.follow(words.shown.done);
    await ana.sees(new RegExp(`^${words.states.ends} `));

    // The newest stands first.
    await ana.follow(name);
    await ana.press(words.revoke.button);
    await ana.sees(words.states.revoked);
    expect(await statusWith(next)).toBe(401);
    await ana.leave();
  },
);
