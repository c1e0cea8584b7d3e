import type { TenantStatus } from '../../domain/clinic/tenant.ts';

export const DESK_WORDS_EN = {
  search: {
    title: 'Search',
    hint: {
      intro: 'The box above finds:',
      kinds: [
        'a time with a clinic’s name or a receiver’s host: “Luz 10:30 yesterday”, “10:30 5/3 pms.example.com”',
        'a clinic by words of its name, an endpoint by its host, a key by how it begins (svc_live_…)',
        'the id of anything: appointment, event, delivery, endpoint, request, call, workflow',
        'what a PMS calls an appointment or a patient, capitals aside, and the phone of a patient',
      ],
    },
    none: 'Nothing fits. The log of requests goes back for a week.',
    noClinic:
      'No clinic is called so. Write the time with words of its name, or with the host of its receiver.',
  },
  found: {
    clinics: 'Clinics',
    endpoints: 'Webhook endpoints',
    keys: 'API keys',
    numbered: 'Appointments with this number of the PMS',
    phoned: 'Appointments under this phone',
  },
  states: {
    trial: 'On trial',
    active: 'Active',
    past_due: 'Payment overdue',
    canceled: 'Canceled',
  } satisfies Record<TenantStatus, string>,
  heads: {
    appointment: 'Appointment',
    arrived: 'Webhooks',
    clinic: 'Clinic',
    event: 'Event',
    happened: 'Time',
    host: 'Receiver',
    key: 'Key',
    lastUsed: 'Last used',
    name: 'Name',
    since: 'Since',
    starts: 'Starts',
    status: 'State',
    zone: 'Time zone',
  },
  about: {
    appointments: 'Appointments that begin about then',
    noAppointments: 'None begins within a quarter of an hour of that time.',
    deliveries: 'What was sent about then',
    noDeliveries: 'Nothing was to be sent within a quarter of an hour of that time.',
    nothingSent: 'nothing was to be sent',
    arrived: (arrived: string, all: string) => `${arrived} of ${all} arrived`,
  },
  clinic: {
    now: 'now',
    country: 'Country',
    /** @param name of the clinic */
    timeHint: (name: string) =>
      `For what happened at a time, write into the box above: ${name} 10:30 yesterday`,
    deliveries: 'All deliveries',
    noEndpoints: 'The clinic has no webhook endpoint, so nothing is sent to anybody.',
    noKeys: 'The clinic has no key.',
    good: 'Good',
    over: 'Ended',
    never: 'never',
  },
  list: { title: 'Deliveries', none: 'There is no such delivery.' },
  request: {
    title: 'Request',
    asked: 'Asked for',
    answer: 'Answer',
    took: 'Took',
    notLogged: 'It is not in the log: it came more than a week ago, or from the dashboard.',
    changed: 'Appointments that it changed',
    change: 'Change',
    nothing: 'It changed no appointment.',
  },
  givenUp: {
    title: 'What never arrived',
    text: 'Events of the last 30 days that a receiver does not have: given up after six attempts, or skipped while its endpoint was off. What has arrived by another delivery is left out.',
    none: 'Everything has arrived, or is still on its way.',
    isOff: 'Left out until the clinic enables it.',
    isCanceled: 'Left out: the clinic is canceled.',
    events: 'Events',
    oldest: 'Oldest',
    resend: (count: number, shown: string) =>
      count === 1 ? 'Send one event again' : `Send all ${shown} events again`,
    sent: (count: number, shown: string) =>
      count === 1
        ? 'One event is sent again, in its turn.'
        : `${shown} events are sent again, in their turn.`,
  },
};
