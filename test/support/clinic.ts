import { uuidv7 } from 'uuidv7';
import { createApiKey } from '../../commands/clinic/create-api-key.ts';
import { bookAppointment } from '../../commands/appointments/book-appointment.ts';
import type { BookAppointment } from '../../commands/appointments/plan-booking.ts';
import { changeAppointment, type ChangeAppointment } from '../../commands/appointments/change-appointment.ts';
import type { CommandContext } from '../../commands/command-context.ts';
import { ProfessionalEntity } from '../../db/entities/professional.entity.ts';
import { ServiceTypeEntity, type ServiceTypeRow } from '../../db/entities/service-type.entity.ts';
import { TenantEntity } from '../../db/entities/tenant.entity.ts';
import { WebhookEndpointEntity } from '../../db/entities/webhooks/webhook-endpoint.entity.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { SCOPES } from '../../domain/clinic/api-scopes.ts';

export interface TestClinic {
  tenantId: string;
  professionalIds: string[];
  serviceTypeId: string;
}

/** A clinic with `professionals` professionals and one half-hour service that all of them offer. */
export async function aClinic(
  database: Database,
  options: {
    professionals?: number;
    config?: Record<string, unknown>;
    service?: Partial<ServiceTypeRow>;
  } = {},
): Promise<TestClinic> {
  const tenantId = uuidv7();
  const serviceTypeId = uuidv7();
  const professionalIds = Array.from({ length: options.professionals ?? 1 }, () => uuidv7());
  await database.write(async (em) => {
    await em.insert(TenantEntity, {
      id: tenantId,
      identityOrgId: `org_${tenantId}`,
      name: 'Clínica da Luz',
      country: 'PT',
      specialty: 'dental',
      config: { timezone: 'Europe/Lisbon', ...options.config },
    });
    await em.insertMany(
      ProfessionalEntity,
      professionalIds.map((id) => ({ id, tenantId, name: 'Ana', specialty: 'Dentistry', metadata: {} })),
    );
    const service = { durationMinutes: 30, bufferMinutes: 0, ...options.service };
    await em.insert(ServiceTypeEntity, { id: serviceTypeId, tenantId, name: 'Check-up', ...service });
  });
  return { tenantId, professionalIds, serviceTypeId };
}

/** A key with every scope. */
export async function aKey(database: Database, tenantId: string): Promise<string> {
  const input = { tenantId, name: 'test', scopes: SCOPES, expiresAt: null, mode: 'test' as const };
  const { key } = await database.write((em) => createApiKey(em, input, asOperator()));
  return key;
}

/** A working endpoint without a secret, so nothing can be sent to it. */
export async function anEndpoint(database: Database, tenantId: string, events = ['*']): Promise<string> {
  const id = uuidv7();
  await database.write((em) =>
    em.insert(WebhookEndpointEntity, { id, tenantId, url: 'https://receiver.example/hook', events }),
  );
  return id;
}

export function asOperator(now = new Date()): CommandContext {
  return { actor: 'operator', requestId: null, now };
}

/** A booking of the clinic's first professional; `changes` holds what matters to the test. */
export function aBooking(clinic: TestClinic, changes: Partial<BookAppointment> = {}): BookAppointment {
  return {
    tenantId: clinic.tenantId,
    professionalId: clinic.professionalIds[0] ?? '',
    serviceTypeId: clinic.serviceTypeId,
    patientName: 'Maria Santos',
    patientPhoneHash: 'a'.repeat(64),
    startsAt: inHours(24),
    source: 'manual',
    patientNotes: null,
    metadata: null,
    externalId: null,
    patientExternalId: null,
    callId: null,
    mayBackdate: false,
    ...changes,
  };
}

/** The body with which a PMS books the clinic's first professional; `changes` holds what matters to the test. */
export function bookingBody(clinic: TestClinic, startsAt: Date, changes: Record<string, unknown> = {}) {
  return {
    professionalId: clinic.professionalIds[0],
    serviceTypeId: clinic.serviceTypeId,
    patientName: 'Ana Martins',
    patientPhone: '+351912345678',
    startsAt: startsAt.toISOString(),
    ...changes,
  };
}

export function book(database: Database, clinic: TestClinic, changes: Partial<BookAppointment> = {}) {
  return database.write((em) => bookAppointment(em, aBooking(clinic, changes), asOperator()));
}

export function change(
  database: Database,
  clinic: TestClinic,
  appointmentId: string,
  changes: Partial<ChangeAppointment>,
  context = asOperator(),
) {
  const { tenantId } = clinic;
  const input = { tenantId, appointmentId, mayBackdate: false, ...changes };
  return database.write((em) => changeAppointment(em, input, context));
}

const HOUR_MS = 3_600_000;

/** A whole hour, `hours` hours after the current one began. */
export function inHours(hours: number): Date {
  return new Date((Math.floor(Date.now() / HOUR_MS) + hours) * HOUR_MS);
}
