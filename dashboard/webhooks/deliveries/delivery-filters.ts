import { z } from 'zod';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { AppointmentEntity } from '../../../db/entities/appointment.entity.ts';
import type { DeliveryQuery } from '../../../db/webhooks/deliveries/list-deliveries.ts';
import { anyEventType, deliveryStatus, errorClass } from '../../../domain/named-enums.schema.ts';
import { readLocalTime } from '../../language/local-time.ts';
import type { View } from '../../layout/view.ts';
import { readFields } from '../../serving/read-fields.ts';

/** The years that PostgreSQL can compare. */
const YEARS = /^(19|2\d)\d\d-/;

/** The filters in the address; the names of invalid ones. */
export function readFilters(query: URLSearchParams, { format }: Pick<View, 'format'>) {
  const localTime = z.string().transform((text, context) => {
    const at = YEARS.test(text) ? readLocalTime(text, format.zone) : null;
    if (at) return at;
    context.addIssue({ code: 'custom' });
    return z.NEVER;
  });
  const filters = z.object({
    endpointId: z.guid().optional().catch(undefined),
    status: deliveryStatus.optional().catch(undefined),
    eventType: anyEventType.optional().catch(undefined),
    errorClass: errorClass.optional().catch(undefined),
    since: localTime.optional(),
    until: localTime.optional(),
    appointmentId: z.guid().optional(),
  });
  // Empty fields are ignored.
  return readFields(filters, new URLSearchParams([...query].filter(([, value]) => value.trim() !== '')));
}

type Sought = Pick<DeliveryQuery, 'eventId' | 'eventType' | 'errorClass' | 'ofAppointments'>;

const eventId = z
  .string()
  .toLowerCase()
  .regex(/^evt_[0-9a-f]{32}$/);

/** The deliveries that a search text means. A delivery's id opens its own page instead. */
export async function readSought(em: EntityManager, tenantId: string, text: string): Promise<Sought> {
  const event = eventId.safeParse(text);
  if (event.success) return { eventId: event.data };
  const type = anyEventType.safeParse(text);
  if (type.success) return { eventType: type.data };
  const error = errorClass.safeParse(text);
  if (error.success) return { errorClass: error.data };
  if (z.guid().safeParse(text).success) return { ofAppointments: [text] };
  return { ofAppointments: await numberedBy(em, tenantId, text) };
}

/** The most appointments with one external ID that are searched; moved appointments share it. */
const MAX_NUMBERED = 20;

async function numberedBy(em: EntityManager, tenantId: string, externalId: string): Promise<string[]> {
  if (externalId.includes('\0')) return [];
  const rows = await em.find(
    AppointmentEntity,
    { tenantId, externalId },
    { fields: ['id'], orderBy: { startsAt: 'desc', id: 'desc' }, limit: MAX_NUMBERED },
  );
  return rows.map(({ id }) => id);
}
