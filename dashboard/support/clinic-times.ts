import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import { timezoneOf } from '../../domain/clinic/hours/business-hours.ts';
import { html, type Html } from '../../pages/html.ts';
import { formatFor } from '../language/format.ts';
import { LOCALES } from '../language/language.ts';
import { instant } from '../layout/components.ts';
import type { View } from '../layout/view.ts';

type ZonedClinic = Pick<TenantRow, 'id' | 'name' | 'config' | 'country'>;

/** A view in the clinic's zone. The support desk shows clinics in many zones, so the zone is named with each time. */
export function clinicView(view: View, clinic: Pick<TenantRow, 'config' | 'country'>): View {
  const format = formatFor(view.language, { zone: timezoneOf(clinic.config), country: clinic.country });
  const zoned = (at: Date, words: string) => `${words} ${zoneName(view, format.zone, at)}`;
  return {
    ...view,
    format: {
      ...format,
      dateTime: (at) => zoned(at, format.dateTime(at)),
      timeWithSeconds: (at) => zoned(at, format.timeWithSeconds(at)),
      moment: (at, now) => zoned(at, format.moment(at, now)),
    },
  };
}

/** The short name of the zone, such as WET or GMT+1. */
function zoneName({ language }: View, timeZone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat(LOCALES[language], { timeZone, timeZoneName: 'short' });
  return parts.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

export function clinicTime(view: View, clinic: ZonedClinic, at: Date): Html {
  return instant(at, clinicView(view, clinic).format.dateTime(at));
}

export function clinicLink({ id, name }: Pick<ZonedClinic, 'id' | 'name'>): Html {
  return html`<a href="/support/clinics/${id}">${name}</a>`;
}
