import type { PhoneHash } from '../../adapters/phones/phone-hash.ts';
import { readPhoneNumber } from '../../adapters/phones/read-phone-number.ts';
import type { SecretCipher } from '../../adapters/encryption/secret-cipher.ts';
import { recordAudit } from '../../commands/command-context.ts';
import { findAppointment } from '../../db/appointments/find-appointment.ts';
import { findPatients } from '../../db/patients/find-patients.ts';
import { rowIdIn } from '../../domain/row-id.ts';
import {
  clinicPage,
  idsOf,
  type ClinicRequest,
  type PageRoute,
  type Reply,
} from '../serving/page-request.ts';
import { questionIn, toAnswer } from '../search/question.ts';
import { PATIENTS } from '../search/search-box.ts';
import { patientsPage } from './patients-page.ts';

export interface PatientPagesOptions {
  cipher: SecretCipher;
  phoneHash: PhoneHash;
}

const MOST_FOUND = 20;

/** A patient by phone, name, number or appointment, within the clinic. */
export function patientPages({ cipher, phoneHash }: PatientPagesOptions): PageRoute[] {
  return [
    clinicPage('POST', PATIENTS, 'appointments', async (request) => toAnswer(request, PATIENTS, cipher)),
    clinicPage('GET', PATIENTS, 'appointments', async (request) => {
      const question = questionIn(request, cipher);
      if (question === '') return patientsPage(request.view, null);
      return (await toAppointment(request, question)) ?? answer(request, question, phoneHash);
    }),
  ];
}

/** Null: the question names no appointment of the clinic. */
async function toAppointment({ tenantId, read }: ClinicRequest, question: string): Promise<Reply | null> {
  const id = rowIdIn(question);
  if (id === null || id.startsWith('evt_')) return null;
  const appointment = await read((em) => findAppointment(em, tenantId, id));
  return appointment && { to: `/appointments/${appointment.id}` };
}

async function answer(request: ClinicRequest, question: string, phoneHash: PhoneHash): Promise<Reply> {
  const { tenantId, session, view, read, write, context, noteShown } = request;
  const e164 = readPhoneNumber(question, session.clinicCountry ?? '');
  const patientPhoneHashes = e164 === null ? null : phoneHash.every({ tenantId, e164 });
  const asked = { tenantId, question, patientPhoneHashes, limit: MOST_FOUND + 1, now: view.now };
  const found = await read((em) => findPatients(em, asked));
  const fields = e164 === null ? ['patientName', 'patientExternalId'] : ['patientPhone'];
  const details = { fields, found: Math.min(found.length, MOST_FOUND) };
  const audited = { action: 'patient.looked_up', tenantId, subjectId: null, details } as const;
  await write((em) => recordAudit(em, audited, context));
  const isMore = found.length > MOST_FOUND;
  const patients = found.slice(0, MOST_FOUND);
  noteShown('appointment', idsOf(patients.flatMap(({ next, earlier }) => [...next, ...earlier])));
  return patientsPage(view, { question, patients, isMore });
}
