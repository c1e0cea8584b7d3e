import { TenantEntity } from '../../db/entities/tenant.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { localeOfClinic, speakerOf, type TimeInWords } from '../../domain/appointments/spoken-time.ts';
import { timezoneOf } from '../../domain/clinic/hours/business-hours.ts';
import type { Caller } from '../contract/caller.ts';
import type { Surroundings } from '../contract/implement.ts';

type Speak = (at: Date) => TimeInWords;

/** Appointments with words for their times: an agent does not know the clinic’s zone. */
export async function inWords(body: object, { tenantId }: Caller, read: Surroundings['read']) {
  const speak = await read((em) => speakerOfClinic(em, tenantId));
  return spoken(body, speak) as object;
}

async function speakerOfClinic(em: EntityManager, tenantId: string): Promise<Speak> {
  const { config, country } = await em.findOneOrFail(TenantEntity, { id: tenantId });
  return speakerOf(localeOfClinic(config, country), timezoneOf(config));
}

/** An appointment, a list of them, or one with its `replacement`. */
function spoken(body: unknown, speak: Speak): unknown {
  if (Array.isArray(body)) return body.map((each) => spoken(each, speak));
  if (typeof body !== 'object' || body === null) return body;
  const { startsAt, items, replacement } = body as Record<string, unknown>;
  return {
    ...body,
    ...(typeof startsAt === 'string' && speak(new Date(startsAt))),
    ...(items !== undefined && { items: spoken(items, speak) }),
    ...(replacement !== undefined && { replacement: spoken(replacement, speak) }),
  };
}
