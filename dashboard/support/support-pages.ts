import type { Check } from '../../commands/diagnosis/check.ts';
import type { Timings } from '../../domain/timings.ts';
import type { PageRoute } from '../page-request.ts';
import { healthPages } from './health-page.ts';
import { searchPages } from './search-pages.ts';
import { stuckPages } from './stuck-pages.ts';

export interface SupportPagesOptions {
  timings: Timings;
  /** The whole service, as operators examine it. */
  examine: () => Promise<Check[]>;
}

/** The support desk: across clinics, and without patients' data unless it is asked for. */
export function supportPages(options: SupportPagesOptions): PageRoute[] {
  return [...searchPages(), ...stuckPages(options), ...healthPages(options)];
}
