import { findAppointment } from '../../db/appointments/find-appointment.ts';
import { findAppointmentTimeline } from '../../db/appointments/appointment-history.ts';
import { notFound } from '../../domain/service-error.ts';
import { answer, implement } from '../contract/implement.ts';
import { presentTimeline } from './present-timeline.ts';
import { timelineContracts } from './timeline.contract.ts';

export const timelineRoutes = implement(timelineContracts, ({ temporalUi }) => ({
  getAppointmentTimeline: async ({ path, caller: { tenantId }, context, read }) => {
    const appointment = await read((em) => findAppointment(em, tenantId, path.id));
    if (!appointment) throw notFound('appointment', path.id);
    const entries = await read((em) => findAppointmentTimeline(em, tenantId, path.id));
    return answer(200, presentTimeline(appointment, entries, temporalUi, context.now));
  },
}));
