import { setTimeout as delay } from 'node:timers/promises';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { clientOfHosts } from './connection/hosts/client-of-hosts.ts';
import { DatabaseHosts } from './connection/hosts/database-hosts.ts';
import { withMigrationLock } from './connection/migration-lock.ts';
import { CoreMigration } from './migrations/migration-001-core.ts';
import { CallsMigration } from './migrations/migration-002-calls.ts';
import { RequestsMigration } from './migrations/migration-003-requests.ts';
import { WebhookHealthMigration } from './migrations/migration-004-webhook-health.ts';
import { RecallMigration } from './migrations/migration-005-recall.ts';
import { ListIndexesMigration } from './migrations/migration-006-list-indexes.ts';
import { FairOutboxMigration } from './migrations/migration-007-fair-outbox.ts';
import { KeysLastMigration } from './migrations/migration-008-keys-last.ts';
import { FirstAttemptsMigration } from './migrations/migration-009-first-attempts.ts';
import { RecordingRemovalsMigration } from './migrations/migration-010-recording-removals.ts';
import { ListsMigration } from './migrations/migration-011-lists.ts';
import { SealedEventsMigration } from './migrations/migration-012-sealed-events.ts';
import { AuditMigration } from './migrations/migration-013-audit.ts';
import { DeliveryErrorsMigration } from './migrations/migration-014-delivery-errors.ts';
import { RetentionMigration } from './migrations/migration-015-retention.ts';
import { KeyLifetimeMigration } from './migrations/migration-016-key-lifetime.ts';
import { RequestLogMigration } from './migrations/migration-017-request-log.ts';
import { CalleesMigration } from './migrations/migration-018-callees.ts';
import { ReadNoticesMigration } from './migrations/migration-019-read-notices.ts';
import { TracesMigration } from './migrations/migration-020-traces.ts';
import { PeopleMigration } from './migrations/migration-021-people.ts';
import { EndpointFailuresMigration } from './migrations/migration-022-endpoint-failures.ts';
import { UnreadNoticesMigration } from './migrations/migration-023-unread-notices.ts';
import { ClaimedInPlaceMigration } from './migrations/migration-024-claimed-in-place.ts';
import { DeliveryUrlsMigration } from './migrations/migration-025-delivery-urls.ts';
import { TurnsMigration } from './migrations/migration-027-turns.ts';
import { KeptFormsMigration } from './migrations/migration-029-kept-forms.ts';
import { KeysOfKeysMigration } from './migrations/migration-030-keys-of-keys.ts';
import { DeploymentModeMigration } from './migrations/migration-031-deployment-mode.ts';
import { WorkingHoursMigration } from './migrations/migration-032-working-hours.ts';
import { BusyBlocksMigration } from './migrations/migration-033-busy-blocks.ts';
import { ExternalIdsMigration } from './migrations/migration-034-external-ids.ts';
import { PatientsMigration } from './migrations/migration-035-patients.ts';
import { PatientsOfThePmsMigration } from './migrations/migration-037-patients-of-the-pms.ts';
import { IgnoredActorsMigration } from './migrations/migration-038-ignored-actors.ts';
import { OwnLengthMigration } from './migrations/migration-039-own-length.ts';
import { CallsOfAppointmentsMigration } from './migrations/migration-042-calls-of-appointments.ts';
import { TurnsOfAttemptedMigration } from './migrations/migration-049-turns-of-attempted.ts';
import { SlotHoldsMigration } from './migrations/migration-050-slot-holds.ts';
import { SlotHoldsCheckedMigration } from './migrations/migration-051-slot-holds-checked.ts';
import { HoldSlotMigration } from './migrations/migration-052-hold-slot.ts';
import { PatientSearchMigration } from './migrations/migration-053-patient-search.ts';
import { CallBacksMigration } from './migrations/migration-054-call-backs.ts';
import { ClinicsOfAttemptsMigration } from './migrations/migration-060-clinics-of-attempts.ts';
import { PatientReadsMigration } from './migrations/migration-066-patient-reads.ts';
import { PeopleShutOutMigration } from './migrations/migration-065-people-shut-out.ts';
import { WallsMigration } from './migrations/migration-061-walls.ts';
import { FieldsOfRequestsMigration } from './migrations/migration-056-fields-of-requests.ts';
import { ClinicKeysMigration } from './migrations/migration-070-clinic-keys.ts';
import { RecordingKeysMigration } from './migrations/migration-071-recording-keys.ts';
import { SealedNamesMigration } from './migrations/migration-072-sealed-names.ts';
import { ClinicsInListIndexesMigration } from './migrations/migration-073-clinics-in-list-indexes.ts';

