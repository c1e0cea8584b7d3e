import { writeFile, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ConfigError } from '../../adapters/config/read-config.ts';
import { readLauncherConfig, serviceEnvironment, type Addresses } from '../../dev/config.ts';
import { dataDirectory } from '../../dev/data-directory/data-directory.ts';
import { forSuite } from '../support/for-suite.ts';

const KEYS = { phoneHashKey: 'cGhvbmU=', encryptionKey: 'ZW5j', databasePassword: 'secret' };
const EMBEDDED: Addresses = {
  databaseUrl: 'postgresql://localhost/clinic',
  temporal: { address: '127.0.0.1:7233', uiUrl: 'http://127.0.0.1:8233', isEmbedded: true },
  apiPort: 3001,
  apiUrl: 'http://127.0.0.1:3001',
};

const { path: directory } = await forSuite(mkdtempDisposable(join(tmpdir(), 'config-')));

function environmentOf(variables: NodeJS.ProcessEnv, addresses = EMBEDDED): NodeJS.ProcessEnv {
  return serviceEnvironment(variables, dataDirectory('.local'), KEYS, addresses);
}

function problemsOf(variables: NodeJS.ProcessEnv): readonly string[] {
  try {
    readLauncherConfig(variables);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

test('with nothing set there is no problem, and an empty variable counts as unset', () => {
  expect(readLauncherConfig({ PORT: '' })).toMatchObject({ mode: 'test', host: '127.0.0.1', port: 3000 });
});

test('every wrong value is named before anything starts, in the words of its variable', async () => {
  const noCertificate = join(directory, 'empty.pem');
  await writeFile(noCertificate, '');
  const wrong = {
    SERVICE_MODE: 'production',
    PORT: 'http',
    METRICS_PORT: '70000',
    DATABASE_URL: 'mysql://clinic',
    TEMPORAL_ADDRESS: 'temporal',
    TEMPORAL_UI_URL: 'ui',
    ENCRYPTION_KEY: 'short',
    SMTP_URL: 'mail',
    RECORDINGS_URL: 'recordings',
    WEBHOOK_ALLOWED_CIDRS: '10.0.0.0/8, everything',
    WEBHOOK_CA_FILE: noCertificate,
    NO_SHOW_GRACE_SECONDS: 'soon',
    RATE_LIMITS_DISABLED: 'yes',
    LOG_LEVEL: 'loud',
  };
  const problems = problemsOf(wrong);
  const named = problems.map((problem) => problem.split(': ')[0]);
  expect(new Set(named)).toEqual(new Set([...Object.keys(wrong), 'MAIL_FROM']));
  expect(problems).toContain('PORT: must be a port from 0 to 65535');
  expect(problems).toContain('WEBHOOK_CA_FILE: must be the path of a file with PEM certificates');
});

test('credentials for Temporal that cannot be read are named, where they are for the user’s own server', () => {
  const credentials = { TEMPORAL_TLS_CLIENT_CERT_PATH: '/nowhere/client.pem' };
  expect(problemsOf(credentials)).toEqual([]);
  expect(problemsOf({ ...credentials, TEMPORAL_ADDRESS: 'cloud:7233' })).toEqual([
    expect.stringMatching(/^TEMPORAL_\*: .*no such file/),
  ]);
});

test('the sandbox lets webhooks reach this machine; a live service does not', () => {
  expect(environmentOf({})).toMatchObject({
    SERVICE_MODE: 'test',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
  });
  expect(readLauncherConfig({}).allowedCidrs).toEqual(['127.0.0.0/8', '::1/128']);
  const live = environmentOf({ SERVICE_MODE: 'live' });
  expect(live).not.toHaveProperty('WEBHOOK_ALLOWED_CIDRS');
  expect(live).not.toHaveProperty('WEBHOOK_CA_FILE');
});

test('what the user set wins over what the launcher would choose', () => {
  const chosen = { WEBHOOK_ALLOWED_CIDRS: '10.0.0.0/8', PHONE_HASH_KEY: 'mine', SMTP_URL: 'smtp://mail' };
  const environment = environmentOf({ ...chosen, PUBLIC_URL: 'https://clinic.example' });
  expect(environment).toMatchObject({ ...chosen, PUBLIC_URL: 'https://clinic.example', PORT: '3001' });
  expect(environment).not.toHaveProperty('MAIL_DIRECTORY');
});

test('the embedded Temporal server gets none of the user’s credentials, and no profile file is read', () => {
  const user = {
    TEMPORAL_API_KEY: 'key',
    TEMPORAL_TLS: 'true',
    TEMPORAL_PROFILE: 'work',
    TEMPORAL_NAMESPACE: 'mine',
  };
  const embedded = environmentOf(user);
  expect(embedded).toMatchObject({
    TEMPORAL_CONFIG_FILE: '/nonexistent/temporal.toml',
    TEMPORAL_NAMESPACE: 'mine',
  });
  for (const name of ['TEMPORAL_API_KEY', 'TEMPORAL_TLS', 'TEMPORAL_PROFILE'])
    expect(embedded).not.toHaveProperty(name);

  const own = { ...EMBEDDED, temporal: { address: 'cloud:7233', uiUrl: null, isEmbedded: false } };
  const remote = environmentOf({ ...user, TEMPORAL_ADDRESS: 'cloud:7233' }, own);
  expect(remote).toMatchObject({
    TEMPORAL_API_KEY: 'key',
    TEMPORAL_TLS: 'true',
    TEMPORAL_ADDRESS: 'cloud:7233',
  });
  expect(remote).not.toHaveProperty('TEMPORAL_PROFILE');
});
