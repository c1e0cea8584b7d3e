import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';

const CHART = join(PROJECT_ROOT, 'ops/helm/clinic-appointments');
const PROCESSES = ['api', 'worker', 'dashboard', 'logins', 'migrate', 'setup'] as const;
type Process = (typeof PROCESSES)[number];

interface Variables {
  secret: { required: string[]; optional: string[] };
  fixed: Record<string, string>;
  processes: Record<Process, string[]>;
}

const given = read<Variables>('files/variables.yaml');
const values = read<{ variables: Record<string, string> }>('values.yaml');
const secrets = [...given.secret.required, ...given.secret.optional];

/** `TEMPORAL_TLS_*` and the others that the documentation names by their family. */
const FAMILIES: Record<string, RegExp> = {
  'TEMPORAL_TLS_*': /^TEMPORAL_TLS/,
};
/** Of the operator's command line, and of `npm start`. */
const ELSEWHERE = ['ADMIN_ACTOR', 'DATA_DIR'];
/** Each process has a login of its own, under a name of its own in the Secret. */
const RENAMED: Partial<Record<Process, Record<string, string>>> = {
  api: { DATABASE_URL: 'API_DATABASE_URL' },
  worker: { DATABASE_URL: 'WORKER_DATABASE_URL' },
  dashboard: { DATABASE_URL: 'DASHBOARD_DATABASE_URL' },
  migrate: { DATABASE_URL: 'MIGRATION_DATABASE_URL' },
};

/** The table of variables, with the processes that read each. */
function documented(): (readonly [name: string, readers: Process[]])[] {
  const page = readFileSync(join(PROJECT_ROOT, 'docs/operations/variables.md'), 'utf8');
  const rows = page.match(/^\| `.*$/gm) ?? [];
  return rows.flatMap((row) => {
    const [names = '', readBy = ''] = row.replace(/^\| /, '').split(' | ');
    const all = [...names.matchAll(/`([A-Z_*]+)`/g)].map(([, name = '']) => name);
    return all.map((name) => [name, readersOf(name, readBy)] as const);
  });
}

/** One that stands with variables in brackets reads these of the row alone. */
function readersOf(name: string, text: string): Process[] {
  if (text.startsWith('all except')) return ['api', 'worker', 'dashboard', 'migrate'];
  const words = text.replaceAll('temporal:setup', 'setup');
  return PROCESSES.filter((process) => {
    const [, only] = new RegExp(`\\b${process}\\b(?: \\(([^)]*)\\))?`).exec(words) ?? [null, null];
    if (only === null) return false;
    return !only?.includes('`') || only.includes(`\`${name}\``);
  });
}

