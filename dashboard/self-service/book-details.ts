import type { z } from 'zod';
import type { PhoneHash } from '../../adapters/phone-hash.ts';
import { bookByPatient } from '../../commands/self-service/book-by-patient.ts';
import { findAppointment } from '../../db/appointments/find-appointment.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { PatientLinks } from '../../domain/appointments/patient-link.ts';
import { isForPatients } from '../../domain/clinic/self-service.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Timings } from '../../domain/timings.ts';
import { findTimesToBook } from '../appointments/free-times.ts';
import { asShown, isMendable, requireOffered, type ChosenTime } from '../appointments/time-choice.ts';
import { makeOnce } from '../made-once/make-once.ts';
import type { Reply } from '../page-request.ts';
import { readFields } from '../read-fields.ts';
import { countChange } from './address-limit.ts';
import { chosenFields, detailsPage, patientFields, type Chosen } from './details-pages.ts';
import { bookableNow, rulesOf, type Guest } from './guest.ts';
import { SELF_SERVICE_WORDS } from './words.ts';

export interface BookingDependencies {
  phoneHash: PhoneHash;
  timings: Timings;
  links: PatientLinks;
}

/** Whoever fills in the form may take so long over it, whatever notice the clinic wants. */
const FILLING_IN_MS = 15 * 60_000;

/** Books what the page showed, and leads to the page by which the patient moves or cancels it. */
export async function bookDetails(guest: Guest, dependencies: BookingDependencies): Promise<Reply> {
  const { form, home, language } = guest;
  const chosen = readFields(chosenFields, form).fields;
  if (!chosen) return { to: home };
  const { fields, wrong } = readFields(patientFields(guest.clinic.country), form);
  if (wrong) return detailsPage(guest, form, { wrong });
  try {
    await countChange(guest);
    const { id } = await bookOnce(guest, { ...chosen, ...fields }, dependencies);
    return { to: `/book/a/${dependencies.links.tokenOf(id)}` };
  } catch (error) {
    const words = SELF_SERVICE_WORDS[language];
    const isTooMuch = error instanceof ServiceError && error.code === 'rate_limited';
    if (!isTooMuch && !isMendable(error)) throw error;
    const problem = isTooMuch ? { text: words.tooMany, status: 429 } : { text: words.taken, status: 409 };
    return detailsPage(guest, form, { problem });
  }
}

type Asked = Pick<AppointmentRow, 'startsAt' | 'professionalId' | 'patientName' | 'patientPhoneHash'>;
type Wanted = Chosen & z.output<ReturnType<typeof patientFields>>;

async function bookOnce(
  guest: Guest,
  { service, time, patientName, patientPhone }: Wanted,
  { phoneHash, timings }: BookingDependencies,
): Promise<Pick<AppointmentRow, 'id'>> {
  const { clinic, context, read, write } = guest;
  const tenantId = clinic.id;
  const patientPhoneHash = phoneHash({ tenantId, e164: patientPhone });
  const { made } = await makeOnce(guest, {
    find: (id) => read((em) => findAppointment(em, tenantId, id)),
    isSame: (found) => isWhatWasAsked(found, { patientName, patientPhoneHash, ...time }),
    make: async (id) => {
      await requireFree(guest, service, time);
      const patient = { patientName, patientPhoneHash };
      const booking = { id, tenantId, serviceTypeId: service, ...time, ...patient, timings };
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
    found.patientPhoneHash === asked.patientPhoneHash &&
    found.patientName === asked.patientName
  );
}

/** @throws ServiceError `slot_conflict` for a time that is not offered to patients now */
async function requireFree(guest: Guest, serviceTypeId: string, time: ChosenTime): Promise<void> {
  const { clinic, context, read } = guest;
  const { startsAt, professionalId } = time;
  const { from, until } = bookableNow(guest);
  const earliest = Math.max(context.now.getTime(), from.getTime() - FILLING_IN_MS);
  const isWithin = startsAt.getTime() > earliest && startsAt < until;
  if (!isWithin || !isForPatients(serviceTypeId, rulesOf(guest)))
    throw new ServiceError('slot_conflict', 'This time is not offered.');
  const now = startsAt < from ? asShown(time, context.now) : context.now;
  const range = { from: startsAt, until: new Date(startsAt.getTime() + 1) };
  const wanted = { tenantId: clinic.id, serviceTypeId, professionalId, range };
  requireOffered(await read((em) => findTimesToBook(em, wanted, now)), time);
}
