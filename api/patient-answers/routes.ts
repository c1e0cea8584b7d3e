import { submitNps, submitTriage } from '../../commands/appointments/patient-answers.ts';
import { answer, implement, type Route } from '../contract/implement.ts';
import { patientAnswerContracts } from './contract.ts';

export function patientAnswerRoutes(): Route[] {
  return implement(patientAnswerContracts, {
    submitNpsResponse: async ({ body, caller, context, write }) => {
      const response = { ...body, comment: body.comment ?? null, tenantId: caller.tenantId };
      const { recorded, isNew } = await write((em) => submitNps(em, response, context));
      const { appointmentId, score, comment, createdAt } = recorded;
      const shown = { appointmentId, score, comment, createdAt: createdAt.toISOString() };
      return answer(isNew ? 201 : 200, shown);
    },
    submitTriageForm: async ({ body, caller, context, write }) => {
      const form = { ...body, tenantId: caller.tenantId };
      const { recorded, isNew } = await write((em) => submitTriage(em, form, context));
      const { appointmentId, answers, createdAt } = recorded;
      return answer(isNew ? 201 : 200, { appointmentId, answers, createdAt: createdAt.toISOString() });
    },
  });
}
