import { Migration } from '@mikro-orm/migrations';
import { ADMISSION } from './baseline/admission.ts';
import { APPOINTMENTS } from './baseline/appointments.ts';
import { AUDIT } from './baseline/audit.ts';
import { CALLS } from './baseline/calls.ts';
import { CLINIC } from './baseline/clinic.ts';
import { ENCRYPTION } from './baseline/encryption.ts';
import { FOUNDATION } from './baseline/foundation.ts';
import { HOLDS } from './baseline/holds.ts';
import { OUTBOX } from './baseline/outbox.ts';
import { PATIENTS } from './baseline/patients.ts';
import { PEOPLE } from './baseline/people.ts';
import { READS } from './baseline/reads.ts';
import { RECALL } from './baseline/recall.ts';
import { REQUESTS } from './baseline/requests.ts';
import { ROLES } from './baseline/roles.ts';
import { WEBHOOK_DELIVERIES } from './baseline/webhook-deliveries.ts';
import { WEBHOOK_ENDPOINTS } from './baseline/webhook-endpoints.ts';

/** Each refers to those before it. */
const SUBJECTS = [
  ROLES,
  FOUNDATION,
  CLINIC,
  ENCRYPTION,
  CALLS,
  APPOINTMENTS,
  HOLDS,
  PATIENTS,
  RECALL,
  WEBHOOK_ENDPOINTS,
  WEBHOOK_DELIVERIES,
  OUTBOX,
  REQUESTS,
  ADMISSION,
  PEOPLE,
  AUDIT,
  READS,
];

/** The schema of the first release, subject by subject. Each table stands with its keys, its indexes and its wall. */
export class BaselineMigration extends Migration {
  override up(): void {
    for (const subject of SUBJECTS) this.addSql(subject);
  }
}
