import { submitNps, submitTriage } from '../../commands/appointments/patient-answers.ts';
import { answer, implement } from '../contract/implement.ts';
import { presented } from '../contract/presented.ts';
import { npsResponseSchema, patientAnswerContracts, triageFormSchema } from './contract.ts';

export const patientAnswerRoutes = implement(patientAnswerContracts, () => ({
  submitNpsResponse: async ({ body, caller, context, write }) => {
    const response = { ...body, tenantId: caller.tenantId };
    const { recorded, isNew } = await write((em) => submitNps(em, response, context));
    return answer(isNew ? 201 : 200, presented(npsResponseSchema, recorded));
  },
  submitTriageForm: async ({ body, caller, context, write }) => {
    const form = { ...body, tenantId: caller.tenantId };
    const { recorded, isNew } = await write((em) => submitTriage(em, form, context));
    return answer(isNew ? 201 : 200, presented(triageFormSchema, recorded));
  },
}));
