import type { SecretCipher } from '../../adapters/secret-cipher.ts';
import type { Check } from '../../commands/diagnosis/check.ts';
import type { PageRoute } from '../page-request.ts';
import { supportAppointmentPages, type SupportedAppointment } from './appointment-pages.ts';
import { supportDeliveryPages, type SupportedDelivery } from './delivery-pages.ts';
import { healthPages } from './health-page.ts';
import { searchPages } from './search-pages.ts';
import { stuckPages } from './stuck-pages.ts';

export interface SupportPagesOptions extends SupportedAppointment, SupportedDelivery {
  cipher: SecretCipher;
  /** The whole service, as operators examine it. */
  examine: () => Promise<Check[]>;
}

/** The support desk: across clinics, and without patients' data unless it is asked for. */
export function supportPages(options: SupportPagesOptions): PageRoute[] {
  return [
    ...searchPages(options),
    ...stuckPages(options),
    ...healthPages(options),
    ...supportAppointmentPages(options),
    ...supportDeliveryPages(options),
  ];
}
