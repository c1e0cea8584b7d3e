import type { TenantStatus } from '../../domain/clinic/tenant.ts';
import type { Words } from '../language/language.ts';
import { DESK_WORDS_EN } from './desk-words-en.ts';
import { DESK_WORDS_PT } from './desk-words-pt.ts';

export interface DeskWords {
  search: { title: string; hint: { intro: string; kinds: string[] }; none: string; noClinic: string };
  found: Record<'clinics' | 'endpoints' | 'keys' | 'numbered' | 'phoned', string>;
  states: Record<TenantStatus, string>;
  heads: Record<
    | 'appointment'
    | 'arrived'
    | 'clinic'
    | 'event'
    | 'happened'
    | 'host'
    | 'key'
    | 'lastUsed'
    | 'name'
    | 'since'
    | 'starts'
    | 'status'
    | 'zone',
    string
  >;
  about: {
    appointments: string;
    noAppointments: string;
    deliveries: string;
    noDeliveries: string;
    nothingSent: string;
    arrived: (arrived: string, all: string) => string;
  };
  clinic: {
    now: string;
    country: string;
    /** @param name of the clinic */
    timeHint: (name: string) => string;
    deliveries: string;
    noEndpoints: string;
    noKeys: string;
    good: string;
    over: string;
    never: string;
  };
  list: { title: string; none: string };
  request: {
    title: string;
    asked: string;
    answer: string;
    took: string;
    notLogged: string;
    changed: string;
    change: string;
    nothing: string;
  };
  givenUp: {
    title: string;
    text: string;
    none: string;
    isOff: string;
    events: string;
    oldest: string;
    resend: (count: number, shown: string) => string;
    sent: (count: number, shown: string) => string;
  };
}

export const DESK_WORDS: Words<DeskWords> = { en: DESK_WORDS_EN, pt: DESK_WORDS_PT };
