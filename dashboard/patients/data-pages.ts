import { createCallNumberVault } from '../../adapters/phones/call-numbers.ts';
import { readPhoneNumber } from '../../adapters/phones/read-phone-number.ts';
import { presentPatientExport } from '../../api/patients/present.ts';
import { erasePatient, findErasure } from '../../commands/patients/erase-patient.ts';
import { exportPatient } from '../../commands/patients/export-patient.ts';
import {
  findNamedPatient,
  withinTransaction,
  type FoundPatient,
  type NamedPatient,
} from '../../commands/patients/named-patient.ts';
import { sizeUpPatient, type PatientSize } from '../../commands/patients/size-up-patient.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { localDayOf } from '../../domain/clinic/hours/local-day.ts';
import { question } from '../../domain/encryption/sealed-places.ts';
import { isSameName } from '../../domain/patients/plain-name.ts';
import { notFound } from '../../domain/service-error.ts';
import { isMadeFrom } from '../edits/version.ts';
import { questionIn } from '../search/question.ts';
import { PATIENTS } from '../search/search-box.ts';
import {
  clinicPage,
  idsOf,
  type Answer,
  type ClinicRequest,
  type Download,
  type PageRoute,
  type Reply,
} from '../serving/page-request.ts';
import { DATA_OF_PATIENT, DATA_OF_PHONE, dataOfPatientAddress, ERASURE } from './data-addresses.ts';
import { CONFIRMATION, dataPage, noDataPage, PHONE, versionOf, type ShownData } from './data-page.ts';
import { erasurePage } from './erasure-page.ts';
import type { PatientPagesOptions } from './patient-pages.ts';

export interface PatientDataOptions extends PatientPagesOptions {
  database: Pick<Database, 'ciphers'>;
}

/** Whose data a page is about. */
interface Whose extends Pick<ShownData, 'address' | 'phone'> {
  named: NamedPatient;
  confirms: (typed: string, names: readonly string[]) => boolean;
}

type WhoseData = (request: ClinicRequest) => Whose | null;

/** Exporting and erasing the data of a patient, or of everyone with a phone: docs/operations/patient-data.md */
export function patientDataPages(options: PatientDataOptions): PageRoute[] {
  return [
    ...dataPages(DATA_OF_PATIENT, patientOfAppointment, options),
    ...dataPages(DATA_OF_PHONE, (request) => everyoneWithPhone(request, options), options),
    clinicPage('GET', `${ERASURE}/:id`, 'patient_data', async ({ tenantId, id, view, read }) => {
      const erased = await read((em) => findErasure(em, tenantId, id));
      if (!erased) throw notFound('erasure', id);
      return erasurePage(view, erased);
    }),
  ];
}

function dataPages(path: string, whoseData: WhoseData, options: PatientDataOptions): PageRoute[] {
  /** Without a phone number, back to the search. */
  const page = (
    method: PageRoute['method'],
    address: string,
    answer: (request: ClinicRequest, whose: Whose, options: PatientDataOptions) => Promise<Answer>,
  ) =>
    clinicPage(method, address, 'patient_data', async (request) => {
      const whose = whoseData(request);
      return whose ? answer(request, whose, options) : { to: PATIENTS };
    });
  return [
    page('GET', path, showData),
    page('GET', `${path}/export`, downloadData),
    page('POST', `${path}/erase`, eraseData),
  ];
}

function patientOfAppointment({ tenantId, id }: ClinicRequest): Whose {
  return {
    named: { tenantId, appointmentId: id },
    address: dataOfPatientAddress(id),
    phone: null,
    confirms: (typed, names) => names.some((name) => isSameName(name, typed)),
  };
}

function everyoneWithPhone(request: ClinicRequest, { cipher }: PatientDataOptions): Whose | null {
  const { tenantId, session, query, form } = request;
  const country = session.clinicCountry ?? '';
  // A form holds the number itself, because it can be sent by a later session.
  const number = readPhoneNumber(form.get(PHONE) ?? questionIn({ query, session }, cipher), country);
  if (number === null) return null;
  return {
    named: { tenantId, phone: number },
    address: DATA_OF_PHONE,
    phone: { number, sealed: cipher.encrypt(number, question(session)) },
    confirms: (typed) => readPhoneNumber(typed, country) === number,
  };
}

async function showData(request: ClinicRequest, whose: Whose, options: PatientDataOptions): Promise<Reply> {
  const found = await findSized(request, whose, options);
  return found ? dataPage(request.view, { ...whose, ...found }) : noDataPage(request.view);
}

async function downloadData(
  request: ClinicRequest,
  { named }: Whose,
  { database, phoneHash }: PatientDataOptions,
): Promise<Download | Reply> {
  const { tenantId, view, write, context, noteShown } = request;
  const exported = await write(async (em) => {
    const found = await findNamedPatient(withinTransaction(em), phoneHash, named);
    return found && exportPatient({ database: withinTransaction(em), context }, found);
  });
  if (!exported) return noDataPage(view);
  const numbers = await createCallNumberVault(database.ciphers, phoneHash).of(tenantId);
  noteShown('appointment', idsOf(exported.appointments.map(({ row }) => row)));
  noteShown('transcript', idsOf(exported.calls.map(({ row }) => row)));
  const text = JSON.stringify(presentPatientExport(exported, tenantId, numbers), null, 2);
  return {
    // Without the name: browsers list downloads.
    fileName: `patient-${localDayOf(view.now, view.format.zone).date}.json`,
    type: 'application/json; charset=utf-8',
    lines: oneText(text),
  };
}

async function* oneText(text: string): AsyncGenerator<string> {
  yield text;
}

async function eraseData(request: ClinicRequest, whose: Whose, options: PatientDataOptions): Promise<Reply> {
  const { view, form, write, context } = request;
  const found = await findSized(request, whose, options);
  if (!found) return noDataPage(view);
  const typed = form.get(CONFIRMATION) ?? '';
  const isOutdated = !isMadeFrom(form, versionOf(found));
  const isConfirmed = whose.confirms(typed, found.names);
  if (isOutdated || !isConfirmed)
    return dataPage(view, { ...whose, ...found, typed, isOutdated, isConfirmed });
  const { auditId } = await write((em) =>
    erasePatient({ database: withinTransaction(em), context }, found.patient),
  );
  return { to: `${ERASURE}/${auditId}` };
}

/** What is stored; null without anything. Its names are in the access log. */
async function findSized(
  { write, noteShown }: ClinicRequest,
  { named }: Whose,
  { phoneHash }: PatientDataOptions,
): Promise<(PatientSize & { patient: FoundPatient }) | null> {
  // The search may compute hashes again.
  const found = await write(async (em) => {
    const database = withinTransaction(em);
    const patient = await findNamedPatient(database, phoneHash, named);
    return patient && { patient, ...(await sizeUpPatient(database, patient)) };
  });
  if (found) noteShown('appointment', found.shown);
  return found;
}
