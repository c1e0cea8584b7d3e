import { expect, test } from '@jest/globals';
import { childEnvironment, type Addresses } from '../../dev/processes/child-environment.ts';
import { readLauncherConfig } from '../../dev/config.ts';
import { dataDirectory } from '../../dev/data-directory/data-directory.ts';

const KEYS = { phoneHashKey: 'cGhvbmU=', encryptionKey: 'ZW5j', databasePassword: 'secret' };
const EMBEDDED: Addresses = {
  databaseUrl: 'postgresql://localhost/clinic',
  temporal: { address: '127.0.0.1:7233', uiUrl: 'http://127.0.0.1:8233', isEmbedded: true },
  apiPort: 3001,
  apiUrl: 'http://127.0.0.1:3001',
};

function environmentOf(variables: NodeJS.ProcessEnv, addresses = EMBEDDED): NodeJS.ProcessEnv {
  const config = readLauncherConfig(variables);
  return childEnvironment(config, dataDirectory('.local'), KEYS, addresses);
}

test('every problem of the environment is listed at once', () => {
  expect(() => readLauncherConfig({ SERVICE_MODE: 'production', PORT: 'http' })).toThrow(
    /SERVICE_MODE[^]*PORT/,
  );
});

test('the sandbox lets webhooks reach this machine; a live service does not', () => {
  expect(environmentOf({})).toMatchObject({
    SERVICE_MODE: 'test',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
  });
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
    TEMPORAL_CONFIG_FILE: dataDirectory('.local').temporalProfile,
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
