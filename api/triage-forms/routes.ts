import { submitTriage } from '../../commands/appointments/submit-triage.ts';
import type { TriageFormRow } from '../../db/entities/triage-form.entity.ts';
import { answer, implement, type Route } from '../contract/implement.ts';
import { triageFormContracts } from './contract.ts';

export function triageFormRoutes(): Route[] {
  return implement(triageFormContracts, {
    submitTriageForm: async ({ body, caller, context, write }) => {
      const form = { ...body, tenantId: caller.tenantId };
      const { recorded, isNew } = await write((em) => submitTriage(em, form, context));
      return answer(isNew ? 201 : 200, presentTriageForm(recorded));
    },
  });
}

function presentTriageForm({ appointmentId, answers, createdAt }: TriageFormRow) {
  return { appointmentId, answers, createdAt: createdAt.toISOString() };
}
