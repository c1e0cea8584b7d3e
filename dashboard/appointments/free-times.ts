import { z } from 'zod';
import { findFreeSlots } from '../../commands/appointments/find-free-slots.ts';
import { serviceOfMove } from '../../commands/appointments/reschedule-appointment.ts';
import { findOffering } from '../../db/appointments/find-offering.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { FreeSlot } from '../../domain/appointments/availability.ts';
import type { TimeRange } from '../../domain/appointments/slot.ts';
import { html, type Html } from '../../pages/html.ts';
import type { View } from '../layout/view.ts';
import { BOOKING_WORDS } from './booking-words.ts';

/** As many as a page shows at a time. */
const MOST_TIMES = 120;

interface WantedTimes {
  tenantId: string;
  serviceTypeId: string;
  /** Anybody's unless told. */
  professionalId: string | undefined;
  range: TimeRange;
}

/** The free times of a service; none when the clinic does not offer it. */
export async function findTimesToBook(
  em: EntityManager,
  { tenantId, serviceTypeId, professionalId, range }: WantedTimes,
  now: Date,
): Promise<FreeSlot[]> {
  const service = await findOffering(em, tenantId, serviceTypeId);
  if (!service) return [];
  const { tenantConfig } = service;
  const professionals = service.professionals.filter(({ id }) => id === (professionalId ?? id));
  const question = { tenantId, tenantConfig, professionals, service, range };
  return firstTimes(await findFreeSlots(em, question, now));
}

/**
 * The free times to which an appointment can be moved with a professional.
 * @throws ServiceError `service_not_offered`, `professional_inactive`, `validation_failed`
 */
export async function findTimesToMove(
  em: EntityManager,
  appointment: AppointmentRow,
  { professionalId, range }: { professionalId: string; range: TimeRange },
  now: Date,
): Promise<FreeSlot[]> {
  const service = await serviceOfMove(em, appointment, professionalId);
  const { tenantConfig } = service;
  const { tenantId } = appointment;
  const professionals = [{ ...service, id: professionalId }];
  const question = { tenantId, tenantConfig, professionals, service, range };
  return firstTimes(await findFreeSlots(em, question, now));
}

/** One more than is shown. */
function firstTimes(slots: Iterable<FreeSlot>): FreeSlot[] {
  return Iterator.from(slots)
    .take(MOST_TIMES + 1)
    .toArray();
}

/** `<instant>/<professional>`, as a radio button sends it. */
export const timeField = z
  .string()
  .transform((text) => text.split('/'))
  .pipe(z.tuple([z.iso.datetime(), z.guid()]))
  .transform(([startsAt, professionalId]) => ({ startsAt: new Date(startsAt), professionalId }));

export interface TimeChoice {
  times: readonly FreeSlot[];
  /** What was chosen before. */
  chosen: string | null;
  error: string | undefined;
  /** By id, where there is more than one to choose from. */
  names: ReadonlyMap<string, string> | null;
}

/** Free times to choose one of. */
export function timeChoice({ language, format }: View, { times, chosen, error, names }: TimeChoice): Html {
  const words = BOOKING_WORDS[language];
  return html`<fieldset ${error !== undefined && html`aria-describedby="time-more"`}>
    <legend>${words.time}</legend>
    ${error !== undefined && html`<p class="more" id="time-more"><strong class="error">${error}</strong></p>`}
    ${times.length === 0 && html`<p class="empty">${words.noTimes}</p>`}
    <div class="times">
      ${times.slice(0, MOST_TIMES).map(({ startsAt, professionalId }) => {
        const value = `${startsAt.toISOString()}/${professionalId}`;
        return html`<label class="choice"
          ><input type="radio" name="time" value="${value}" ${value === chosen && html`checked`} />
          <span
            >${format.time(startsAt)}
            ${names && html`<span class="soft">${names.get(professionalId)}</span>`}</span
          ></label
        >`;
      })}
    </div>
    ${times.length > MOST_TIMES && html`<p class="more">${words.moreTimes}</p>`}
  </fieldset>`;
}
