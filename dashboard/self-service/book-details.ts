import type { z } from 'zod';
import type { PhoneHash } from '../../adapters/phones/phone-hash.ts';
import { bookByPatient } from '../../commands/self-service/book-by-patient.ts';
import { findAppointment } from '../../db/appointments/find-appointment.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { PatientLinks } from '../../domain/appointments/patient-link.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { isMendable } from '../appointments/time-choice.ts';
import { makeOnce } from '../made-once/make-once.ts';
import type { Reply } from '../serving/page-request.ts';
import { readFields } from '../serving/read-fields.ts';
import { countChange } from './address-limit.ts';
import { chosenFields, type Chosen } from './chosen.ts';
import { detailsPage, patientFields } from './details-pages.ts';
import type { Guest } from './guest.ts';
import { requireFree, timesNear } from './offered-times.ts';
import { findOwnHold, isHoldOf } from './own-hold.ts';
import { SELF_SERVICE_WORDS } from './words.ts';

export interface BookingDependencies {
  phoneHash: PhoneHash;
  links: PatientLinks;
}

/** Books what the page showed, and leads to the page by which the patient moves or cancels it. */
export async function bookDetails(guest: Guest, dependencies: BookingDependencies): Promise<Reply> {
  const { form, home, language } = guest;
  const chosen = readFields(chosenFields, form).fields;
  if (!chosen) return { to: home };
  const { fields, wrong } = readFields(patientFields(guest.clinic.country), form);
  if (wrong) return detailsPage(guest, form, { wrong });
  try {
    const wanted = { ...chosen, ...fields };
    const { id } = await countChange(guest, () => bookOnce(guest, wanted, dependencies));
    guest.keepBrowser();
    return { to: `/book/a/${dependencies.links.tokenOf(id)}` };
  } catch (error) {
    const words = SELF_SERVICE_WORDS[language];
    if (error instanceof ServiceError && error.code === 'rate_limited') {
      const { headers = {} } = error.details;
      return detailsPage(guest, form, { problem: { text: words.tooMany, status: 429, headers } });
    }
    if (!isMendable(error)) throw error;
    const others = await timesNear(guest, chosen, form.get('professional') ?? '');
    return detailsPage(guest, form, { problem: { text: words.taken, status: 409 }, others });
  }
}

type Asked = Pick<AppointmentRow, 'startsAt' | 'professionalId' | 'patientName'> & {
  patientPhoneHashes: readonly string[];
};
type Wanted = Chosen & z.output<ReturnType<typeof patientFields>>;

async function bookOnce(
  guest: Guest,
  wanted: Wanted,
  { phoneHash }: BookingDependencies,
): Promise<Pick<AppointmentRow, 'id'>> {
  const { clinic, context, read, write } = guest;
  const { service, time, patientName, patientPhone } = wanted;
  const tenantId = clinic.id;
  const phone = { tenantId, e164: patientPhone };
  const [patientPhoneHash, patientPhoneHashes] = [phoneHash(phone), phoneHash.every(phone)];
  const { made } = await makeOnce(guest, {
    find: (id) => read((em) => findAppointment(em, tenantId, id)),
    isSame: (found) => isWhatWasAsked(found, { patientName, patientPhoneHashes, ...time }),
    make: async (id) => {
      const own = await findOwnHold(guest);
      const holdId = isHoldOf(own, wanted) ? own.id : undefined;
      await requireFree(guest, wanted, holdId !== undefined);
      const patient = { patientName, patientPhoneHash, patientPhoneHashes };
      const { address, browser } = guest;
      const from = { address, browser };
      const booking = { id, tenantId, serviceTypeId: service, ...time, ...patient, holdId, from };
      return write((em) => bookByPatient(em, { ...booking, isUnlimited: guest.isUnlimited }, context));
    },
  });
  return made;
}

/** Nobody is to be led to an appointment by its id and its patient: only to what this form itself has made. */
function isWhatWasAsked(found: AppointmentRow, asked: Asked): boolean {
  return (
    found.source === 'self_service' &&
    found.startsAt.getTime() === asked.startsAt.getTime() &&
    found.professionalId === asked.professionalId &&
    asked.patientPhoneHashes.includes(found.patientPhoneHash) &&
    found.patientName === asked.patientName
  );
}
