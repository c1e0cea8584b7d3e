import { describe, expect, test } from '@jest/globals';
import { createTestDatabase } from '../support/database.ts';
import { adminWith, answerOf, idOf, itemsOf } from './admin-runs.ts';
import { forSuite } from '../support/for-suite.ts';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';

const testDatabase = await forSuite(createTestDatabase());
const admin = adminWith({ DATABASE_URL: testDatabase.url, SERVICE_MODE: 'test' });

describe('refusals', () => {
  test.each([
    ['tenant create', ['tenant', 'create', '--specialty', 'dental'], '--name'],
    ['specialty', ['tenant', 'create', '--name', 'N', '--specialty', 'vet'], '--specialty'],
    ['turned round', ['tenant', 'create', '--name', 'N\u202e', '--specialty', 'dental'], '--name'],
    ['two lines', ['tenant', 'update', '--tenant', UNKNOWN, '--legal-name', 'N\nN'], '--legal-name'],
    [
      'timezone',
      ['tenant', 'create', '--name', 'N', '--specialty', 'dental', '--timezone', 'Lisbon'],
      '--timezone',
    ],
    ['email', ['tenant', 'create', '--name', 'N', '--specialty', 'dental', '--email', 'nobody'], '--email'],
    ['phone', ['tenant', 'create', '--name', 'N', '--specialty', 'dental', '--phone', '211'], '--phone'],
    [
      'country',
      ['tenant', 'create', '--name', 'N', '--specialty', 'dental', '--country', 'Portugal'],
      '--country',
    ],
    ['id', ['tenant', 'show', '--tenant', '12'], '--tenant'],
    ['status', ['tenant', 'update', '--tenant', UNKNOWN, '--status', 'gone'], '--status'],
    ['slug', ['tenant', 'update', '--tenant', UNKNOWN, '--trial-ends-at', 'tomorrow'], '--trial-ends-at'],
    ['scopes', ['key', 'create', '--tenant', UNKNOWN, '--scopes', 'all'], '--scopes'],
    ['preset', ['key', 'create', '--tenant', UNKNOWN, '--preset', 'all'], '--preset'],
    ['both', ['key', 'create', '--tenant', UNKNOWN, '--preset', 'pms', '--scopes', 'calls:read'], '--scopes'],
    ['days', ['key', 'create', '--tenant', UNKNOWN, '--expires-in-days', '0'], '--expires-in-days'],
    [
      'duration',
      ['service', 'create', '--tenant', UNKNOWN, '--name', 'N', '--duration', '1.5'],
      '--duration',
    ],
    [
      'price',
      ['service', 'create', '--tenant', UNKNOWN, '--name', 'N', '--duration', '5', '--price', 'x'],
      '--price',
    ],
    ['whose', ['patient', 'erase', '--tenant', UNKNOWN], '--external-id'],
    [
      'one of two',
      ['patient', 'export', '--tenant', UNKNOWN, '--phone', '+351912345678', '--external-id', '7'],
      '--external-id',
    ],
    ['name', ['patient', 'erase', '--tenant', UNKNOWN, '--external-id', '7', '--name', 'Ana'], '--name'],
    ['option', ['tenant', 'list', '--color', 'red'], '--color'],
    ['command', ['tenant', 'destroy'], 'destroy'],
    ['argument', ['doctor', 'please'], 'doctor'],
  ])('a usage error names what is wrong: %s', async (_what, words, named) => {
    const run = await admin(...words);
    expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(named) });
  });

  test.each([
    ['clinic', ['tenant', 'show', '--tenant', UNKNOWN]],
    ['clinic', ['tenant', 'update', '--tenant', UNKNOWN, '--plan', 'pro']],
    ['clinic', ['key', 'create', '--tenant', UNKNOWN]],
    ['clinic', ['key', 'list', '--tenant', UNKNOWN]],
    ['key', ['key', 'revoke', '--key', UNKNOWN]],
    ['clinic', ['professional', 'create', '--tenant', UNKNOWN, '--name', 'N', '--specialty', 'S']],
    ['professional', ['professional', 'update', '--professional', UNKNOWN, '--name', 'N']],
    ['professional', ['professional', 'deactivate', '--professional', UNKNOWN]],
    ['clinic', ['service', 'create', '--tenant', UNKNOWN, '--name', 'N', '--duration', '30']],
    ['service', ['service', 'update', '--service', UNKNOWN, '--name', 'N']],
    ['service', ['service', 'deactivate', '--service', UNKNOWN]],
    ['clinic', ['endpoint', 'list', '--tenant', UNKNOWN]],
    ['endpoint', ['endpoint', 'enable', '--endpoint', UNKNOWN]],
    ['clinic', ['delivery', 'list', '--tenant', UNKNOWN]],
    ['delivery', ['delivery', 'retry-now', '--delivery', UNKNOWN]],
  ])('an unknown %s is a failure that names the id: %j', async (what, words) => {
    const run = await admin(...words);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toContain(`There is no ${what} with the ID ${UNKNOWN}`);
  });

  test('every problem of a command line is told at once', async () => {
    const { stderr } = await admin('service', 'create', '--tenant', 'x', '--duration', '0');
    expect(stderr.trim().split('\n')).toHaveLength(3);
  });

  test.each(['create', 'update'])(
    'tenant %s with the organisation of another clinic says whose it is and what to do',
    async (verb) => {
      const open = ['tenant', 'create', '--name', 'N', '--specialty', 'dental'];
      const organisation = ['--identity-org-id', `org_of_${verb}`];
      const first = idOf(await answerOf(admin(...open, ...organisation)));
      const second = idOf(await answerOf(admin(...open)));
      const words = verb === 'create' ? open : ['tenant', 'update', '--tenant', second];
      const run = await admin(...words, ...organisation);
      expect(run).toMatchObject({ exitCode: 1, stdout: '' });
      for (const part of ['--identity-org-id', first, 'tenant update']) expect(run.stderr).toContain(part);
      expect(run.stderr).not.toContain('Unexpected');
      expect(await itemsOf(admin('tenant', 'list'))).toHaveLength(verb === 'create' ? 2 : 4);
    },
  );
});
