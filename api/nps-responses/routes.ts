import { submitNps } from '../../commands/appointments/submit-nps.ts';
import type { NpsResponseRow } from '../../db/entities/nps-response.entity.ts';
import { answer, implement, type Route } from '../contract/implement.ts';
import { npsResponseContracts } from './contract.ts';

export function npsResponseRoutes(): Route[] {
  return implement(npsResponseContracts, {
    submitNpsResponse: async ({ body, caller, context, write }) => {
      const response = { ...body, comment: body.comment ?? null, tenantId: caller.tenantId };
      const { recorded, isNew } = await write((em) => submitNps(em, response, context));
      return answer(isNew ? 201 : 200, presentNpsResponse(recorded));
    },
  });
}

function presentNpsResponse({ appointmentId, score, comment, createdAt }: NpsResponseRow) {
  return { appointmentId, score, comment, createdAt: createdAt.toISOString() };
}
