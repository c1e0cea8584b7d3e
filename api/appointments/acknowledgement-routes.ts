import { acknowledgeAppointment } from '../../commands/appointments/acknowledge-appointment.ts';
import { hasScope } from '../contract/caller.ts';
import { answer, implement } from '../contract/implement.ts';
import { acknowledgementContracts } from './acknowledgement.contract.ts';
import { presentAcknowledgement } from './present.ts';

export const acknowledgementRoutes = implement(acknowledgementContracts, () => ({
  acknowledgeAppointment: async ({ path, body, caller, context, write }) => {
    const said = { tenantId: caller.tenantId, appointmentId: path.id, ...body };
    const stored = await write((em) => acknowledgeAppointment(em, said, context));
    // An older version answers with what another request said.
    const isShown = stored.reason === body.reason || hasScope(caller, 'appointments:read');
    return answer(200, presentAcknowledgement(isShown ? stored : { ...stored, reason: null }));
  },
}));
