import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import { compose, composeText, environmentOf, services, type ComposeService } from './compose-file.ts';

const jobs = services.filter(([, { restart }]) => restart === 'no');
const lasting = services.filter(([, { restart }]) => restart === 'unless-stopped');
/** Images whose own user is not root. */
const UNPRIVILEGED_IMAGES = /^(clinic-appointments|temporalio\/(server|admin-tools|ui)):/;

describe('docker-compose.yml', () => {
  test('has every part of the service', () => {
    expect(Object.keys(compose.services).sort()).toEqual(
      [
        'postgres',
        'temporal-schema',
        'temporal',
        'temporal-namespace',
        'temporal-ui',
        'logins',
        'migrate',
        'admin',
        'temporal-setup',
        'storage-account',
        'storage',
        'storage-policy',
        'api',
        'dashboard',
        'proxy',
        'worker',
        'mail',
        'prometheus',
        'alertmanager',
        'postgres-exporter',
        'node-exporter',
        'wal-archive',
        'backup',
        'restore',
        'grafana',
      ].sort(),
    );
    expect(jobs.length + lasting.length).toBe(services.length);
  });

  test.each(services)('%s runs an image with an exact version, and of others the digest', (_name, part) => {
    const { image = '', build } = part;
    expect(image).toMatch(/^[a-z./-]+:v?\d+\.\d+(\.\d+)?(-[a-z0-9]+)?(@sha256:[0-9a-f]{64})?$/);
    expect(image.includes('@') || build !== undefined).toBe(true);
    expect(image).not.toContain('auto-setup');
  });

  test.each(lasting)('%s has a health check', (_name, { healthcheck }) => {
    expect(healthcheck?.test.length).toBeGreaterThan(1);
  });

  test.each(['api', 'worker'])('%s is started again however it ends, with code 1 too', (name) => {
    expect(compose.services[name]?.restart).toBe('unless-stopped');
  });

  test.each(services)('%s runs without root and without privileges', (_name, service) => {
    const hasUser = service.user !== undefined && !/^(root|0)/.test(service.user);
    expect(hasUser || UNPRIVILEGED_IMAGES.test(service.image ?? '')).toBe(true);
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toContain('no-new-privileges:true');
  });

  test.each(services)(
    '%s waits for parts in the way that fits them',
    (_name, { depends_on: awaited = {} }) => {
      for (const [name, { condition }] of Object.entries(awaited)) {
        const isJob = jobs.some(([job]) => job === name);
        expect(compose.services).toHaveProperty(name);
        expect(condition).toBe(isJob ? 'service_completed_successfully' : 'service_healthy');
      }
    },
  );

  test('the API and the worker start after everything they need, in every order of the waiting', () => {
    expect(awaitedBy('worker')).toEqual(
      new Set([
        'migrate',
        'logins',
        'postgres',
        'temporal-setup',
        'temporal-namespace',
        'temporal',
        'temporal-schema',
      ]),
    );
    expect(awaitedBy('api')).toEqual(
      new Set(['migrate', 'logins', 'postgres', 'storage', 'storage-account', 'storage-policy']),
    );
  });

  test.each(services)('%s mounts only what exists', (_name, { volumes = [] }) => {
    for (const volume of volumes) {
      const [source = ''] = volume.replace(/^\$\{\w+:-([^}]+)\}/, '$1').split(':');
      const isThere = source.startsWith('.')
        ? existsSync(join(PROJECT_ROOT, source))
        : source in compose.volumes;
      expect([source, isThere]).toEqual([source, true]);
    }
  });

  test.each(services)('%s publishes its ports on this machine alone', (name, { ports = [] }) => {
    const unlessTold =
      name === 'proxy' ? /^(127\.0\.0\.1|\$\{PROXY_ADDRESS:-127\.0\.0\.1\}):/ : /^127\.0\.0\.1:/;
    for (const port of ports) expect(port).toMatch(unlessTold);
  });

  test('secrets come from the environment and have no default', () => {
    const secrets = [
      'SERVICE_MODE',
      'POSTGRES_PASSWORD',
      'CLINIC_DB_PASSWORD',
      'CLINIC_APP_DB_PASSWORD',
      'CLINIC_API_DB_PASSWORD',
      'CLINIC_WORKER_DB_PASSWORD',
      'CLINIC_DASHBOARD_DB_PASSWORD',
      'CLINIC_PUBLIC_DB_PASSWORD',
      'STORAGE_SECRET_KEY',
      'STORAGE_ROOT_SECRET_KEY',
      'GRAFANA_PASSWORD',
      'TEMPORAL_DB_PASSWORD',
      'MONITORING_DB_PASSWORD',
      'BACKUP_DB_PASSWORD',
      'PHONE_HASH_KEY',
      'ENCRYPTION_KEY',
    ];
    const example = readFileSync(join(PROJECT_ROOT, '.env.example'), 'utf8');
    for (const secret of secrets) {
      const uses = composeText.match(new RegExp(`\\$\\{${secret}(?![A-Z_])[^}]*\\}`, 'g')) ?? [];
      expect(uses.length).toBeGreaterThan(0);
      for (const use of uses) expect(use).toMatch(/^\$\{[A-Z_]+:\?/);
      expect(example).toMatch(new RegExp(`^${secret}=`, 'm'));
    }
    for (const [, name] of composeText.matchAll(/\$\{([A-Z_]+)/g)) {
      expect(example).toMatch(new RegExp(`^#?${name}=`, 'm'));
    }
  });

  test('a secret is given only to the parts that need it', () => {
    const holders = (secret: string) =>
      services
        .filter(([, { environment = {} }]) => Object.values(environment).join().includes(`{${secret}:`))
        .map(([name]) => name);
    for (const each of ['PHONE_HASH_KEY', 'PHONE_HASH_KEY_PREVIOUS', 'PHONE_HASH_KEY_NEXT'])
      expect(holders(each)).toEqual(['admin', 'api', 'dashboard']);
    expect(holders('ENCRYPTION_KEY')).toEqual(['admin', 'api', 'dashboard', 'worker']);
    expect(holders('STORAGE_SECRET_KEY')).toEqual(['admin', 'storage-account', 'api']);
    expect(holders('STORAGE_ROOT_SECRET_KEY')).toEqual(['storage', 'storage-policy']);
    expect(holders('CLINIC_DB_PASSWORD')).toEqual(['postgres', 'migrate']);
    expect(holders('POSTGRES_PASSWORD')).toEqual(['postgres', 'logins']);
    expect(holders('CLINIC_APP_DB_PASSWORD')).toEqual(['postgres', 'admin']);
    for (const each of ['api', 'worker', 'dashboard'])
      expect(holders(`CLINIC_${each.toUpperCase()}_DB_PASSWORD`)).toEqual(['logins', each]);
    expect(holders('CLINIC_PUBLIC_DB_PASSWORD')).toEqual(['logins', 'dashboard']);
    expect(holders('TEMPORAL_DB_PASSWORD')).toEqual(['postgres', 'temporal-schema', 'temporal']);
    expect(holders('MONITORING_DB_PASSWORD')).toEqual(['postgres', 'postgres-exporter']);
    expect(holders('BACKUP_DB_PASSWORD')).toEqual(['postgres', 'wal-archive', 'backup']);
    expect(holders('GRAFANA_PASSWORD')).toEqual(['grafana']);
  });

  test('a part is in the networks of its tiers alone', () => {
    const members = Object.keys(compose.networks).map((network) => [
      network,
      services.filter(([, part]) => networksOf(part).includes(network)).map(([name]) => name),
    ]);
    expect(Object.fromEntries(members)).toEqual({
      edge: ['api', 'dashboard', 'proxy'],
      outside: ['worker'],
      database: [
        'postgres',
        'logins',
        'migrate',
        'admin',
        'api',
        'dashboard',
        'worker',
        'wal-archive',
        'backup',
        'postgres-exporter',
      ],
      engine: [
        'temporal',
        'temporal-namespace',
        'temporal-ui',
        'admin',
        'temporal-setup',
        'worker',
        'prometheus',
      ],
      'engine-store': ['postgres', 'temporal-schema', 'temporal'],
      metrics: ['api', 'dashboard', 'worker', 'prometheus', 'postgres-exporter', 'node-exporter'],
      storage: ['admin', 'storage', 'storage-policy', 'api'],
      mail: ['worker', 'alertmanager', 'mail'],
      console: ['temporal-ui'],
      monitoring: ['prometheus', 'alertmanager', 'grafana'],
    });
    expect(networksOf(compose.services['storage-account'] ?? {})).toEqual([]);
  });

  test('nothing leads outside from where the database, Temporal and metrics are, and what has a port is in another one too', () => {
    const internal = Object.keys(compose.networks).filter((name) => compose.networks[name]?.internal);
    expect(internal).toEqual(['database', 'engine', 'engine-store', 'metrics']);
    for (const [name, part] of services.filter(([, { ports }]) => ports)) {
      expect([name, networksOf(part).some((network) => !internal.includes(network))]).toEqual([name, true]);
    }
  });

  test('nothing that others reach shares a network with Temporal, which asks for no login', () => {
    const ofTemporal = networksOf(compose.services['temporal'] ?? {});
    const beside = services.filter(([, part]) => networksOf(part).some((name) => ofTemporal.includes(name)));
    const own = [
      'temporal',
      'temporal-schema',
      'temporal-namespace',
      'temporal-ui',
      'postgres',
      'prometheus',
    ];
    expect(beside.map(([name]) => name).toSorted()).toEqual(
      [...own, 'worker', 'admin', 'temporal-setup'].toSorted(),
    );
    for (const name of ['api', 'dashboard']) {
      const told = Object.keys(environmentOf(name)).filter((each) => each.startsWith('TEMPORAL_'));
      expect([name, told.toSorted()]).toEqual([name, ['TEMPORAL_NAMESPACE', 'TEMPORAL_UI_URL']]);
    }
  });

  test.each(services)('%s shares a network with each part that its environment names', (_name, part) => {
    const said = Object.values(part.environment ?? {}).join(' ');
    const named = services.filter(([other]) => new RegExp(`[@/]${other}:\\d|^${other}:\\d`).test(said));
    for (const [other, { networks }] of named) {
      const shared = networksOf({ networks }).filter((network) => networksOf(part).includes(network));
      expect([other, shared.length > 0]).toEqual([other, true]);
    }
  });

  // Temporal's UI writes its own configuration when it starts.
  const written = ['temporal-ui', 'temporal-schema', 'temporal-namespace'];
  test.each(services.filter(([name]) => !written.includes(name)))(
    '%s cannot be written to',
    (_name, part) => {
      expect(part.read_only).toBe(true);
    },
  );

  test.each(lasting)('%s may take only so much memory', (_name, { mem_limit: limit }) => {
    expect(limit).toMatch(/^\d+[mg]$/);
  });

  test.each(['api', 'worker'])('two of %s share the work, and nothing keeps it from being more', (name) => {
    const part = compose.services[name];
    expect(part?.deploy?.replicas).toBe(2);
    expect([part?.ports, part?.container_name]).toEqual([undefined, undefined]);
  });

  test('the proxy stands before every process that people and programs ask', () => {
    const caddyfile = readFileSync(join(PROJECT_ROOT, 'docker/proxy/Caddyfile'), 'utf8');
    for (const name of ['api', 'dashboard']) {
      const { environment } = compose.services[name] ?? {};
      expect(caddyfile).toContain(
        `import to_each ${name} ${environment?.['PORT'] ?? environment?.['DASHBOARD_PORT']}`,
      );
      expect(environment?.['TRUSTED_PROXY_HOPS']).toBe('${TRUSTED_PROXY_HOPS:-1}');
    }
  });

  test('each of our processes runs what an npm script runs, and that file exists', () => {
    const { scripts } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const scriptOf = {
      migrate: 'migrate',
      'temporal-setup': 'temporal:setup',
      api: 'api',
      worker: 'worker',
      dashboard: 'dashboard',
    };
    for (const [service, script] of Object.entries(scriptOf)) {
      const command = compose.services[service]?.command ?? [];
      expect(command.join(' ')).toBe(scripts[script]?.replace(/^exec /, ''));
      expect(existsSync(join(PROJECT_ROOT, command.at(-1) ?? ''))).toBe(true);
    }
  });

  test.each(jobs.filter(([, { entrypoint }]) => entrypoint))('%s runs a script of ours', (_name, job) => {
    const mounted = job.volumes?.find((volume) => volume.endsWith(':/scripts:ro'))?.split(':')[0] ?? '';
    const script = job.entrypoint?.[1]?.replace('/scripts', mounted) ?? '';
    expect(existsSync(join(PROJECT_ROOT, script))).toBe(true);
  });
});

function networksOf({ networks = [], network_mode: mode }: ComposeService): string[] {
  if (mode === 'none') return [];
  return Array.isArray(networks) ? networks : Object.keys(networks);
}

function awaitedBy(name: string, found = new Set<string>()): Set<string> {
  for (const awaited of Object.keys(compose.services[name]?.depends_on ?? {})) {
    found.add(awaited);
    awaitedBy(awaited, found);
  }
  return found;
}
