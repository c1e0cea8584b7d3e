import type { ProfessionalRow } from '../../db/entities/professional.entity.ts';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import type { ClinicDatabase } from '../../db/connection/open-database.ts';
import type { CountedRequest } from '../../db/requests/rate-limit.ts';
import type { RateLimit } from '../../domain/rate-limits.ts';
import {
  bookableByPatients,
  selfServiceRules,
  type SelfServiceRules,
} from '../../domain/clinic/self-service.ts';
import type { TimeRange } from '../../domain/appointments/slot.ts';
import type { Format } from '../language/format.ts';
import type { Language } from '../language/language.ts';

/** Someone who has not signed in, at the public pages of a clinic. */
export interface Guest extends ClinicDatabase {
  clinic: TenantRow;
  language: Language;
  format: Format;
  /** Of the clinic's public pages, such as `/book/clinica-da-luz`. */
  home: string;
  query: URLSearchParams;
  /** Empty unless a form was sent. */
  form: URLSearchParams;
  context: { requestId: string; now: Date };
  /** What the browser says is kept for them. */
  heldId: string | null;
  keepHold(id: string): void;
  /** Where they ask from: the /56 of an IPv6 address. */
  address: string;
  /** The random id that the browser keeps once something was booked, else a new one. */
  browser: string;
  keepBrowser(): void;
  /** RATE_LIMITS_DISABLED */
  isUnlimited: boolean;
  /** Accepts and counts what one subject asks for, or refuses it: of no clinic, so beside what the clinic's rows show. */
  count(subject: string, limits: readonly RateLimit[]): Promise<CountedRequest>;
  /** Takes the latest of what was accepted out of the count. */
  uncount(subject: string): Promise<void>;
}

export function rulesOf({ clinic }: Guest): SelfServiceRules {
  return selfServiceRules(clinic.config);
}

/** Whether the clinic has pages where patients book, as `db/clinic/clinic-of-guests.ts` finds it. */
export function hasPublicPages({ publicSlug, publicBookingEnabled, status }: TenantRow): boolean {
  return publicSlug !== null && publicBookingEnabled && status !== 'canceled';
}

export function nameOf({ title, name }: Pick<ProfessionalRow, 'title' | 'name'>): string {
  return title === null ? name : `${title} ${name}`;
}

/** When a visit may begin that is booked now. */
export function bookableNow(guest: Guest): TimeRange {
  return bookableByPatients(rulesOf(guest), guest.format.zone, guest.context.now);
}
