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

/** A visitor of a clinic's public pages, without a session. */
export interface Guest extends ClinicDatabase {
  clinic: TenantRow;
  language: Language;
  format: Format;
  /** The base address of the clinic's public pages, such as `/book/clinica-da-luz`. */
  home: string;
  query: URLSearchParams;
  /** The submitted form; empty when none was sent. */
  form: URLSearchParams;
  context: { requestId: string; now: Date };
  /** The id of the visitor's hold, from a cookie. */
  heldId: string | null;
  keepHold(id: string): void;
  /** The visitor's address; for IPv6 its /56 network. */
  address: string;
  /** The random id in the browser after a booking, or a new one. */
  browser: string;
  keepBrowser(): void;
  /** Whether this deployment sends mails, so that the page asks for an address. */
  sendsMail: boolean;
  /** RATE_LIMITS_DISABLED */
  isUnlimited: boolean;
  /** Counts a request for a subject, or refuses it. The counts belong to no clinic. */
  count(subject: string, limits: readonly RateLimit[]): Promise<CountedRequest>;
  /** Removes the latest accepted request from the count. */
  uncount(subject: string): Promise<void>;
}

export function rulesOf({ clinic }: Guest): SelfServiceRules {
  return selfServiceRules(clinic.config);
}

/** Whether the clinic has public booking pages, as in `db/clinic/clinic-of-guests.ts`. */
export function hasPublicPages({ publicSlug, publicBookingEnabled, status }: TenantRow): boolean {
  return publicSlug !== null && publicBookingEnabled && status !== 'canceled';
}

/** The range in which a new booking may start. */
export function bookableNow(guest: Guest): TimeRange {
  return bookableByPatients(rulesOf(guest), guest.format.zone, guest.context.now);
}
