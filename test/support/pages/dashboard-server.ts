import { UnreadBytes } from '../../../adapters/connections/unread-bytes.ts';
import { openIdentityProvider } from '../../../adapters/identity/identity-provider.ts';
import { createLogger } from '../../../adapters/logs/logger.ts';
import { createPhoneHash } from '../../../adapters/phones/phone-hash.ts';
import { createWebhookUrlCheck } from '../../../adapters/webhooks/webhook-url.ts';
import { createDashboard, type DashboardDependencies } from '../../../dashboard/app.ts';
import { openGuestDatabase } from '../../../dashboard/start.ts';
import { listen } from '../../../dashboard/serving/listen.ts';
import { returnAddresses } from '../../../dashboard/sign-in/return-addresses.ts';
import { createDashboardMetrics, type DashboardMetrics } from '../../../dashboard/metrics.ts';
import { startReadRecorder } from '../../../commands/patient-reads/read-recorder.ts';
import type { Database } from '../../../db/connection/open-database.ts';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { createPatientLinks } from '../../../domain/appointments/patient-link.ts';
import { createRecordingLinks } from '../../../domain/calls/recording-link.ts';
import { SUPPORT_ORGANISATION } from '../../../dev/identity/demo-people.ts';
import { anyPort } from '../../../dev/processes/free-port.ts';
import { TEST_CIPHER } from '../servers/api-server.ts';
import { aClinic, type TestClinic } from '../clinic.ts';
import { createTestDatabase, openDatabaseAt } from '../database.ts';
import { forSuite } from '../for-suite.ts';
import { startTestIdentity, type TestIdentity } from './test-identity.ts';
import { createVisitor, signIn, type Visitor } from './visitor.ts';
import { GUEST_LOGIN } from '../guest-login.ts';
import { linesTo } from '../test-logger.ts';
import { TEST_SEALING } from '../sealing.ts';

/** The real dashboard over the real database, with one clinic and a real identity provider. */
export interface TestDashboard {
  url: string;
  dependencies: DashboardDependencies;
  database: Database;
  databaseUrl: string;
  clinic: TestClinic;
  /** A visitor without a session. @param address as reported by a proxy */
  stranger(address?: string): Visitor;
  /** A signed-in person: `ana` is owner, `miguel` manager, `rita` reception, `sofia` support. */
  person(name: 'ana' | 'miguel' | 'rita' | 'sofia'): Promise<Visitor>;
  /** Where people sign in. */
  identity: TestIdentity;
  metrics: DashboardMetrics;
  /** The log so far, a line each. */
  log: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

const API_URL = 'http://api.test';
const CLIENT = { clientId: 'dashboard', clientSecret: 'only-for-tests' };

export async function startTestDashboard(
  overrides: Partial<DashboardDependencies> = {},
): Promise<TestDashboard> {
  await using resources = new AsyncDisposableStack();
  const own = await createTestDatabase();
  resources.defer(() => own[Symbol.asyncDispose]());
  const database = resources.use(await openDatabaseAt(own.url, { applicationName: 'test-dashboard' }));
  const publicUrl = new URL(own.url);
  [publicUrl.username, publicUrl.password] = [GUEST_LOGIN.name, GUEST_LOGIN.password];
  const guests = resources.use(
    await openGuestDatabase({ database: { url: own.url }, publicDatabaseUrl: publicUrl.href }, TEST_SEALING),
  );
  const clinic = await aClinic(database, { professionals: 2 });
  const { identityOrgId: organisation } = await database
    .em()
    .findOneOrFail(TenantEntity, { id: clinic.tenantId });
  const [port, issuerPort] = [await anyPort('127.0.0.1'), await anyPort('127.0.0.1')];
  const url = `http://127.0.0.1:${port}`;
  const addresses = returnAddresses(url);
  const identity = resources.use(
    await startTestIdentity({ ...CLIENT, port: issuerPort, ...addresses, organisation }),
  );
  const log: string[] = [];
  const unread = new UnreadBytes();
  const metrics = createDashboardMetrics(database, unread);
  const logger = createLogger({ level: 'info', process: 'dashboard', destination: linesTo(log) });
  const onLost = metrics.onUnrecordedReads;
  const now = overrides.now ?? (() => new Date());
  const dependencies: DashboardDependencies = {
    database,
    guests,
    metrics,
    unread,
    logger,
    reads: resources.use(startReadRecorder({ database, onLost, logger, now })),
    mode: 'test',
    cipher: TEST_CIPHER,
    phoneHash: createPhoneHash({ current: Buffer.alloc(32, 7) }),
    links: createPatientLinks([Buffer.alloc(32, 9)]),
    areLimitsDisabled: true,
    sendsMail: true,
    trustedHops: 0,
    recordingLinks: createRecordingLinks([Buffer.alloc(32, 9)], API_URL),
    // Host names in tests must not be resolved on the internet.
    egressAddresses: ['203.0.113.7'],
    checkWebhookUrl: createWebhookUrlCheck({ allowedCidrs: [], resolve: async () => ['192.88.100.1'] }),
    temporalUi: { url: 'http://temporal.test', namespace: 'default' },
    examine: async () => [{ name: 'database', ok: true, detail: 'answers' }],
    provider: openIdentityProvider({
      ...CLIENT,
      issuer: new URL(`http://127.0.0.1:${issuerPort}`),
      ...addresses,
      organisationClaim: 'org_id',
      roleClaim: 'role',
      supportOrganisation: SUPPORT_ORGANISATION,
    }),
    leaving: new AbortController().signal,
    dashboardUrl: url,
    apiUrl: API_URL,
    now,
    ...overrides,
  };
  const app = createDashboard(dependencies);
  resources.use(await listen(app.callback(), { host: '127.0.0.1', port }));
  const kept = resources.move();
  return {
    url,
    dependencies,
    database,
    databaseUrl: own.url,
    clinic,
    identity,
    metrics,
    log,
    stranger: (address) => createVisitor(url, address),
    async person(name) {
      const visitor = createVisitor(url);
      await signIn(visitor, name);
      return visitor;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** A dashboard that all tests of a suite share. */
export function suiteDashboard(overrides: Partial<DashboardDependencies> = {}): Promise<TestDashboard> {
  return forSuite(startTestDashboard(overrides));
}
