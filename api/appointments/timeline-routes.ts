import { findAppointment } from '../../db/appointments/find-appointment.ts';
import { findAppointmentTimeline } from '../../db/appointments/appointment-history.ts';
import { notFound } from '../../domain/service-error.ts';
import type { RouteDependencies } from '../api-dependencies.ts';
import { answer, implement, type Route } from '../contract/implement.ts';
import { presentTimeline } from './present-timeline.ts';
import { timelineContracts } from './timeline.contract.ts';

export function timelineRoutes({ temporalUi }: RouteDependencies): Route[] {
  return implement(timelineContracts, {
    getAppointmentTimeline: async ({ path, caller: { tenantId }, context, read }) => {
      const appointment = await read((em) => findAppointment(em, tenantId, path.id));
      if (!appointment) throw notFound('appointment', path.id);
      const entries = await read((em) => findAppointmentTimeline(em, tenantId, path.id));
      return answer(200, presentTimeline(appointment, entries, temporalUi, context.now));
    },
  });
}
