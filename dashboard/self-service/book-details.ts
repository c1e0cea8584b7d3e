import { uuidv7 } from 'uuidv7';
import type { z } from 'zod';
import type { PhoneHash } from '../../adapters/phones/phone-hash.ts';
import { bookByPatient } from '../../commands/self-service/book-by-patient.ts';
import { findAppointment } from '../../db/appointments/find-appointment.ts';
import type { PatientLinks } from '../../domain/appointments/patient-link.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { isCorrectable, timeValue } from '../appointments/time-choice.ts';
import type { Reply } from '../serving/page-request.ts';
import { readFields } from '../serving/read-fields.ts';
import { countChange } from './address-limit.ts';
import { chosenFields, type Chosen } from './chosen.ts';
import { detailsPage, patientFields } from './details-pages.ts';
import type { Guest } from './guest.ts';
import { requireFree, sameTimeWithAnother, timesNear } from './offered-times.ts';
import { idOfMade } from './form-id.ts';
import { findOwnHold, isHoldOf } from './own-hold.ts';
import { SELF_SERVICE_WORDS } from './words.ts';

export interface BookingDependencies {
  phoneHash: PhoneHash;
  links: PatientLinks;
}

/** Books the time shown, and redirects to the page where the patient can move or cancel the appointment. */
export async function bookDetails(guest: Guest, dependencies: BookingDependencies): Promise<Reply> {
  const { form, home, language } = guest;
  const chosen = readFields(chosenFields, form).fields;
  if (!chosen) return { to: home };
  const { fields, wrong } = readFields(patientFields(guest.clinic.country), form);
  if (wrong) return detailsPage(guest, form, { wrong });
  const id = idOfMade(form) ?? uuidv7();
  const booked = () => {
    guest.keepBrowser();
    return { to: `/book/a/${dependencies.links.tokenOf(id)}` };
  };
  try {
    await countChange(guest, () => book(guest, { ...chosen, ...fields, id }, dependencies));
    return booked();
  } catch (error) {
    if (await guest.read((em) => findAppointment(em, guest.clinic.id, id))) return booked();
    const words = SELF_SERVICE_WORDS[language];
    if (error instanceof ServiceError && error.code === 'rate_limited') {
      const { headers = {} } = error.details;
      return detailsPage(guest, form, { problem: { text: words.tooMany, status: 429, headers } });
    }
    if (!isCorrectable(error)) throw error;
    return takenPage(guest, chosen);
  }
}

/**
 * The page for a time that was taken. If the patient has no preference and another professional is free then, one press
 * books that; otherwise the page offers other times.
 */
async function takenPage(guest: Guest, chosen: Chosen): Promise<Reply> {
  const { form, language } = guest;
  const words = SELF_SERVICE_WORDS[language];
  const professional = form.get('professional') ?? '';
  const colleague = professional === '' ? await sameTimeWithAnother(guest, chosen) : null;
  if (colleague) {
    const given = new URLSearchParams(form);
    given.set('time', timeValue(colleague));
    return detailsPage(guest, given, { problem: { text: words.colleague, status: 409 } });
  }
  const others = await timesNear(guest, chosen, professional);
  return detailsPage(guest, form, { problem: { text: words.taken, status: 409 }, others });
}

type Wanted = Chosen & z.output<ReturnType<typeof patientFields>> & { id: string };

async function book(guest: Guest, wanted: Wanted, { phoneHash }: BookingDependencies): Promise<void> {
  const { clinic, context, address, browser, isUnlimited, language, write } = guest;
  const { id, service, time, patientName, patientPhone, email } = wanted;
  const tenantId = clinic.id;
  const phone = { tenantId, e164: patientPhone };
  const own = await findOwnHold(guest);
  const holdId = isHoldOf(own, wanted) ? own.id : undefined;
  await requireFree(guest, wanted, holdId !== undefined);
  const patient = {
    patientName,
    patientPhoneHash: phoneHash(phone),
    patientPhoneHashes: phoneHash.every(phone),
  };
  const from = { address, browser };
  const given = guest.sendsMail && email !== null ? { email, language } : null;
  const booking = { id, tenantId, serviceTypeId: service, ...time, ...patient, holdId, from };
  await write((em) => bookByPatient(em, { ...booking, isUnlimited, email: given }, context));
}