describe('the Helm chart', () => {
  const rows = documented().filter(([name]) => !ELSEWHERE.includes(name));

  test.each(rows)('gives %s to the processes that read it: %j', (name, readers) => {
    for (const process of readers) {
      const expected = RENAMED[process]?.[name] ?? name;
      const family = FAMILIES[name];
      const found = given.processes[process].filter((each) =>
        family ? family.test(each) : each === expected,
      );
      expect([process, name, found.length > 0]).toEqual([process, name, true]);
    }
  });

  test('knows every documented variable', () => {
    expect(rows.length).toBeGreaterThan(40);
  });

  test.each(PROCESSES)(
    'tells the %s process nothing that has no place in values, Secret or chart',
    (process) => {
      const places = [...Object.keys(values.variables), ...secrets, ...Object.keys(given.fixed)];
      for (const name of given.processes[process]) expect(places).toContain(name);
    },
  );

  test('has no secret among its values', () => {
    for (const name of secrets) expect(values.variables).not.toHaveProperty(name);
  });

  test('gives each login to its process alone, and to the job that makes it', () => {
    const logins = PROCESSES.map((process) =>
      given.processes[process].filter((name) => name.endsWith('DATABASE_URL')),
    );
    expect(logins).toEqual([
      ['API_DATABASE_URL'],
      ['WORKER_DATABASE_URL'],
      ['DASHBOARD_DATABASE_URL', 'PUBLIC_DATABASE_URL'],
      [
        'SUPERUSER_DATABASE_URL',
        'API_DATABASE_URL',
        'WORKER_DATABASE_URL',
        'DASHBOARD_DATABASE_URL',
        'PUBLIC_DATABASE_URL',
      ],
      ['MIGRATION_DATABASE_URL'],
      [],
    ]);
  });

  test('leads to Temporal, which may ask for no login, from the worker and the setup alone', () => {
    const told = PROCESSES.filter((process) => given.processes[process].includes('TEMPORAL_ADDRESS'));
    expect(told).toEqual(['worker', 'setup']);
    const policy = readFileSync(join(CHART, 'templates/network-policy.yaml'), 'utf8');
    expect(policy).toMatch(/if has \$process \(list "worker" "setup"\) }}\n.*networkPolicy\.temporal\.port/);
    expect(policy.match(/networkPolicy\.temporal\.port/g)).toHaveLength(1);
  });

  test('leaves nothing of what an update makes before it: uninstalling does not look there', () => {
    const folder = join(CHART, 'templates');
    const kept = readdirSync(folder).flatMap((file) =>
      (readFileSync(join(folder, file), 'utf8').match(/hook-delete-policy: .*/g) ?? []).map((policy) => [
        file,
        policy,
      ]),
    );
    expect(kept.length).toBeGreaterThan(0);
    for (const place of kept) expect(place.join(': ')).toContain('before-hook-creation,hook-succeeded');
  });

  test('starts the processes with the limits of package.json', () => {
    const { scripts } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const template = readFileSync(join(CHART, 'templates/_helpers.tpl'), 'utf8');
    for (const process of ['api', 'worker', 'dashboard'])
      for (const flag of scripts[process]?.match(/--\S+/g) ?? []) expect(template).toContain(flag);
  });
});

function read<T>(file: string): T {
  return parse(readFileSync(join(CHART, file), 'utf8')) as T;
}

describe('the schema of its values', () => {
  const schema = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')) as ValuesSchema;
  const isValid = new Ajv({ strict: false }).compile(schema);

  test('names every value and nothing else', () => {
    // Helm itself adds `global`.
    expect(new Set(pathsOf(schema))).toEqual(new Set(['global', ...pathsOfValues(read('values.yaml'))]));
    expect(Object.keys(schema.properties?.['variables']?.properties ?? {})).toEqual(
      Object.keys(values.variables),
    );
  });

  test.each(['values.yaml', ...readdirSync(join(CHART, 'ci')).map((file) => `ci/${file}`)])(
    'accepts %s',
    (file) => {
      expect([isValid(read(file)), isValid.errors]).toEqual([true, null]);
    },
  );

  test.each([
    ['a misspelt group', { workers: { replicas: 2 } }],
    ['a misspelt value', { api: { replica: 2 } }],
    ['a variable that no process reads', { variables: { SERVICE_MOD: 'live' } }],
    ['a mode that there is not', { variables: { SERVICE_MODE: 'production' } }],
    ['a number of pods in words', { worker: { replicas: 'two' } }],
    ['a digest cut short', { image: { digest: 'sha256:0123' } }],
  ])('refuses %s', (_, wrong) => {
    expect(isValid(wrong)).toBe(false);
  });
});

interface ValuesSchema {
  properties?: Record<string, ValuesSchema>;
}

function pathsOf({ properties = {} }: ValuesSchema, before = ''): string[] {
  return Object.entries(properties).flatMap(([name, each]) => [
    `${before}${name}`,
    ...pathsOf(each, `${before}${name}.`),
  ]);
}

/** Without what is inside resources, lists and empty groups, which Kubernetes defines. */
function pathsOfValues(group: object, before = ''): string[] {
  return Object.entries(group).flatMap(([name, each]: [string, unknown]) => {
    const isGroup = typeof each === 'object' && each !== null && !Array.isArray(each) && name !== 'resources';
    return [`${before}${name}`, ...(isGroup ? pathsOfValues(each, `${before}${name}.`) : [])];
  });
}
