import type { TenantStatus } from '../../domain/clinic/tenant.ts';

export const DESK_WORDS_EN = {
  search: {
    title: 'Search',
    hint: {
      intro: 'Search for:',
      kinds: [
        'a time together with a clinic’s name or an endpoint’s host: “Luz 10:30 yesterday”, “10:30 5/3 pms.example.com”',
        'part of a clinic’s name, the host of an endpoint, or the beginning of an API key (svc_live_…)',
        'the ID of an appointment, event, delivery, endpoint, request, call or workflow',
        'the external ID of an appointment or patient (upper or lower case), or a patient’s phone number',
      ],
    },
    none: 'No results. API requests are kept in the log for 7 days.',
    noClinic:
      'No clinic matches that name. Besides the time, enter part of the clinic’s name or the host of its endpoint.',
  },
  found: {
    clinics: 'Clinics',
    endpoints: 'Webhook endpoints',
    keys: 'API keys',
    numbered: 'Appointments with this external ID',
    phoned: 'Appointments with this phone number',
  },
  states: {
    trial: 'Trial',
    active: 'Active',
    past_due: 'Payment overdue',
    canceled: 'Cancelled',
  } satisfies Record<TenantStatus, string> satisfies Record<TenantStatus, string>,
  heads: {
    appointment: 'Appointment',
    arrived: 'Webhooks',
    clinic: 'Clinic',
    event: 'Event',
    happened: 'Time',
    host: 'Host',
    key: 'Key',
    lastUsed: 'Last used',
    name: 'Name',
    since: 'Since',
    starts: 'Starts',
    status: 'Status',
    zone: 'Time zone',
  },
  about: {
    appointments: 'Appointments within 15 minutes',
    noAppointments: 'No appointments start within 15 minutes of that time.',
    deliveries: 'Deliveries within 15 minutes',
    noDeliveries: 'No deliveries were due within 15 minutes of that time.',
    nothingSent: 'nothing to send',
    arrived: (arrived: string, all: string) => `${arrived} of ${all} delivered`,
  },
  clinic: {
    now: 'now',
    country: 'Country',
    /** @param name of the clinic */
    timeHint: (name: string) => `To see what happened at a time, search for: ${name} 10:30 yesterday`,
    deliveries: 'All deliveries',
    noEndpoints: 'The clinic has no webhook endpoints, so no events are sent.',
    noKeys: 'The clinic has no API keys.',
    good: 'Valid',
    over: 'Expired',
    never: 'Never',
  },
  list: { title: 'Deliveries', none: 'No deliveries match these filters.' },
  request: {
    title: 'Request',
    asked: 'Requested',
    answer: 'Response',
    took: 'Duration',
    notLogged: 'This request is not in the log: it is more than 7 days old, or came from the dashboard.',
    changed: 'Appointments changed',
    change: 'Change',
    nothing: 'No appointments were changed.',
  },
  undelivered: {
    title: 'Undelivered events',
    text: 'Events of the last 30 days that an endpoint did not receive: all six attempts failed, or the endpoint was disabled. Events that arrived with another delivery are not listed.',
    none: 'Every event has been delivered, or is being delivered for the first time.',
    noneYet: 'No event has used up its attempts, but some have not arrived yet.',
    waiting: 'Stuck deliveries',
    isOff: 'These events can’t be resent while the endpoint is disabled.',
    isCanceled: 'These events can’t be resent, because the clinic’s subscription is cancelled.',
    events: 'Events',
    oldest: 'Oldest',
    resend: (count: number, shown: string) =>
      count === 1 ? 'Resend one event' : `Resend all ${shown} events`,
    sent: (count: number, shown: string) =>
      count === 1 ? 'One event queued for resending.' : `${shown} events queued for resending.`,
  },
};
