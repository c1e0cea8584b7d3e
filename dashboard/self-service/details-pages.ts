import { z } from 'zod';
import type { PhoneHash } from '../../adapters/phone-hash.ts';
import { bookByPatient } from '../../commands/self-service/book-by-patient.ts';
import { findAppointment } from '../../db/appointments/find-appointment.ts';
import { findProfessional } from '../../db/clinic/list-professionals.ts';
import { findService } from '../../db/clinic/list-services.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { PatientLinks } from '../../domain/appointments/patient-link.ts';
import { text } from '../../domain/bounded-text.schema.ts';
import { isForPatients } from '../../domain/clinic/self-service.ts';
import { notFound, ServiceError } from '../../domain/service-error.ts';
import type { Timings } from '../../domain/timings.ts';
import { html, type Html } from '../../pages/html.ts';
import { findTimesToBook } from '../appointments/free-times.ts';
import { asShown, requireOffered, timeField, type ChosenTime } from '../appointments/time-choice.ts';
import { facts, notice } from '../layout/components.ts';
import { field } from '../layout/form.ts';
import { phoneField } from '../phone-field.schema.ts';
import { idField, makeOnce } from '../made-once/make-once.ts';
import type { Reply } from '../page-request.ts';
import { readFields } from '../read-fields.ts';
import { bookableNow, rulesOf, type Guest } from './guest.ts';
import { SELF_SERVICE_WORDS } from './words.ts';

export interface DetailsDependencies {
  phoneHash: PhoneHash;
  timings: Timings;
  links: PatientLinks;
  /** RATE_LIMITS_DISABLED */
  areLimitsDisabled: boolean;
}

const chosenFields = z.object({ service: z.guid().toLowerCase(), time: timeField });
const patientFields = (country: string) =>
  z.object({
    patientName: z
      .string()
      .trim()
      .pipe(text({ min: 1, max: 200 })),
    patientPhone: phoneField(country),
  });

interface Mistake {
  wrong?: ReadonlySet<string>;
  problem?: { text: string; status: number };
}

/** Who comes, once it is said when. */
export async function detailsPage(
  guest: Guest,
  given: URLSearchParams,
  mistake: Mistake = {},
): Promise<Reply> {
  const chosen = readFields(chosenFields, given).fields;
  if (!chosen) return { to: guest.home };
  const { wrong, problem } = mistake;
  const words = SELF_SERVICE_WORDS[guest.language];
  const { home } = guest;
  return {
    title: words.details,
    status: problem?.status ?? (wrong ? 422 : 200),
    body: html`${problem && notice('bad', problem.text)} ${await summary(guest, chosen)}
      <p><a href="${home}?service=${chosen.service}">${words.back}</a></p>
      <form method="post" action="${home}/details">
        ${idField(given)}
        <input type="hidden" name="service" value="${chosen.service}" />
        <input type="hidden" name="time" value="${given.get('time') ?? ''}" />
        ${patientPart(guest, given, wrong)}
        <p class="actions"><button>${words.book}</button></p>
      </form>`,
  };
}

async function summary(guest: Guest, { service, time }: z.output<typeof chosenFields>): Promise<Html> {
  const { clinic, format, language, read } = guest;
  const words = SELF_SERVICE_WORDS[language];
  const [what, who] = await read((em) =>
    Promise.all([findService(em, clinic.id, service), findProfessional(em, clinic.id, time.professionalId)]),
  );
  if (!what || !who) throw notFound('service or professional', service);
  return facts([
    [words.when, `${format.day(time.startsAt)}, ${format.time(time.startsAt)}`],
    [words.withWhom, who.name],
    [words.what, what.service.name],
  ]);
}

function patientPart({ language }: Guest, given: URLSearchParams, wrong: Mistake['wrong']): Html {
  const words = SELF_SERVICE_WORDS[language];
  const common = (name: keyof typeof words.wrong) => ({
    name,
    value: given.get(name) ?? '',
    error: wrong?.has(name) ? words.wrong[name] : undefined,
    isRequired: true,
  });
  return html`${field({ ...common('patientName'), label: words.name, maxLength: 200 })}
  ${field({ ...common('patientPhone'), label: words.phone, type: 'tel', hint: words.phoneHint })}`;
}

/** Books what the page showed, and leads to the page by which the patient moves or cancels it. */
export async function bookDetails(guest: Guest, dependencies: DetailsDependencies): Promise<Reply> {
  const { form, home, language } = guest;
  const chosen = readFields(chosenFields, form).fields;
  if (!chosen) return { to: home };
  const { fields, wrong } = readFields(patientFields(guest.clinic.country), form);
  if (wrong) return detailsPage(guest, form, { wrong });
  try {
    const { id } = await bookOnce(guest, { ...chosen, ...fields }, dependencies);
    return { to: `/book/a/${dependencies.links.tokenOf(id)}` };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const words = SELF_SERVICE_WORDS[language];
    const said = error.code === 'rate_limited' ? words.tooMany : words.taken;
    return detailsPage(guest, form, { problem: { text: said, status: error.status } });
  }
}

type Wanted = z.output<typeof chosenFields> & z.output<ReturnType<typeof patientFields>>;

async function bookOnce(
  guest: Guest,
  { service, time, patientName, patientPhone }: Wanted,
  { phoneHash, timings, areLimitsDisabled }: DetailsDependencies,
): Promise<Pick<AppointmentRow, 'id'>> {
  const { clinic, context, read, write } = guest;
  const tenantId = clinic.id;
  const patientPhoneHash = phoneHash({ tenantId, e164: patientPhone });
  const { made } = await makeOnce(guest, {
    find: (id) => read((em) => findAppointment(em, tenantId, id)),
    isSame: (found) => found.patientPhoneHash === patientPhoneHash && found.patientName === patientName,
    make: async (id) => {
      await requireFree(guest, service, time);
      const patient = { patientName, patientPhoneHash };
      const booking = { id, tenantId, serviceTypeId: service, ...time, ...patient, timings };
      return write((em) => bookByPatient(em, { ...booking, isUnlimited: areLimitsDisabled }, context));
    },
  });
  return made;
}

/** @throws ServiceError `slot_conflict` for a time that is not offered to patients now */
async function requireFree(guest: Guest, serviceTypeId: string, time: ChosenTime): Promise<void> {
  const { clinic, context, read } = guest;
  const { startsAt, professionalId } = time;
  const { from, until } = bookableNow(guest);
  // Who fills in the form may take their time over it.
  const isWithin = startsAt > context.now && startsAt < until && isForPatients(serviceTypeId, rulesOf(guest));
  if (!isWithin) throw new ServiceError('slot_conflict', 'This time is not offered.');
  const now = startsAt < from ? asShown(time, context.now) : context.now;
  const range = { from: startsAt, until: new Date(startsAt.getTime() + 1) };
  const wanted = { tenantId: clinic.id, serviceTypeId, professionalId, range };
  requireOffered(await read((em) => findTimesToBook(em, wanted, now)), time);
}
