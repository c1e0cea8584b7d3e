import { erasePatient } from '../../commands/patients/erase-patient.ts';
import { exportPatient } from '../../commands/patients/export-patient.ts';
import { requireNamedPatient, withinTransaction } from '../../commands/patients/named-patient.ts';
import { answer, implement } from '../contract/implement.ts';
import { patientContracts } from './contract.ts';
import { presentPatientExport } from './present.ts';

interface Body {
  patientPhone?: string | undefined;
  patientName?: string | undefined;
  patientExternalId?: string | undefined;
}

export const patientRoutes = implement(patientContracts, ({ phoneHash, numbers }) => ({
  exportPatient: async ({ body, caller: { tenantId }, context, write }) => {
    const exported = await write(async (em) => {
      const database = withinTransaction(em);
      const found = await requireNamedPatient(database, phoneHash, namedIn(tenantId, body));
      return exportPatient({ database, context }, found);
    });
    return answer(200, presentPatientExport(exported, tenantId, await numbers.of(tenantId)));
  },
  erasePatient: async ({ body, caller: { tenantId }, context, write }) => {
    const { erased, kept } = await write(async (em) => {
      const database = withinTransaction(em);
      const found = await requireNamedPatient(database, phoneHash, namedIn(tenantId, body));
      return erasePatient({ database, context }, found);
    });
    return answer(200, { erased, kept });
  },
}));

function namedIn(
  tenantId: string,
  { patientPhone: phone, patientName: name, patientExternalId: externalId }: Body,
) {
  return { tenantId, phone, name, externalId };
}
