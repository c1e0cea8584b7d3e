import type { Check } from '../../commands/diagnosis/check.ts';
import type { PageRoute } from '../serving/page-request.ts';
import { activityPages } from './activity-page.ts';
import { clinicListPages } from './clinic-list-page.ts';
import { supportClinicPages, type SupportedClinic } from './clinic-pages.ts';
import { supportDeliveryLists } from './delivery-list-page.ts';
import { undeliveredPages } from './undelivered-pages.ts';
import { supportRequestPages } from './request-pages.ts';
import { supportAppointmentPages, type SupportedAppointment } from './appointment-pages.ts';
import { supportDeliveryPages, type SupportedDelivery } from './delivery-pages.ts';
import { healthPages } from './health-page.ts';
import { searchPages, type SearchOptions } from './search-pages.ts';
import { stuckPages } from './stuck-pages.ts';

export interface SupportPagesOptions
  extends SearchOptions, SupportedClinic, SupportedAppointment, SupportedDelivery {
  /** The checks of `doctor`. */
  examine: () => Promise<Check[]>;
}

/** The support desk: across clinics, without patient data unless requested. */
export function supportPages(options: SupportPagesOptions): PageRoute[] {
  return [
    ...searchPages(options),
    ...stuckPages(),
    ...undeliveredPages(),
    ...clinicListPages(),
    ...supportClinicPages(options),
    ...activityPages(),
    ...supportRequestPages(),
    ...supportDeliveryLists(),
    ...healthPages(options),
    ...supportAppointmentPages(options),
    ...supportDeliveryPages(options),
  ];
}
