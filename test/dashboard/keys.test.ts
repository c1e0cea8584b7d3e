import { expect, test } from '@jest/globals';
import { KEY_WORDS } from '../../dashboard/api-keys/words.ts';
import { ApiKeyEntity } from '../../db/entities/api-key.entity.ts';
import { aClinic } from '../support/clinic.ts';
import { suiteDashboard } from '../support/pages/dashboard-server.ts';
import { formOf } from '../support/pages/visitor.ts';

const dashboard = await suiteDashboard();
const owner = await dashboard.person('ana');

const KEY = /svc_test_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}/;

async function aKey(name: string): Promise<string> {
  await owner.get('/integrations/keys/new');
  const page = await owner.submit('/integrations/keys/new', { name });
  return KEY.exec(page.text)?.[0] ?? '';
}

async function idOf(name: string): Promise<string> {
  const { tenantId } = dashboard.clinic;
  return (await dashboard.database.em().findOneOrFail(ApiKeyEntity, { tenantId, name })).id;
}

function countOf(name: string): Promise<number> {
  return dashboard.database.em().count(ApiKeyEntity, { tenantId: dashboard.clinic.tenantId, name });
}

test('a key is shown once, ready to try, and never again', async () => {
  await owner.get('/integrations/keys/new');
  const made = await owner.submit('/integrations/keys/new', { name: 'Novigest' });
  const key = KEY.exec(made.text)?.[0] ?? '';
  expect(made.text).toContain(`Bearer ${key}`);
  expect(made.headers.get('cache-control')).toBe('no-store');
  const list = await owner.get('/integrations/keys');
  expect(list.text).toContain('Novigest');
  expect(list.text).not.toContain(key);
  expect(dashboard.log.join('\n')).not.toContain(key);
});

test('a key without a name is not made, and what was chosen stays', async () => {
  await owner.get('/integrations/keys/new');
  const page = await owner.submit('/integrations/keys/new', { name: '  ', preset: 'reporting' });
  expect(page.status).toBe(422);
  expect(page.text).toContain(KEY_WORDS.en.nameWrong);
  expect(page.text).toMatch(/value="reporting"\s+checked/);
});

test('a key is rolled with an overlap', async () => {
  const old = await aKey('To be rolled');
  const id = await idOf('To be rolled');
  await owner.get(`/integrations/keys/${id}`);
  const rolled = await owner.submit(`/integrations/keys/${id}/roll`, { overlapSeconds: '3600' });
  expect(KEY.exec(rolled.text)?.[0]).not.toBe(old);
  expect((await owner.get(`/integrations/keys/${id}`)).text).toMatch(
    /Expires in (59|60) minutes|Expires in 1 hour/,
  );
});

test('a form for a key that is sent twice, even at once, makes one key, and only the first answer has it', async () => {
  const { text } = await owner.get('/integrations/keys/new');
  const fields = formOf(text, '/integrations/keys/new', { name: 'Sent twice' });
  const pages = await Promise.all([1, 2, 3].map(() => owner.post('/integrations/keys/new', fields)));
  pages.push(await owner.post('/integrations/keys/new', fields));
  const id = await idOf('Sent twice');
  expect(pages.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    200, 409, 409, 409,
  ]);
  for (const page of pages.filter(({ status }) => status === 409)) {
    expect(page.text).toContain('This form was sent twice');
    expect(page.text).toContain(`href="/integrations/keys/${id}"`);
    expect(page.text).not.toMatch(KEY);
  }
  expect(await countOf('Sent twice')).toBe(1);
});

test('a page that was gone back to makes the key that is asked for now', async () => {
  const { text } = await owner.get('/integrations/keys/new');
  for (const name of ['Before', 'Afterwards']) {
    const fields = formOf(text, '/integrations/keys/new', { name });
    expect((await owner.post('/integrations/keys/new', fields)).text).toMatch(KEY);
  }
  expect(await countOf('Afterwards')).toBe(1);
});

