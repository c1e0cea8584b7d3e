import type { findCallWithClinic, findNextAppointments } from '../../db/calls/find-briefing.ts';
import { localeOfClinic, nowIn, speakerOf } from '../../domain/appointments/spoken-time.ts';
import { clinicHoursOf } from '../../domain/clinic/hours/business-hours.ts';
import { openingAt } from '../../domain/clinic/hours/next-opening.ts';
import { shownName } from '../../domain/patients/erased-name.ts';
import { presented, presenter } from '../../domain/presented.schema.ts';
import { briefedAppointmentSchema, briefedServiceSchema } from './briefing.contract.ts';

type CallWithClinic = NonNullable<Awaited<ReturnType<typeof findCallWithClinic>>>;
type NextAppointments = Awaited<ReturnType<typeof findNextAppointments>>;

/** docs/calls.md#briefing */
export function presentBriefing(call: CallWithClinic, appointments: NextAppointments, now: Date) {
  const { config, country } = call;
  const hours = clinicHoursOf(config);
  const { open, nextOpeningAt } = openingAt(hours, now);
  const language = localeOfClinic(config, country);
  const speak = speakerOf(language, hours.zone, now);
  return {
    clinic: { id: call.tenantId, name: call.name },
    now: nowIn(hours.zone, now),
    open,
    nextOpeningAt: nextOpeningAt?.toISOString() ?? null,
    greeting: textIn(config, 'greeting'),
    language,
    transferTo: open ? textIn(config, 'fallbackHumanNumber') : null,
    services: call.services.map(presenter(briefedServiceSchema)),
    appointments: appointments.map((appointment) =>
      presented(briefedAppointmentSchema, {
        ...appointment,
        patientName: shownName(appointment.patientName),
        ...speak(appointment.startsAt),
      }),
    ),
  };
}

function textIn(config: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = config[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