/** In the order in which they run; a name, once released, never changes. */
const MIGRATIONS = [
  { name: '001-core', class: CoreMigration },
  { name: '002-calls', class: CallsMigration },
  { name: '003-requests', class: RequestsMigration },
  { name: '004-webhook-health', class: WebhookHealthMigration },
  { name: '005-recall', class: RecallMigration },
  { name: '006-list-indexes', class: ListIndexesMigration },
  { name: '007-fair-outbox', class: FairOutboxMigration },
  { name: '008-keys-last', class: KeysLastMigration },
  { name: '009-first-attempts', class: FirstAttemptsMigration },
  { name: '010-recording-removals', class: RecordingRemovalsMigration },
  { name: '011-lists', class: ListsMigration },
  { name: '012-sealed-events', class: SealedEventsMigration },
  { name: '013-audit', class: AuditMigration },
  { name: '014-delivery-errors', class: DeliveryErrorsMigration },
  { name: '015-retention', class: RetentionMigration },
  { name: '016-key-lifetime', class: KeyLifetimeMigration },
  { name: '017-request-log', class: RequestLogMigration },
  { name: '018-callees', class: CalleesMigration },
  { name: '019-read-notices', class: ReadNoticesMigration },
  { name: '020-traces', class: TracesMigration },
  { name: '021-people', class: PeopleMigration },
  { name: '022-endpoint-failures', class: EndpointFailuresMigration },
  { name: '023-unread-notices', class: UnreadNoticesMigration },
  { name: '024-claimed-in-place', class: ClaimedInPlaceMigration },
  { name: '025-delivery-urls', class: DeliveryUrlsMigration },
  { name: '027-turns', class: TurnsMigration },
  { name: '029-kept-forms', class: KeptFormsMigration },
  { name: '030-keys-of-keys', class: KeysOfKeysMigration },
  { name: '031-deployment-mode', class: DeploymentModeMigration },
  { name: '032-working-hours', class: WorkingHoursMigration },
  { name: '033-busy-blocks', class: BusyBlocksMigration },
  { name: '034-external-ids', class: ExternalIdsMigration },
  { name: '035-patients', class: PatientsMigration },
  { name: '037-patients-of-the-pms', class: PatientsOfThePmsMigration },
  { name: '038-ignored-actors', class: IgnoredActorsMigration },
  { name: '039-own-length', class: OwnLengthMigration },
  { name: '042-calls-of-appointments', class: CallsOfAppointmentsMigration },
  { name: '049-turns-of-attempted', class: TurnsOfAttemptedMigration },
  { name: '050-slot-holds', class: SlotHoldsMigration },
  { name: '051-slot-holds-checked', class: SlotHoldsCheckedMigration },
  { name: '052-hold-slot', class: HoldSlotMigration },
  { name: '053-patient-search', class: PatientSearchMigration },
  { name: '054-call-backs', class: CallBacksMigration },
  { name: '060-clinics-of-attempts', class: ClinicsOfAttemptsMigration },
  { name: '056-fields-of-requests', class: FieldsOfRequestsMigration },
  { name: '065-people-shut-out', class: PeopleShutOutMigration },
  { name: '066-patient-reads', class: PatientReadsMigration },
  { name: '070-clinic-keys', class: ClinicKeysMigration },
  { name: '071-recording-keys', class: RecordingKeysMigration },
  { name: '061-walls', class: WallsMigration },
  { name: '072-sealed-names', class: SealedNamesMigration },
  { name: '073-clinics-in-list-indexes', class: ClinicsInListIndexesMigration },
];

/** Whatever a migration waits for, bookings wait behind it: less long than they do for each other. */
const LOCK_TIMEOUT_MS = 2000;
const ATTEMPTS = 10;
const PAUSE_MS = 1000;

/**
 * Brings the schema up to date and returns the names of the migrations that ran. Safe to run from two places at once: one
 * waits for the other. What has run stays when a later one fails. Throws SQLSTATE 55P03 when a lock is not to be had within
 * half a minute; then run it again.
 */
export function migrate(databaseUrl: string): Promise<string[]> {
  const hosts = new DatabaseHosts(databaseUrl);
  return withMigrationLock(hosts, () =>
    withMigrator(hosts, async (migrator) => {
      const pending = await pendingNames(migrator);
      await upWithRetries(migrator);
      return pending;
    }),
  );
}

async function upWithRetries(migrator: MikroORM['migrator']): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await migrator.up();
      return;
    } catch (error) {
      if (!isLockTimeout(error) || attempt === ATTEMPTS) throw error;
      await delay(PAUSE_MS);
    }
  }
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03';
}

/** The names of the migrations that the database still lacks. */
export function pendingMigrations(databaseUrl: string): Promise<string[]> {
  return withMigrator(new DatabaseHosts(databaseUrl), pendingNames);
}

async function pendingNames(migrator: MikroORM['migrator']): Promise<string[]> {
  return (await migrator.getPending()).map(({ name }) => name);
}

async function withMigrator<Result>(
  hosts: DatabaseHosts,
  work: (migrator: MikroORM['migrator']) => Promise<Result>,
): Promise<Result> {
  const orm = await MikroORM.init({
    clientUrl: hosts.url,
    entities: [],
    extensions: [Migrator],
    ensureDatabase: false,
    logger: () => undefined,
    discovery: { warnWhenNoEntities: false },
    driverOptions: {
      Client: clientOfHosts(hosts, { lock_timeout: String(LOCK_TIMEOUT_MS) }),
      application_name: 'migrate',
    },
    migrations: { migrationsList: MIGRATIONS, snapshot: false, transactional: true, allOrNothing: false },
  });
  try {
    return await work(orm.migrator);
  } finally {
    await orm.close(true);
  }
}
