import { defineConfig, type OxlintOverride } from 'oxlint';

/** The rooms, and the ones each may import from; what is missing goes up: docs/architecture.md#layers */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  pages: ['domain'],
  db: ['domain'],
  adapters: ['domain'],
  workflows: ['domain'],
  commands: ['domain', 'db', 'adapters'],
  sending: ['commands', 'adapters', 'db', 'domain'],
  activities: ['sending', 'commands', 'adapters', 'db', 'domain'],
  api: ['docs-site', 'commands', 'adapters', 'db', 'domain'],
  'docs-site': ['pages', 'domain'],
  dashboard: ['pages', 'commands', 'adapters', 'db', 'domain'],
  admin: ['commands', 'adapters', 'db', 'domain'],
  worker: ['domain', 'db', 'adapters', 'commands', 'sending', 'activities', 'workflows'],
};

const ROOMS = [...Object.keys(MAY_IMPORT), 'dev', 'test', 'bench'];

const PRESENTERS = '**/../api/*/present*.ts';

interface Pattern {
  group: string[];
  message: string;
  allowTypeImports?: boolean;
}

/** What a room may not import besides the rooms above it, and what it may in spite of the table. */
const EXCEPTIONS: Readonly<Record<string, { alsoRefused?: Pattern[]; stillAllowed?: string[] }>> = {
  domain: {
    alsoRefused: [
      {
        group: [
          'node:*',
          '!node:crypto',
          '@*/*',
          'undici',
          'pg',
          'koa',
          'pino',
          'uuidv7',
          'commander',
          '@prometheus-io/client',
          'ipaddr.js',
          'raw-body',
        ],
        message: 'domain/ is pure: zod in *.schema.ts, luxon for zones, node:crypto for signatures',
      },
    ],
  },
  workflows: {
    alsoRefused: [
      {
        group: [importsOf('activities'), importsOf('sending')],
        allowTypeImports: true,
        message: 'workflows/ may import only types of activities and sending',
      },
      {
        group: [
          'node:*',
          '@mikro-orm/*',
          '@temporalio/client',
          '@temporalio/worker',
          '@temporalio/activity',
          'undici',
          'pg',
          'koa',
          'pino',
          'zod',
          'uuidv7',
        ],
        message: 'workflows/ run in a sandbox: @temporalio/workflow only',
      },
    ],
  },
  dashboard: { stillAllowed: [`!${PRESENTERS}`] },
  admin: { stillAllowed: [`!${PRESENTERS}`] },
};

function importsOf(room: string): string {
  return `**/../${room}/**`;
}

function importRules(room: string, allowed: readonly string[]): OxlintOverride {
  const { alsoRefused = [], stillAllowed = [] } = EXCEPTIONS[room] ?? {};
  const saidOtherwise = alsoRefused.flatMap(({ group }) => group);
  const refused = ROOMS.filter((each) => each !== room && !allowed.includes(each))
    .map(importsOf)
    .filter((each) => !saidOtherwise.includes(each));
  const above: Pattern = {
    group: [...refused, ...stillAllowed],
    message: `${room}/ may import only from: ${allowed.join(', ') || 'itself'} (docs/architecture.md)`,
  };
  return {
    files: [`${room}/**/*.ts`],
    rules: { 'typescript/no-restricted-imports': ['error', { patterns: [above, ...alsoRefused] }] },
  };
}

export default defineConfig({
  plugins: ['typescript', 'import', 'unicorn', 'oxc', 'promise', 'node'],
  categories: { correctness: 'error', suspicious: 'error' },
  env: { node: true, es2024: true },
  rules: {
    'max-lines': ['error', { max: 300 }],
    'max-lines-per-function': ['error', { max: 40 }],
    'max-depth': ['error', 3],
    'no-console': 'error',
    eqeqeq: 'error',
    'prefer-const': 'error',
    'no-shadow': 'off',
    'no-underscore-dangle': 'off',
    'import/no-cycle': 'error',
    'import/no-default-export': 'off',
    'import/no-unassigned-import': 'off',
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/await-thenable': 'error',
    'no-await-in-loop': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/no-array-reverse': 'off',
    'typescript/no-unnecessary-type-parameters': 'off',
    'unicorn/require-module-specifiers': 'off',
    'typescript/consistent-return': 'off',
    'consistent-return': 'off',
    'import/no-named-as-default-member': 'off',
    // Temporal's protocol declares its plain numbers as enums, in a package that we do not import.
    'typescript/no-unsafe-enum-assignment': 'off',
  },
  overrides: [
    ...Object.entries(MAY_IMPORT).map(([room, allowed]) => importRules(room, allowed)),
    { files: ['db/**/*.ts'], rules: { 'max-lines-per-function': ['error', { max: 60 }] } },
    {
      files: ['**/contract.ts', '**/*.contract.ts', 'db/migrations/**', 'test/**', 'bench/**'],
      rules: { 'max-lines': ['error', { max: 500 }], 'max-lines-per-function': 'off' },
    },
    { files: ['test/**'], rules: { 'typescript/unbound-method': 'off' } },
    // These programs print to the terminal of their users.
    { files: ['docs-site/programs/**'], rules: { 'no-console': 'off' } },
  ],
  ignorePatterns: [
    'node_modules',
    'clients',
    '*.config.js',
    'test/histories/**',
    // It imports the package that a release builds.
    'docs-site/programs/use-client.ts',
  ],
});
