import { describe, expect, test } from '@jest/globals';
import { parseApiKey } from '../../domain/clinic/api-key.ts';
import { SCOPE_PRESETS } from '../../domain/clinic/api-scopes.ts';
import { suiteDatabase } from '../support/database.ts';
import { adminWith, answerOf, idOf, itemsOf, type Json } from './admin-runs.ts';
import { TEST_ENCRYPTION_KEY } from '../support/sealing.ts';
import { storedEvents } from '../support/stored/stored-events.ts';

const database = await suiteDatabase();
const ENCRYPTION_KEY = TEST_ENCRYPTION_KEY.toString('base64');
const admin = adminWith({ DATABASE_URL: database.url, SERVICE_MODE: 'test', ENCRYPTION_KEY });
const clinic = idOf(
  await answerOf(admin('tenant', 'create', '--name', 'Clínica Sol', '--specialty', 'dental')),
);

describe('clinics', () => {
  test('a clinic is opened active, on the basic plan, in Lisbon time, with an identity of its own', async () => {
    const tenant = await answerOf(
      admin(
        'tenant',
        'create',
        '--name',
        'Fisio Norte',
        '--specialty',
        'physio',
        '--email',
        'a@norte.example',
      ),
    );
    expect(tenant).toMatchObject({
      identityOrgId: expect.stringMatching(/^org_[0-9a-f]{32}$/),
      name: 'Fisio Norte',
      specialty: 'physio',
      email: 'a@norte.example',
      phone: null,
      country: 'PT',
      plan: 'basic',
      status: 'active',
      config: { timezone: 'Europe/Lisbon', retention: { recordingDays: 90, transcriptDays: 365 } },
      publicBookingEnabled: false,
    });
    expect(await answerOf(admin('tenant', 'show', '--tenant', idOf(tenant)))).toEqual(tenant);
    expect(await itemsOf(admin('tenant', 'list'))).toContainEqual(tenant);
  });

  test('what is given at the opening is kept', async () => {
    const options = ['--timezone', 'Asia/Kathmandu', '--phone', '+9771234567', '--country', 'NP'];
    const tenant = await answerOf(
      admin('tenant', 'create', '--name', 'K', '--specialty', 'other', ...options),
    );
    expect(tenant).toMatchObject({
      phone: '+9771234567',
      country: 'NP',
      config: { timezone: 'Asia/Kathmandu' },
    });
  });

  test('an update changes what is named, clears with an empty text, and leaves the rest', async () => {
    const update = (...options: string[]) =>
      answerOf(admin('tenant', 'update', '--tenant', clinic, ...options));
    const first = await update(
      '--status',
      'past_due',
      '--plan',
      'pro',
      '--email',
      'b@sol.example',
      '--city',
      'Porto',
    );
    expect(first).toMatchObject({ status: 'past_due', plan: 'pro', email: 'b@sol.example', city: 'Porto' });
    const second = await update('--email', '', '--public-booking-enabled', 'true');
    expect(second).toMatchObject({ email: null, city: 'Porto', plan: 'pro', publicBookingEnabled: true });
    expect(second['name']).toBe('Clínica Sol');
  });

  test('a new time zone is announced to the receivers, the same one again is not', async () => {
    await answerOf(admin('tenant', 'update', '--tenant', clinic, '--timezone', 'Atlantic/Azores'));
    await answerOf(admin('tenant', 'update', '--tenant', clinic, '--timezone', 'Atlantic/Azores'));
    const bodies = (await storedEvents(database, { tenantId: clinic })).map(
      ({ body }) => JSON.parse(body ?? '') as Json,
    );
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).toMatchObject({
      type: 'tenant.config_updated',
      data: { config: { timezone: 'Atlantic/Azores' }, changedKeys: ['timezone'] },
    });
  });

  test('the requests of all keys of a clinic are limited as the operator says, within bounds', async () => {
    const update = (limit: string) =>
      admin('tenant', 'update', '--tenant', clinic, '--requests-per-minute', limit);
    expect(await answerOf(update('60000'))).toMatchObject({ limits: { requestsPerMinute: 60_000 } });
    const refused = [await update('29'), await update('60001')];
    for (const { exitCode, stderr } of refused)
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('from 30 to 60000')]);
    expect(await answerOf(update('3000'))).toMatchObject({ limits: { requestsPerMinute: 3000 } });
  });

  test('two clinics cannot have the same public slug', async () => {
    const other = await answerOf(admin('tenant', 'create', '--name', 'Outra', '--specialty', 'dental'));
    await answerOf(admin('tenant', 'update', '--tenant', clinic, '--public-slug', 'sol'));
    const refused = await admin('tenant', 'update', '--tenant', idOf(other), '--public-slug', 'sol');
    expect(refused).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('public_slug_taken'),
    });
  });
});

