import { callNumberSeal } from '../../adapters/phones/call-numbers.ts';
import type { PhoneHash } from '../../adapters/phones/phone-hash.ts';
import { bookAppointment } from '../../commands/appointments/book-appointment.ts';
import { startCall } from '../../commands/calls/record-call.ts';
import { createApiKey } from '../../commands/clinic/create-api-key.ts';
import { saveBusyBlock } from '../../commands/clinic/save-busy-block.ts';
import type { CommandContext } from '../../commands/command-context.ts';
import { cipherOf } from '../../db/connection/cipher-of.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import { SCOPE_PRESETS } from '../../domain/clinic/api-scopes.ts';
import { STANDARD_TIMINGS } from '../../domain/timings.ts';
import { EXAMPLE_IDS } from './example-ids.ts';
import { makeExampleWebhooks } from './make-example-webhooks.ts';

/** Far enough to lie ahead for as long as anybody tries the examples, and out of the way of what they book. */
const AHEAD_MS = 52 * 7 * 86_400_000;
const HALF_HOUR_MS = 1_800_000;
const PATIENT_PHONE = '+351912345678';

/** What the clinic of the examples is made with. */
export interface Making {
  em: EntityManager;
  phoneHash: PhoneHash;
  context: CommandContext;
}

type MakingInClinic = Making & { tenantId: string };

/** What the examples of the reference name by id, in the clinic that has just been made. Nobody is told of it. */
export async function makeExamples(given: Making, tenant: TenantRow): Promise<void> {
  const making = { ...given, tenantId: tenant.id, context: { ...given.context, isQuiet: true } };
  const appointment = await bookExample(making);
  await makeExampleWebhooks(making, tenant, appointment);
  await blockLunch(making);
  await takeCall(making);
  await makeKey(making);
}

function bookExample({ em, tenantId, phoneHash, context }: MakingInClinic): Promise<AppointmentRow> {
  const nextHalfHour = Math.ceil(context.now.getTime() / HALF_HOUR_MS) * HALF_HOUR_MS;
  const booking = {
    id: EXAMPLE_IDS.appointment,
    tenantId,
    professionalId: EXAMPLE_IDS.professional,
    serviceTypeId: EXAMPLE_IDS.service,
    patientName: 'Ana Martins',
    patientPhoneHash: phoneHash({ tenantId, e164: PATIENT_PHONE }),
    patientExternalId: 'patient-381',
    startsAt: new Date(nextHalfHour + AHEAD_MS),
    source: 'manual',
    patientNotes: 'First visit',
    metadata: { chair: 2 },
    externalId: 'pms-4700',
    callId: null,
    mayBackdate: false,
    timings: STANDARD_TIMINGS,
  } as const;
  return bookAppointment(em, booking, context);
}

/** On the day of the appointment. */
async function blockLunch({ em, tenantId, context }: MakingInClinic): Promise<void> {
  const startsAt = new Date(context.now.getTime() + AHEAD_MS + 4 * HALF_HOUR_MS);
  const block = {
    tenantId,
    externalId: EXAMPLE_IDS.busyBlock,
    professionalId: EXAMPLE_IDS.professional,
    startsAt,
    endsAt: new Date(startsAt.getTime() + 2 * HALF_HOUR_MS),
    title: 'Lunch',
  };
  await saveBusyBlock(em, block, context);
}

async function takeCall({ em, tenantId, phoneHash, context }: MakingInClinic): Promise<void> {
  const call = {
    tenantId,
    callId: EXAMPLE_IDS.call,
    fromNumber: PATIENT_PHONE,
    toNumber: '+351210000000',
    startedAt: context.now,
    telephonyCallControlId: null,
    metadata: { language: 'pt' },
  };
  await startCall(em, call, callNumberSeal(await cipherOf(em, tenantId), phoneHash), context);
}

/** To be rolled and revoked; nobody has seen it. */
async function makeKey({ em, tenantId, context }: MakingInClinic): Promise<void> {
  const scopes = SCOPE_PRESETS.reporting;
  const key = {
    id: EXAMPLE_IDS.apiKey,
    tenantId,
    name: 'Reporting',
    scopes,
    expiresAt: null,
    mode: 'test',
  } as const;
  await createApiKey(em, key, context);
}
