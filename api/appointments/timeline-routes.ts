import { findAppointment } from '../../db/appointments/find-appointment.ts';
import { findAppointmentTimeline } from '../../db/appointments/appointment-timeline.ts';
import { notFound } from '../../domain/service-error.ts';
import { answer, implement, type Route } from '../contract/implement.ts';
import { presentTimeline, type TemporalUi } from './present-timeline.ts';
import { timelineContracts } from './timeline.contract.ts';

export interface TimelineDependencies {
  temporalUi: TemporalUi;
}

export function timelineRoutes({ temporalUi }: TimelineDependencies): Route[] {
  return implement(timelineContracts, {
    getAppointmentTimeline: async ({ path, caller: { tenantId }, context, read }) => {
      const appointment = await read((em) => findAppointment(em, tenantId, path.id));
      if (!appointment) throw notFound('appointment', path.id);
      const entries = await read((em) => findAppointmentTimeline(em, tenantId, path.id));
      return answer(200, presentTimeline(appointment, entries, temporalUi, context.now));
    },
  });
}