describe('keys', () => {
  test('a key is shown once, works in the mode of the deployment, and only its hash is stored', async () => {
    const created = await answerOf(
      admin('key', 'create', '--tenant', clinic, '--name', 'PMS', '--preset', 'pms'),
    );
    const key = String(created['key']);
    const parsed = parseApiKey(key);
    expect(parsed).toMatchObject({ mode: 'test', publicId: created['publicId'] });
    expect(new Set(created['scopes'] as string[])).toEqual(new Set(SCOPE_PRESETS.pms));
    expect(created).toMatchObject({ name: 'PMS', expiresAt: null, revokedAt: null, lastUsedAt: null });
    const listed = await admin('key', 'list', '--tenant', clinic);
    expect(listed.stdout).toContain(idOf(created));
    expect(listed.stdout).not.toContain(key);
    const [row] = await database
      .em()
      .execute<{ secret_hash: Buffer }[]>(`SELECT secret_hash FROM api_key WHERE id = '${idOf(created)}'`);
    expect(row?.secret_hash).toEqual(parsed?.secretHash);
  });

  test('a live deployment makes live keys', async () => {
    const live = adminWith({ DATABASE_URL: database.url, SERVICE_MODE: 'live' });
    const created = await answerOf(live('key', 'create', '--tenant', clinic));
    expect(created['key']).toMatch(/^svc_live_/);
    expect(created['scopes']).toEqual(SCOPE_PRESETS.everything);
  });

  test('a key can name its scopes and its last day', async () => {
    const created = await answerOf(
      admin(
        'key',
        'create',
        '--tenant',
        clinic,
        '--scopes',
        'calls:read, tenant:read',
        '--expires-in-days',
        '30',
      ),
    );
    expect(new Set(created['scopes'] as string[])).toEqual(new Set(['tenant:read', 'calls:read']));
    const lifetime = Date.parse(String(created['expiresAt'])) - Date.parse(String(created['createdAt']));
    expect(lifetime).toBe(30 * 86_400_000);
  });

  test('a revoked key stays revoked since the first time', async () => {
    const key = idOf(await answerOf(admin('key', 'create', '--tenant', clinic)));
    const first = await answerOf(admin('key', 'revoke', '--key', key));
    expect(first['revokedAt']).not.toBeNull();
    expect(await answerOf(admin('key', 'revoke', '--key', key))).toEqual(first);
  });

  test('without SERVICE_MODE no key is made, and the message names the variable', async () => {
    const undecided = adminWith({ DATABASE_URL: database.url });
    const refused = await undecided('key', 'create', '--tenant', clinic);
    expect(refused).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('SERVICE_MODE'),
    });
  });
});

describe('professionals and services', () => {
  test('a professional is added, changed and deactivated', async () => {
    const created = await answerOf(
      admin(
        'professional',
        'create',
        '--tenant',
        clinic,
        '--name',
        'Ana Reis',
        '--specialty',
        'Endodontics',
        '--title',
        'Dr.',
      ),
    );
    expect(created).toMatchObject({
      name: 'Ana Reis',
      title: 'Dr.',
      email: null,
      metadata: {},
      active: true,
    });
    const professional = idOf(created);
    const changed = await answerOf(
      admin('professional', 'update', '--professional', professional, '--title', ''),
    );
    expect(changed).toEqual({ ...created, title: null });
    const left = await answerOf(admin('professional', 'deactivate', '--professional', professional));
    expect(left).toEqual({ ...changed, active: false });
  });

  test('a service keeps its length, price and professionals', async () => {
    const [ana, rui] = await Promise.all([aProfessional('Ana'), aProfessional('Rui')]);
    const created = await answerOf(
      admin(
        'service',
        'create',
        '--tenant',
        clinic,
        '--name',
        'Check-up',
        '--duration',
        '30',
        '--buffer',
        '5',
        '--price',
        '50',
        '--professionals',
        `${rui},${ana}`,
      ),
    );
    expect(created).toMatchObject({
      name: 'Check-up',
      description: null,
      durationMinutes: 30,
      bufferMinutes: 5,
      priceEur: '50.00',
      eligibleProfessionalIds: [ana, rui].sort(),
      active: true,
    });
    const service = idOf(created);
    const narrowed = await answerOf(
      admin(
        'service',
        'update',
        '--service',
        service,
        '--professionals',
        ana,
        '--price',
        '',
        '--duration',
        '45',
      ),
    );
    expect(narrowed).toEqual({
      ...created,
      eligibleProfessionalIds: [ana],
      priceEur: null,
      durationMinutes: 45,
    });
    const open = await answerOf(admin('service', 'update', '--service', service, '--professionals', ''));
    expect(open).toEqual({ ...narrowed, eligibleProfessionalIds: [] });
    const ended = await answerOf(admin('service', 'deactivate', '--service', service));
    expect(ended).toEqual({ ...open, active: false });
  });

  test("another clinic's professional cannot offer the service, and nothing is stored", async () => {
    const other = await answerOf(admin('tenant', 'create', '--name', 'Outra', '--specialty', 'dental'));
    const stranger = await aProfessional('Eva', idOf(other));
    const refused = await admin(
      'service',
      'create',
      '--tenant',
      clinic,
      '--name',
      'Stray',
      '--duration',
      '30',
      '--professionals',
      stranger,
    );
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(stranger) });
    const stored = await database.em().execute(`SELECT id FROM service_type WHERE name = 'Stray'`);
    expect(stored).toEqual([]);
  });
});

async function aProfessional(name: string, tenant = clinic): Promise<string> {
  return idOf(
    await answerOf(
      admin('professional', 'create', '--tenant', tenant, '--name', name, '--specialty', 'Dentistry'),
    ),
  );
}
