import { expect, test } from '@jest/globals';
import { rowsUnder, textOf } from '../docs/pages.ts';
import { compose, composeText, environmentOf } from './compose-file.ts';

/** What the table calls a process, and the part of docker-compose.yml that is it. */
const PARTS: Record<string, string> = {
  api: 'api',
  worker: 'worker',
  dashboard: 'dashboard',
  '`migrate`': 'migrate',
  '`temporal:setup`': 'temporal-setup',
};

/** What stands for others in the table, written out. */
const WRITTEN_OUT: Record<string, string[]> = {
  'TEMPORAL_TLS_*': [
    'TEMPORAL_TLS',
    'TEMPORAL_TLS_CLIENT_CERT_PATH',
    'TEMPORAL_TLS_CLIENT_CERT_DATA',
    'TEMPORAL_TLS_CLIENT_KEY_PATH',
    'TEMPORAL_TLS_CLIENT_KEY_DATA',
    'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
    'TEMPORAL_TLS_SERVER_CA_CERT_DATA',
    'TEMPORAL_TLS_SERVER_NAME',
    'TEMPORAL_TLS_DISABLE_HOST_VERIFICATION',
  ],
};

interface Documented {
  name: string;
  /** Parts of docker-compose.yml. */
  readers: string[];
}

const documented: Documented[] = rowsUnder(textOf('docs/operations/variables.md'), 'variable').flatMap(
  ([names = '', readBy = '']) => {
    const readers = readersOf(readBy);
    return [...names.matchAll(/`([A-Z_*]+)`/g)]
      .flatMap(([, name = '']) => WRITTEN_OUT[name] ?? [name])
      .map((name) => ({ name, readers }));
  },
);

/** `all except X` are those that have a database. What stands in brackets limits what a reader does with it. */
function readersOf(cell: string): string[] {
  const text = cell.replaceAll(/ \([^)]*\)/g, '');
  if (text.startsWith('all except')) return ['api', 'worker', 'dashboard', 'migrate'];
  return text
    .split(/[;,] /)
    .flatMap((part) => PARTS[part.trim()] ?? [])
    .filter((part) => part in compose.services);
}

test('the guide lists more than fifty variables, and who reads them', () => {
  expect(documented.length).toBeGreaterThan(50);
  expect(documented.find(({ name }) => name === 'ENCRYPTION_KEY')?.readers).toEqual([
    'api',
    'worker',
    'dashboard',
  ]);
  expect(documented.find(({ name }) => name === 'TEMPORAL_TLS_SERVER_NAME')?.readers).toContain(
    'temporal-setup',
  );
});

test.each(documented.filter(({ readers }) => readers.length > 0))(
  '$name reaches $readers in containers',
  ({ name, readers }) => {
    expect(readers.filter((part) => !(name in environmentOf(part)))).toEqual([]);
  },
);

test('what .env can say reaches a part, and no part is told what .env.example does not explain', () => {
  const explained = [...textOf('.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name);
  const asked = [...composeText.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name);
  const ofComposeItself = ['COMPOSE_PROFILES'];
  expect(
    [...new Set(explained)].filter((name = '') => ![...asked, ...ofComposeItself].includes(name)),
  ).toEqual([]);
  expect([...new Set(asked)].filter((name) => !explained.includes(name))).toEqual([]);
});