test('a key that is rolled twice by the same form is replaced by one', async () => {
  await aKey('Rolled twice');
  const id = await idOf('Rolled twice');
  const { text } = await owner.get(`/integrations/keys/${id}`);
  const fields = formOf(text, `/integrations/keys/${id}/roll`);
  const pages = await Promise.all([1, 2].map(() => owner.post(`/integrations/keys/${id}/roll`, fields)));
  expect(pages.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  expect(await countOf('Rolled twice')).toBe(2);
});

test('a revoked key says so', async () => {
  await aKey('To be revoked');
  const id = await idOf('To be revoked');
  await owner.get(`/integrations/keys/${id}`);
  await owner.submit(`/integrations/keys/${id}/revoke`);
  const page = await owner.get(`/integrations/keys/${id}`);
  expect(page.text).toContain('Revoked');
  expect(page.text).not.toContain(KEY_WORDS.en.revoke.button);
});

test('a name that holds a script is only a name', async () => {
  await aKey('<script>alert(1)</script>');
  const { text } = await owner.get('/integrations/keys');
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(text).not.toContain('<script>alert');
});

test('reception may not see keys, and another clinic’s key is not there', async () => {
  await aKey('Ours');
  const rita = await dashboard.person('rita');
  expect((await rita.get('/integrations/keys')).status).toBe(403);
  const other = await aClinic(dashboard.database);
  await dashboard.database
    .em()
    .nativeUpdate(ApiKeyEntity, { id: await idOf('Ours') }, { tenantId: other.tenantId });
  const { id } = await dashboard.database.em().findOneOrFail(ApiKeyEntity, { tenantId: other.tenantId });
  expect((await owner.get(`/integrations/keys/${id}`)).status).toBe(404);
  expect((await owner.get('/integrations/keys/not-an-id')).status).toBe(404);
});

test('the pages are in Portuguese for people who choose it', async () => {
  const miguel = await dashboard.person('miguel');
  expect((await miguel.get('/integrations/keys', { 'accept-language': 'pt-BR' })).text).toContain(
    KEY_WORDS.pt.newKey,
  );
  const page = await miguel.submit('/language', { language: 'pt' });
  expect(page.url.pathname).toBe('/integrations/keys');
  expect(page.text).toContain('lang="pt-PT"');
});

/** What a browser sends of the form on the page that has a button with these words. */
function fieldsBeside(button: string, page: string): Record<string, string> {
  const form = page.split('</form>').find((part) => part.includes(button)) ?? '';
  const inputs = form.slice(form.lastIndexOf('<form')).matchAll(/name="([^"]*)" value="([^"]*)"/g);
  return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, value]));
}

test('an owner sees what ends with a key before it is revoked, and may keep the key that replaced it', async () => {
  await aKey('Rotated');
  const id = await idOf('Rotated');
  const find = () =>
    dashboard.database.em().find(ApiKeyEntity, { rolledFromKeyId: id }, { disableIdentityMap: true });
  const address = `/integrations/keys/${id}`;
  const before = await owner.get(address);
  expect(before.text).not.toContain(KEY_WORDS.en.revoke.alone.title);
  const outdated = fieldsBeside('Revoke key', before.text);
  await owner.submit(`${address}/roll`, { overlapSeconds: '3600' });
  const [successor] = await find();
  const page = await owner.get(address);
  expect(page.text).toContain(`href="/integrations/keys/${successor?.id}">Rotated</a>`);
  expect((await owner.post(`${address}/revoke`, outdated)).status).toBe(409);

  const manager = await dashboard.person('miguel');
  const theirs = await manager.get(address);
  expect(theirs.text).not.toContain(KEY_WORDS.en.revoke.alone.button);
  const all = fieldsBeside('Revoke all', theirs.text);
  expect((await manager.post(`${address}/revoke`, { ...all, keepSuccessor: 'yes' })).status).toBe(403);

  await owner.get(address);
  await owner.post(`${address}/revoke`, fieldsBeside('Revoke old key', page.text));
  expect((await find()).map(({ revokedAt }) => revokedAt)).toEqual([null]);
  const ended = await owner.get(address);
  expect(ended.text).toContain('This key has expired, but keys');
  await owner.post(`${address}/revoke`, fieldsBeside('Revoke all', ended.text));
  expect((await find()).map(({ revokedAt }) => revokedAt)).toEqual([expect.any(Date)]);
  expect((await owner.get(address)).text).not.toContain(KEY_WORDS.en.revoke.several.button);
});
